import TermindTerminal
import Testing

@Suite("Styles") struct StyleTests {
  static let styles: [(String, TerminalStyle)] = [
    ("1", TerminalStyle(attributes: .bold)), ("2", TerminalStyle(attributes: .faint)),
    ("3;9", TerminalStyle(attributes: [.italic, .strikethrough])),
    ("5;7;8", TerminalStyle(attributes: [.blink, .inverse, .hidden])),
    ("53", TerminalStyle(attributes: .overline)), ("53;55", TerminalStyle()),
    ("4", TerminalStyle(underline: .single)), ("21", TerminalStyle(underline: .double)),
    ("4:0", TerminalStyle()), ("4:1", TerminalStyle(underline: .single)),
    ("4:2", TerminalStyle(underline: .double)), ("4:3", TerminalStyle(underline: .curly)),
    ("4:4", TerminalStyle(underline: .dotted)), ("4:5", TerminalStyle(underline: .dashed)),
    ("4;24", TerminalStyle()), ("4;1;22", TerminalStyle(underline: .single)),
    ("1;2;22", TerminalStyle()),
    ("31;44", TerminalStyle(foreground: .indexed(1), background: .indexed(4))),
    ("95;103", TerminalStyle(foreground: .indexed(13), background: .indexed(11))),
    ("38;5;200", TerminalStyle(foreground: .indexed(200))),
    ("38:5:200", TerminalStyle(foreground: .indexed(200))),
    ("38;2;1;2;3;1", TerminalStyle(foreground: .rgb(1, 2, 3), attributes: .bold)),
    ("38:2:1:2:3", TerminalStyle(foreground: .rgb(1, 2, 3))),
    ("38:2::1:2:3", TerminalStyle(foreground: .rgb(1, 2, 3))),
    ("48:2:0:1:2:3:0:1;3", TerminalStyle(background: .rgb(1, 2, 3), attributes: .italic)),
    ("58:5:32", TerminalStyle(underlineColor: .indexed(32))),
    ("58:2::255:0:0", TerminalStyle(underlineColor: .rgb(255, 0, 0))),
    ("58;5;3;59", TerminalStyle()), ("38;5;300;1", TerminalStyle(attributes: .bold)),
    ("38;2;1;2", TerminalStyle()), ("1;38", TerminalStyle(attributes: .bold)),
    ("", TerminalStyle()),
    ("31;;1", TerminalStyle(attributes: .bold)), ("39;49", TerminalStyle()),
    (
      "1;3;4;38;2;1;2;3;48;2;4;5;6;58;2;7;8;9;53",
      TerminalStyle(
        foreground: .rgb(1, 2, 3),
        background: .rgb(4, 5, 6),
        underlineColor: .rgb(7, 8, 9),
        underline: .single,
        attributes: [.bold, .italic, .overline]
      )
    ),
  ]

  @Test("each selection gives its style", arguments: styles.indices)
  func select(index: Int) {
    let test = TestTerminal()
    test.feed("\(csi)\(Self.styles[index].0)mX")
    #expect(test.style(row: 0, column: 0) == Self.styles[index].1, "\(Self.styles[index].0)")
  }

  @Test("hyperlinks are on the cells written while they are open, and survive SGR 0")
  func hyperlinks() {
    let test = TestTerminal()
    test.feed("\(osc)8;;https://a.example/\(st)\(csi)0mab\(osc)8;;\(st)c")
    #expect(test.style(row: 0, column: 1).hyperlink == "https://a.example/")
    #expect(test.style(row: 0, column: 2).hyperlink == nil)
  }

  @Test("any number of colours leaves the right ones on the screen")
  func manyStyles() {
    let test = TestTerminal(rows: 2, columns: 4)
    for value in 0..<30_000 {
      test.feed("\(csi)38;2;\(value >> 16);\(value >> 8 & 255);\(value & 255)mx")
    }
    let last = 29_999
    #expect(
      test.style(row: 1, column: 3).foreground == .rgb(0, UInt8(last >> 8), UInt8(last & 255))
    )
    let before = last - 1
    #expect(
      test.style(row: 1, column: 2).foreground == .rgb(0, UInt8(before >> 8), UInt8(before & 255))
    )
  }

  @Test("any number of styles that need the table leaves the right ones on the screen")
  func manyBackgrounds() {
    let test = TestTerminal(rows: 2, columns: 4)
    for value in 0..<12_000 {
      test.feed("\(csi)4;48;2;\(value >> 16);\(value >> 8 & 255);\(value & 255)mx")
    }
    for (column, value) in [(3, 11_999), (2, 11_998)] {
      let style = test.style(row: 1, column: column)
      #expect(style.background == .rgb(0, UInt8(value >> 8), UInt8(value & 255)))
      #expect(style.underline == .single)
    }
  }

  @Test("a style is the same on the screen and in the scrollback, whatever it holds")
  func everyStyle() {
    var styles: [TerminalStyle] = []
    for attributes in UInt16(0)..<256 {
      for foreground in [
        TerminalColor.standard, .indexed(0), .indexed(255), .rgb(0, 0, 0), .rgb(255, 1, 2),
      ] {
        styles.append(
          TerminalStyle(
            foreground: foreground,
            attributes: TerminalAttributes(rawValue: attributes)
          )
        )
      }
    }
    let test = TestTerminal(rows: 1, columns: 2)
    var indexes: Set<UInt32> = []
    for style in styles {
      test.feed("\(csi)0\(Self.codes(style))mab")
      #expect(test.style(row: 0, column: 1) == style)
      indexes.insert(test.cells(row: 0)[0].styleIndex)
      test.feed("\(csi)0m\r\n")
      let old = test.cells(row: 0, scrolledBack: 1)
      #expect(old.map { test.terminal.style($0.styleIndex) } == [style, style])
    }
    #expect(indexes.count == styles.count)
    #expect(indexes.contains(0))
  }

  private static func codes(_ style: TerminalStyle) -> String {
    var codes = ""
    for (bit, code) in [1, 2, 3, 5, 7, 8, 9, 53].enumerated()
    where style.attributes.rawValue & 1 << UInt16(bit) != 0 {
      codes += ";\(code)"
    }
    switch style.foreground {
    case .standard: return codes
    case .indexed(let index): return codes + ";38;5;\(index)"
    case .rgb(let red, let green, let blue): return codes + ";38;2;\(red);\(green);\(blue)"
    }
  }

  @Test("styles in the scrollback are those the text was written with")
  func scrollbackStyles() {
    let test = TestTerminal(rows: 1, columns: 8)
    test.feed(
      "a\(csi)31mb\(csi)38;2;1;2;3mc\(csi)48;5;9;4:3;58:5:7md\(osc)8;;x:y\(st)e\(csi)0mf\(osc)8;;\(st)g\r\n"
    )
    var styles: [TerminalStyle] = []
    test.terminal.visitRow(0, scrolledBack: 1) { styles.append(test.terminal.style($0.styleIndex)) }
    var full = TerminalStyle(
      foreground: .rgb(1, 2, 3),
      background: .indexed(9),
      underlineColor: .indexed(7),
      underline: .curly
    )
    #expect(styles[0] == TerminalStyle())
    #expect(styles[1] == TerminalStyle(foreground: .indexed(1)))
    #expect(styles[2] == TerminalStyle(foreground: .rgb(1, 2, 3)))
    #expect(styles[3] == full)
    full.hyperlink = "x:y"
    #expect(styles[4] == full)
    #expect(styles[5] == TerminalStyle(hyperlink: "x:y"))
    #expect(styles[6] == TerminalStyle())
  }

  @Test("capturing with sequences gives the same screen when fed again")
  func captureANSI() {
    let test = TestTerminal(rows: 3, columns: 12)
    test.feed(
      "a\(csi)31;1mbold\(csi)0m\r\n\(csi)48;5;9;4:3;58:5:7mwave\(csi)0m\r\n漢\(csi)38;2;1;2;3mx"
    )
    let copy = TestTerminal(rows: 3, columns: 12)
    for line in test.terminal.captureANSI(includingScrollback: true).split(separator: 0x0A) {
      copy.terminal.feed(Array(line) + [0x0D, 0x0A])
    }
    copy.feed("\(csi)T")
    #expect(copy.everything.contains("漢x"))
    #expect(test.screen == ["abold", "wave", "漢x"])
  }
}

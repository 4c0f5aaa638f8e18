import TermindTerminal
import Testing

@Suite("Rectangles") struct RectangleTests {
  private func filled() -> TestTerminal {
    let test = TestTerminal(rows: 4, columns: 6)
    test.feed("abcdef\r\nghijkl\r\nmnopqr\r\nstuvwx")
    return test
  }

  @Test("DECFRA fills, DECERA erases, both inside the screen only")
  func fillAndErase() {
    let test = filled()
    test.feed("\(csi)43;2;2;3;4$x")
    #expect(test.screen == ["abcdef", "g+++kl", "m+++qr", "stuvwx"])
    test.feed("\(csi)3;3;99;99$z")
    #expect(test.screen == ["abcdef", "g+++kl", "m+", "st"])
    test.feed("\(csi)43;3;3;2;2$x\(csi)7;1;1;4;4$x")
    #expect(test.screen == ["abcdef", "g+++kl", "m+", "st"])
  }

  @Test("DECCRA copies, also onto itself")
  func copy() {
    let test = filled()
    test.feed("\(csi)1;1;2;3;1;2;2;1$v")
    #expect(test.screen == ["abcdef", "gabckl", "mghiqr", "stuvwx"])
    test.feed("\(csi)1;1;4;4;1;4;6;1$v")
    #expect(test.screen[3] == "stuvwa")
  }

  @Test("in origin mode rectangles count from the margins and end there")
  func originMode() {
    let test = filled()
    test.feed("\(csi)?69h\(csi)2;4s\(csi)2;3r\(csi)?6h\(csi)42;1;1;9;9$x")
    #expect(test.screen == ["abcdef", "g***kl", "m***qr", "stuvwx"])
  }

  @Test("DECSERA leaves protected cells")
  func selectiveErase() {
    let test = TestTerminal(rows: 1, columns: 6)
    test.feed("ab\(csi)1\"qcd\(csi)\"qef\(csi)1;1;1;6${")
    #expect(test.screen == ["  cd"])
  }

  @Test("DECCARA and DECRARA change looks in the stream or in the rectangle")
  func attributes() {
    let test = filled()
    test.feed("\(csi)1;5;2;2;1$r")
    #expect(test.style(row: 0, column: 5).attributes == .bold)
    #expect(test.style(row: 1, column: 0).attributes == .bold)
    #expect(test.style(row: 1, column: 2).attributes == [])
    test.feed("\(csi)2*x\(csi)3;2;4;3;7$t")
    #expect(test.style(row: 2, column: 1).attributes == .inverse)
    #expect(test.style(row: 3, column: 0).attributes == [])
    test.feed("\(csi)3;2;4;3;7$t")
    #expect(test.style(row: 2, column: 1).attributes == [])
  }

  /// What is written, the flags of XTCHECKSUM, and the sums of columns 1 to 9 and of column 2 alone.
  static let sums: [(text: String, flags: Int, row: Int, second: Int)] = [
    ("A", 0, -0x41, -0x20), ("A  B", 0, -(0x41 + 0x40 + 0x42), -0x20),
    ("A\(csi)1;5HB", 0, -0x83, -0x20), ("A\(csi)1;5HB", 1, 0x83, 0x20),
    ("A\(csi)1;5HB", 4, -(0x83 + 7 * 0x20), -0x20), ("A\(csi)1;5HB", 7, 0x83 + 7 * 0x20, 0x20),
    ("A\(csi)1;5HB", 8, -0x83, -0x20), ("A\(csi)1;5HB", 12, -0x83, 0),
    ("A\(csi)1;5HB", 31, 0x83, 0), ("\(csi)1\"qA\(csi)0\"q", 0, -0x41, -0x20),
    ("\(csi)1mA", 0, -0xC1, -0x20), ("\(csi)1mA", 3, 0x41, 0x20), ("\(csi)4mA", 1, 0x51, 0x20),
    ("\(csi)5mA", 1, 0x81, 0x20), ("\(csi)7mA", 1, 0x61, 0x20), ("\(csi)8mA", 1, 0x20, 0x20),
    ("\(csi)2;3;9;31mA", 1, 0x41, 0x20), ("\(csi)7m\(csi)2K", 1, 0x20, 0x20), ("é", 1, 0xE9, 0x20),
    ("世", 1, 0x16, 0x20), ("世", 17, 0x4E16, 0x20),
  ]

  @Test("DECRQCRA counts text and looks as xterm does", arguments: sums.indices)
  func checksum(index: Int) {
    let (text, flags, row, second) = Self.sums[index]
    let test = TestTerminal(rows: 2, columns: 12)
    test.feed("\(csi)\(flags)#y\(text)\(csi)5;1;1;1;1;9*y\(csi)6;0;1;2;1;2*y")
    func digits(_ sum: Int) -> String {
      let text = String(sum & 0xFFFF, radix: 16, uppercase: true)
      return String(repeating: "0", count: 4 - text.count) + text
    }
    if text != "世" {
      #expect(test.replies() == "␛P5!~\(digits(row))␛\\␛P6!~\(digits(second))␛\\")
    } else {
      #expect(test.replies().hasPrefix("␛P5!~\(digits(row))␛\\"))
    }
  }

  @Test("a checksum counts from the margins in origin mode, and is zero of no rectangle")
  func checksumPlace() {
    let test = filled()
    test.feed(
      "\(csi)1#y\(csi)?69h\(csi)2;4s\(csi)2;3r\(csi)?6h\(csi)1;0;1;1;1;1*y\(csi)2;0;2;2;1;1*y"
    )
    #expect(test.replies() == "␛P1!~0068␛\\␛P2!~0000␛\\")
  }
}

import Testing

@testable import TermindTerminal

/// What XTGETTCAP answers.
@Suite("Terminfo capabilities") struct TerminfoCapabilityTests {
  @Test("every string of the terminfo entry is known with the same value")
  func agreesWithTerminfo() throws {
    var wrong: [String] = []
    for line in XtermTerminfoFacts.text.split(separator: "\n") {
      let place = try #require(line.firstIndex(of: "="))
      let name = String(line[..<place])
      let expected = unescape(line[line.index(after: place)...])
      if TerminfoCapability.named(name) != .string(expected) { wrong.append(name) }
    }
    #expect(wrong == [])
  }

  @Test(
    "answers one name after the other",
    arguments: [
      ("544E", "\u{1B}P1+r544E=787465726D2D323536636F6C6F72\u{1B}\\"),
      ("436F", "\u{1B}P1+r436F=323536\u{1B}\\"), ("524742", "\u{1B}P1+r524742=382F382F38\u{1B}\\"),
      ("5463", "\u{1B}P1+r5463\u{1B}\\"), ("6e6f7065", "\u{1B}P0+r6E6F7065\u{1B}\\"),
      ("6b63757531", "\u{1B}P1+r6B63757531=1B4F41\u{1B}\\"),
      (
        "5463;6e6f;436f",
        "\u{1B}P1+r5463\u{1B}\\\u{1B}P0+r6E6F\u{1B}\\\u{1B}P1+r436F=323536\u{1B}\\"
      ),
      ("", "\u{1B}P0+r\u{1B}\\"), ("5", "\u{1B}P0+r\u{1B}\\"), ("zz", "\u{1B}P0+r\u{1B}\\"),
      ("5463;\u{1B}[", "\u{1B}P1+r5463\u{1B}\\\u{1B}P0+r\u{1B}\\"), ("ff", "\u{1B}P0+r\u{1B}\\"),
    ]
  )
  func answers(request: String, expected: String) {
    let answer = TerminfoCapability.answer(to: Array(request.utf8))
    #expect(String(decoding: answer, as: UTF8.self) == expected)
  }

  @Test("answers are bounded, whatever is asked")
  func bounded() {
    let many = Array(repeatElement("5463", count: 10_000).joined(separator: ";").utf8)
    #expect(TerminfoCapability.answer(to: many).count <= 64 * 16)
    let long = [UInt8](repeating: 0x35, count: 100_000)
    #expect(TerminfoCapability.answer(to: long) == Array("\u{1B}P0+r\u{1B}\\".utf8))
  }

  @Test("knows what our own extras are called")
  func extras() {
    for name in [
      "Smulx", "Setulc", "Sync", "Ms", "Ss", "Se", "BE", "PS", "fe", "setrgbf", "E3", "XR",
    ] {
      guard case .string = TerminfoCapability.named(name) else {
        Issue.record("\(name) is not a string")
        continue
      }
    }
    #expect(TerminfoCapability.named("Tc") == .flag)
    #expect(TerminfoCapability.named("colors") == .number(256))
    #expect(TerminfoCapability.named("kUP7") == .string("\u{1B}[1;7A"))
    #expect(TerminfoCapability.named("") == nil)
    #expect(TerminfoCapability.allNames.count > 250)
  }

  /// Reads infocmp's notation.
  private func unescape(_ text: Substring) -> String {
    var result = ""
    var rest = text
    while let character = rest.popFirst() {
      switch character {
      case "\\":
        switch rest.popFirst() {
        case "E": result += "\u{1B}"
        case "r": result += "\r"
        case "n": result += "\n"
        case "0":
          rest = rest.dropFirst(2)
          result += "\u{7}"
        case .some(let other): result.append(other)
        case nil: break
        }
      case "^":
        let letter = rest.popFirst()?.unicodeScalars.first?.value ?? 0
        result.unicodeScalars.append(Unicode.Scalar(letter == 0x3F ? 0x7F : UInt8(letter & 0x1F)))
      default: result.append(character)
      }
    }
    return result
  }
}

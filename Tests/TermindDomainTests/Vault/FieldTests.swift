import TermindDomain
import Testing

@Suite("Fields") struct FieldTests {
  @Test(
    "an edit of one line makes one blank of each break",
    arguments: [
      ("plain", "plain"), ("a\nb", "a b"), ("a\r\nb", "a b"), ("a\n\n\r\u{2028}b", "a b"),
      ("\na\n", "a"), ("a \n b", "a   b"), ("\n", ""), ("a\u{0}b", "a\u{0}b"), ("a\u{85}b", "a b"),
    ]
  )
  func singleLine(text: String, expected: String) {
    #expect(SingleLine.normalised(text) == expected)
  }

  @Test("tags are read from one line and written back")
  func tags() {
    #expect(FieldText.tags(" web, live ,,web, ünï ") == ["web", "live", "ünï"])
    #expect(FieldText.text(ofTags: ["web", "live"]) == "web, live")
    #expect(FieldText.tags("") == [])
  }

  @Test("ports and numbers are read or refused")
  func numbers() throws {
    #expect(try FieldText.port(" 22 ") == 22)
    for text in ["", "0", "65536", "-1", "+5", "2 2", "abc"] {
      #expect(throws: FieldProblem.notInRange(1...65535)) { try FieldText.port(text) }
    }
    #expect(try FieldText.number("30", in: 0...86400) == 30)
    #expect(throws: FieldProblem.notInRange(0...10)) { try FieldText.number("11", in: 0...10) }
  }

  @Test("addresses lose their brackets and nothing else")
  func addresses() throws {
    #expect(try FieldText.address(" [fe80::1%eth0] ") == "fe80::1%eth0")
    #expect(try FieldText.address("web.example") == "web.example")
    #expect(throws: FieldProblem.empty) { try FieldText.address(" ") }
    #expect(throws: FieldProblem.target(.invalidHost("-oProxyCommand=x"))) {
      try FieldText.address("-oProxyCommand=x")
    }
    #expect(throws: FieldProblem.target(.invalidHost("fe80::zz"))) {
      try FieldText.address("[fe80::zz]")
    }
  }

  @Test("variables keep their values exactly")
  func environment() throws {
    #expect(
      try FieldText.environment("A=1\n\n B= two = 2 \r\nC=") == [
        EnvironmentVariable(name: "A", value: "1"),
        EnvironmentVariable(name: "B", value: " two = 2 "),
        EnvironmentVariable(name: "C", value: ""),
      ]
    )
    #expect(throws: FieldProblem.invalidName("nothing")) { try FieldText.environment("nothing") }
    #expect(throws: FieldProblem.invalidName("1A")) { try FieldText.environment("1A=x") }
    #expect(throws: FieldProblem.invisibleCharacters) { try FieldText.environment("A=\u{0}") }
  }

  @Test("names are ordered as by comparing them, whatever they are")
  func order() {
    var generator = SystemRandomNumberGenerator()
    let pieces = [
      "web", "WEB", "a", "B", "é", "e\u{301}", "É", "ß", "\u{1F600}", "0", "10", "-", ".",
      "example.net", "\u{0}", "İ",
    ]
    let names = (0..<400).map { _ in
      (0..<Int.random(in: 0...6, using: &generator)).map { _ in
        pieces[Int.random(in: 0..<pieces.count, using: &generator)]
      }.joined()
    }
    let expected = names.enumerated().sorted { left, right in
      (left.element.lowercased(), left.element, left.offset)
        < (right.element.lowercased(), right.element, right.offset)
    }.map(\.offset)
    let found = names.enumerated().map { $0 }.sorted(byName: \.element).map(\.offset)
    #expect(found == expected)
    #expect([Int]().sorted(byName: { "\($0)" }).isEmpty)
    #expect([3, 1, 2].sorted(byName: { "\($0)" }) == [1, 2, 3])
  }
}

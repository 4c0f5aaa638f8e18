import Testing

@testable import TermindScreen

@Suite("Input timing") struct InputTimingTests {
  private func decode(_ pieces: [String?], protocolOn: Bool = false) -> [InputEvent] {
    var decoder = InputDecoder()
    decoder.usesKeyboardProtocol = protocolOn
    var events: [InputEvent] = []
    for piece in pieces {
      if let piece {
        events += decoder.feed(Array(piece.utf8))
      } else if decoder.pendingTimeout != nil {
        events += decoder.timeout()
      }
    }
    return events
  }

  @Test("a lone ESC is the Escape key after its delay")
  func loneEscape() {
    var decoder = InputDecoder()
    #expect(decoder.feed([0x1B]).isEmpty)
    #expect(decoder.pendingTimeout == .milliseconds(50))
    #expect(decoder.timeout() == [InputSamples.key(.escape)])
    #expect(decoder.feed([0x78]) == [InputSamples.character("x")])
  }

  @Test("with the keyboard protocol a lone ESC waits for the rest, however long")
  func escapeUnderProtocol() {
    var decoder = InputDecoder()
    decoder.usesKeyboardProtocol = true
    #expect(decoder.feed([0x1B]).isEmpty)
    #expect(decoder.pendingTimeout == nil)
    #expect(decoder.timeout().isEmpty)
    #expect(decoder.feed(Array("[A".utf8)) == [InputSamples.key(.up)])
  }

  @Test("Alt with an introducer is a key after the delay", arguments: ["[", "O", "]", "P", "_"])
  func altIntroducer(letter: String) throws {
    let scalar = try #require(letter.unicodeScalars.first).value
    #expect(decode(["\u{1B}" + letter, nil]) == [.key(LegacyKeys.character(scalar, alt: true))])
  }

  @Test(
    "what comes after a timeout is not typed",
    arguments: [
      (["\u{1B}", nil, "[A"], [.escape, .up]),
      (["\u{1B}", nil, "[", "A"], [.escape, .up]),
      (["\u{1B}", nil, "OB"], [.escape, .down]),
      (["\u{1B}", nil, "[1;5", nil, "A"], [.escape, .up]),
      (["\u{1B}[1", nil, ";5", nil, "A"], [.up]),
      (["\u{1B}", nil, "[<0;1", nil, ";1M"], [.escape]),
    ] as [([String?], [KeyCode])]
  )
  func lateFragments(pieces: [String?], codes: [KeyCode]) {
    let keys = decode(pieces).compactMap { event in
      if case .key(let key) = event { key.code } else { nil }
    }
    #expect(keys == codes)
  }

  @Test("a late reply is still a reply")
  func lateReply() {
    #expect(
      decode(["\u{1B}", nil, "]11;rgb:00/00/", "ff\u{1B}", "\\"]) == [
        InputSamples.key(.escape), .reply(.color(.background, red: 0, green: 0, blue: 255)),
      ]
    )
    #expect(
      decode(["\u{1B}]", nil, "11;rgb:00/00/ff\u{7}"]).last
        == .reply(.color(.background, red: 0, green: 0, blue: 255))
    )
  }

  @Test("Escape and then typing is typing", arguments: ["[", "O", "[[", "x[A", "]", "[5", "Ox"])
  func typingAfterEscape(text: String) {
    let typed = text.unicodeScalars.map {
      InputEvent.key(LegacyKeys.character($0.value, alt: false))
    }
    let pieces = text.map { String($0) }.flatMap { [$0, nil] as [String?] }
    #expect(decode(["\u{1B}", nil] + pieces) == [InputSamples.key(.escape)] + typed)
  }

  @Test("a second Escape right behind the first is Alt-Escape, later it is its own key")
  func twoEscapes() {
    #expect(decode(["\u{1B}\u{1B}", nil]) == [InputSamples.key(.escape, .alt)])
    #expect(
      decode(["\u{1B}", nil, "\u{1B}", nil]) == [
        InputSamples.key(.escape), InputSamples.key(.escape),
      ]
    )
  }

  @Test("a paste whose end is lost ends by time, and keys work again")
  func lostPasteEnd() {
    #expect(
      decode(["\u{1B}[200~abc", nil, "d"]) == [
        .paste(Array("abc".utf8)), InputSamples.character("d"),
      ]
    )
  }

  @Test("a paste end that is split by a stall is not typed", arguments: 1..<6)
  func splitPasteEnd(place: Int) {
    let mark = Array("\u{1B}[201~")
    let pieces = [
      "\u{1B}[200~abc" + String(mark[..<place]), nil, String(mark[place...]), "d",
    ]
    #expect(decode(pieces) == [.paste(Array("abc".utf8)), InputSamples.character("d")])
  }

  @Test("a large paste comes in bounded pieces that end between characters")
  func largePaste() {
    let text = String(repeating: "añ漢🙂", count: 30_000)
    var decoder = InputDecoder()
    var pieces: [[UInt8]] = []
    for case .paste(let piece) in decoder.feed(Array("\u{1B}[200~\(text)\u{1B}[201~".utf8)) {
      pieces.append(piece)
    }
    #expect(pieces.count > 1)
    #expect(pieces.allSatisfy { $0.count <= InputDecoder.pasteChunkLimit })
    #expect(pieces.allSatisfy { String(validating: $0, as: UTF8.self) != nil })
    #expect(String(decoding: pieces.flatMap { $0 }, as: UTF8.self) == text)
  }

  @Test("a string that never ends neither grows nor swallows the keys for ever")
  func endlessString() {
    var decoder = InputDecoder()
    _ = decoder.feed(Array("\u{1B}]11;".utf8) + Array(repeating: 0x61, count: 100_000))
    #expect(decoder.sequence.count <= 4_096)
    #expect(decoder.pendingTimeout != nil)
    #expect(decoder.timeout().isEmpty)
    #expect(decoder.feed([0x62]) == [InputSamples.character("b")])
    // A key that no string can hold ends it at once.
    #expect(
      decode(["\u{1B}]11;zz", "\r", "b"]) == [
        InputSamples.key(.enter), InputSamples.character("b"),
      ]
    )
  }

  @Test("an endless control sequence stays bounded and is dropped whole")
  func endlessControl() {
    var decoder = InputDecoder()
    #expect(decoder.feed(Array("\u{1B}[".utf8) + Array(repeating: 0x31, count: 50_000)).isEmpty)
    #expect(decoder.sequence.count <= 256)
    #expect(decoder.feed(Array("Ax".utf8)) == [InputSamples.character("x")])
  }
}

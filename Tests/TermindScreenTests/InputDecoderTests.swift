import Testing

@testable import TermindScreen

@Suite("Input decoder") struct InputDecoderTests {
  @Test(
    "each input gives its events and leaves nothing behind",
    arguments: InputSamples.all.indices
  )
  func samples(place: Int) {
    let (text, expected) = InputSamples.all[place]
    var decoder = InputDecoder()
    #expect(decoder.feed(Array(text.utf8)) == expected, "\(text.debugDescription)")
    #expect(decoder.state == .ground)
    #expect(decoder.pendingTimeout == nil)
    #expect(decoder.timeout().isEmpty)
  }

  @Test("any split of any mix gives the same events", arguments: 0..<40)
  func splits(seed: Int) {
    var numbers = SeededNumbers(seed: UInt64(seed) + 1)
    var bytes: [UInt8] = []
    var expected: [InputEvent] = []
    for _ in 0..<30 {
      let (text, events) = InputSamples.all[
        Int.random(in: 0..<InputSamples.all.count, using: &numbers)
      ]
      bytes += Array(text.utf8)
      expected += events
    }
    var decoder = InputDecoder()
    var found: [InputEvent] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let chunk = rest.prefix(Int.random(in: 1...4, using: &numbers))
      found += decoder.feed(Array(chunk))
      rest = rest.dropFirst(chunk.count)
    }
    #expect(found == expected)
  }

  @Test("rubbish never traps, and a split of it changes nothing", arguments: 0..<40)
  func rubbish(seed: Int) {
    var numbers = SeededNumbers(seed: UInt64(seed) + 500)
    let likely: [UInt8] = Array("\u{1B}\u{1B}[[]OP;:?<>$~Mmu0123456789\u{7}\\R_ A".utf8)
    let bytes = (0..<4_000).map { _ in
      Bool.random(using: &numbers)
        ? likely[Int.random(in: 0..<likely.count, using: &numbers)]
        : UInt8.random(in: 0...255, using: &numbers)
    }
    var whole = InputDecoder()
    var split = InputDecoder()
    let atOnce = whole.feed(bytes)
    let oneByOne = bytes.flatMap { split.feed([$0]) }
    #expect(atOnce == oneByOne)
    #expect(whole.state == split.state)
  }

  @Test("no event types a control character")
  func typedTextIsClean() {
    var numbers = SeededNumbers(seed: 9)
    var decoder = InputDecoder()
    let bytes = (0..<20_000).map { _ in UInt8.random(in: 0...255, using: &numbers) }
    for case .key(let key) in decoder.feed(bytes) {
      for scalar in (key.text ?? "").unicodeScalars {
        #expect(scalar.value >= 0x20 && !(0x7F..<0xA0).contains(scalar.value))
      }
    }
  }

  @Test(
    "bytes that are no UTF-8 are dropped and what follows is kept",
    arguments: [
      [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82], [0x9B],
    ]
  )
  func invalid(bytes: [UInt8]) {
    var decoder = InputDecoder()
    #expect(decoder.feed(bytes + [0x61]).last == InputSamples.character("a"))
  }

  @Test("capitals and symbols can be asked for in their shifted form")
  func shiftedForm() throws {
    var decoder = InputDecoder()
    guard case .key(let key) = decoder.feed(Array("\u{1B}[47:63;6u".utf8)).first else {
      Issue.record("no key")
      return
    }
    let form = try #require(key.shiftedForm)
    #expect(form.code == .character(0x3F))
    #expect(form.modifiers == .control)
  }

  @Test("terminfo adds keys that nobody else knows")
  func terminfoKeys() {
    var terminfo = TerminfoDescription(name: "odd")
    terminfo.keys = [
      Array("\u{1B}[199z".utf8): KeyEvent(code: .function(9)), [0x08]: KeyEvent(code: .backspace),
    ]
    let capabilities = ScreenCapabilities(terminfo: terminfo, environment: [:])
    var decoder = InputDecoder(capabilities: capabilities)
    #expect(
      decoder.feed(Array("\u{1B}[199z\u{8}".utf8)) == [
        InputSamples.key(.function(9)), InputSamples.key(.backspace),
      ]
    )
  }
}

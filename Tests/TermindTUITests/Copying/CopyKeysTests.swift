import TermindPresentation
import TermindScreen
import TermindTerminal
import Testing

@testable import TermindTUI

@Suite("Keys of copy mode") @MainActor struct CopyKeysTests {
  private func key(_ text: String, _ modifiers: KeyModifiers = []) -> KeyEvent {
    KeyEvent(
      code: .character(text.unicodeScalars.first?.value ?? 0),
      modifiers: modifiers
    )
  }

  @Test("a capital letter is one with and without the protocol that tells keys apart")
  func capitals() {
    #expect(CopyKeys.vi.command(key("V")) == .select(.lines))
    #expect(CopyKeys.vi.command(key("v", .shift)) == .select(.lines))
    #expect(CopyKeys.vi.command(key("v")) == .select(.characters))
    let brace = KeyEvent(code: .character(0x5B), shifted: 0x7B, modifiers: .shift)
    #expect(CopyKeys.vi.command(brace) == .move(.paragraphBack))
  }

  @Test("both tables know arrows, ends, copying and leaving", arguments: CopyKeys.allCases)
  func common(keys: CopyKeys) {
    #expect(keys.command(KeyEvent(code: .up)) == .move(.up))
    #expect(keys.command(KeyEvent(code: .home, modifiers: .control)) == .move(.top))
    #expect(keys.command(KeyEvent(code: .enter)) == .copy(keeps: false, appends: false))
    #expect(keys.command(KeyEvent(code: .escape)) == .cancel)
    #expect(keys.command(key("q")) == .leave)
    #expect(keys.command(key("z", .control)) == nil)
  }

  @Test("emacs has its own")
  func emacs() {
    #expect(CopyKeys.emacs.command(key("f", .alt)) == .move(.wordEnd(isBig: false)))
    #expect(CopyKeys.emacs.command(key(" ", .control)) == .select(.characters))
    #expect(CopyKeys.emacs.command(key("w", .alt)) == .copy(keeps: false, appends: false))
    #expect(CopyKeys.emacs.command(key("h")) == nil)
  }
}

@Suite("Paste buffers") @MainActor struct PasteBufferTests {
  @Test("the newest comes first, twice the same is one, and appending makes it longer")
  func order() {
    var buffers = PasteBuffers()
    buffers.add([1])
    buffers.add([2])
    buffers.add([1])
    #expect(buffers.texts == [[1], [2]])
    buffers.add([3], appends: true)
    #expect(buffers.texts == [[1, 3], [2]])
    buffers.add([])
    #expect(buffers.texts.count == 2)
  }

  @Test("their number and their size are bounded, but the newest is kept whole")
  func bounds() {
    var buffers = PasteBuffers()
    for number in 0..<80 { buffers.add([UInt8(number)]) }
    #expect(buffers.texts.count == PasteBuffers.mostTexts)
    buffers.add([UInt8](repeating: 9, count: PasteBuffers.mostBytes + 1))
    #expect(buffers.texts.count == 1)
  }

  @Test("the desktop's program is looked for where a desktop is")
  func desktop() {
    #expect(ClipboardProgram.words(["PATH": "/usr/bin:/bin"]) == nil)
    #expect(ClipboardProgram.words(["PATH": "/nowhere", "DISPLAY": ":0"]) == nil)
  }
}

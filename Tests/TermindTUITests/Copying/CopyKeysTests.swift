import TermindPresentation
import TermindScreen
import TermindTerminal
import TermindTestSupport
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

  /// What the pages and the issue of tmux's users ask for, with the key in each table.
  private static let table: [(CopyCommand, vi: String, emacs: String)] = [
    (.move(.left), "h", "^b"), (.move(.down), "j", "^n"), (.move(.up), "k", "^p"),
    (.move(.right), "l", "^f"), (.move(.wordStart(isBig: false)), "w", ""),
    (.move(.wordEnd(isBig: false)), "e", "~f"), (.move(.wordBack(isBig: false)), "b", "~b"),
    (.move(.wordStart(isBig: true)), "W", ""), (.move(.wordEnd(isBig: true)), "E", "~F"),
    (.move(.wordBack(isBig: true)), "B", "~B"), (.move(.rowStart), "0", "^a"),
    (.move(.firstCharacter), "^", "~m"), (.move(.rowEnd), "$", "^e"),
    (.move(.paragraphBack), "{", "~{"), (.move(.paragraphForward), "}", "~}"),
    (.move(.bracket), "%", "^~f"), (.move(.top), "g", "~<"), (.move(.bottom), "G", "~>"),
    (.viewTop, "H", "~R"), (.viewMiddle, "M", "~r"), (.viewBottom, "L", "~L"),
    (.promptBack, "[", "~p"), (.promptForward, "]", "~n"), (.half(1), "^u", ""),
    (.half(-1), "^d", ""), (.page(1), "^b", "~v"), (.page(-1), "^f", "^v"), (.find, "/", "^s"),
    (.find, "?", "^r"), (.findOlder, "n", "n"), (.findNewer, "N", "N"),
    (.select(.characters), "v", "^ "), (.select(.lines), "V", "~l"),
    (.select(.rectangle), "^v", ""), (.toggleRectangle, "r", "R"), (.otherEnd, "o", "~o"),
    (.copy(keeps: false, appends: false), "y", "~w"),
    (.copy(keeps: true, appends: false), "Y", "~c"),
    (.copy(keeps: false, appends: true), "A", "~a"), (.copyToEnd, "D", "^k"), (.pipe, "|", "~|"),
    (.setMark, "m", "X"), (.goToMark, "'", "~x"),
    (.awaitCharacter(isForward: true, isBeside: false), "f", "f"),
    (.awaitCharacter(isForward: false, isBeside: false), "F", "F"),
    (.awaitCharacter(isForward: true, isBeside: true), "t", "t"),
    (.awaitCharacter(isForward: false, isBeside: true), "T", "T"),
    (.repeatCharacter(isReversed: false), ";", ";"), (.repeatCharacter(isReversed: true), ",", ","),
    (.numbers, "#", "#"), (.leave, "q", "q"),
  ]

  /// A key as the table writes it: `^` is Control and `~` Alt before another character.
  private func key(written text: String) -> KeyEvent {
    var (held, rest) = (KeyModifiers(), text[...])
    while rest.count > 1, let sign = rest.first, sign == "^" || sign == "~" {
      held.insert(sign == "^" ? .control : .alt)
      rest = rest.dropFirst()
    }
    return key(String(rest), held)
  }

  @Test("every command has its key in both tables, where both have one")
  func whole() {
    for (command, vi, emacs) in Self.table {
      if !vi.isEmpty { #expect(CopyKeys.vi.command(key(written: vi)) == command, "\(vi)") }
      guard !emacs.isEmpty else { continue }
      #expect(CopyKeys.emacs.command(key(written: emacs)) == command, "\(emacs)")
    }
  }

  /// The keys that tmux 3.3a binds in `copy-mode-vi` and `copy-mode` besides digits, the mouse and keys with names.
  private static let tmux: [(keys: CopyKeys, bound: String, missing: String)] = [
    (
      .vi,
      "^b ^c ^d ^e ^f ^h ^j ^u ^v ^y # $ % * , / 0 : ; ? A B D E F G H J K L M N P T V W X ^ b e f g h j k l n o q r t v w { } ~x",
      "* : P"
    ),
    (
      .emacs,
      "^a ^b ^c ^e ^f ^g ^k ^n ^p ^r ^s ^v ^w , ; F N P R T X f g n q r t ^~b ^~f ~< ~> ~R ~b ~f ~m ~r ~v ~w ~x ~{ ~}",
      "P g r"
    ),
  ]

  @Test("every key that tmux binds does something, but for those that the page names")
  func likeTmux() {
    for (keys, bound, missing) in Self.tmux {
      for text in bound.split(separator: " ").map(String.init) {
        let isThere = keys.command(key(written: text)) != nil
        #expect(isThere != missing.split(separator: " ").contains(text[...]), "\(keys) \(text)")
      }
      #expect(keys.command(KeyEvent(code: .backspace)) == .move(.left))
      #expect(keys.command(KeyEvent(code: .up, modifiers: .alt)) == .half(1))
    }
    #expect(CopyKeys.vi.command(key("j", .control)) == .copy(keeps: false, appends: false))
    #expect(CopyKeys.emacs.command(key(" ")) == .page(-1))
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

  @Test("wl-copy is taken under Wayland, else xclip, else xsel, each told to keep what it reads")
  func programs() throws {
    let folder = try TemporaryFolder()
    func words(_ variables: [String: String]) -> [String]? {
      ClipboardProgram.words(variables.merging(["PATH": folder.path]) { $1 })
    }
    try folder.write("xsel", "#!/bin/sh\n", mode: 0o755)
    #expect(words(["DISPLAY": ":0"]) == [folder.file("xsel"), "--clipboard", "--input"])
    try folder.write("xclip", "#!/bin/sh\n", mode: 0o755)
    #expect(
      words(["DISPLAY": ":0"]) == [folder.file("xclip"), "-selection", "clipboard", "-in"]
    )
    #expect(words(["WAYLAND_DISPLAY": "wayland-0"]) == nil)
    try folder.write("wl-copy", "#!/bin/sh\n", mode: 0o755)
    #expect(words(["WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"]) == [folder.file("wl-copy")])
    #expect(words(["WAYLAND_DISPLAY": "", "DISPLAY": ""]) == nil)
  }
}

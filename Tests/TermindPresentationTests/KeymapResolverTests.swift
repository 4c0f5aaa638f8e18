import TermindScreen
import Testing

@testable import TermindPresentation

@Suite("Resolving keys") struct KeymapResolverTests {
  /// A resolver with a clock that only the test moves.
  private struct Desk {
    var resolver: KeymapResolver
    var now = ContinuousClock.now

    init(_ text: String? = nil) {
      let keymap =
        text.map { KeymapParser.parse($0, name: "test", file: "test").keymap }
        ?? KeymapLibrary.standard
      resolver = KeymapResolver(keymap: keymap)
    }

    mutating func press(_ event: KeyEvent) -> KeyOutcome { resolver.feed(event, at: now) }

    /// Presses keys by their names; the outcome of the last one.
    @discardableResult
    mutating func press(_ names: String...) throws -> KeyOutcome {
      var outcome = KeyOutcome.consumed
      for name in names { outcome = press(try KeyChord(text: name).event) }
      return outcome
    }

    mutating func wait(_ milliseconds: Int) -> KeyOutcome? {
      now += .milliseconds(milliseconds)
      return resolver.deadlinePassed(at: now)
    }
  }

  private func character(
    _ scalar: Unicode.Scalar,
    _ modifiers: KeyModifiers = [],
    shifted: Unicode.Scalar? = nil,
    base: Unicode.Scalar? = nil,
    kind: KeyEventKind = .press
  ) -> KeyEvent {
    KeyEvent(
      code: .character(scalar.value),
      shifted: shifted?.value,
      base: base?.value,
      modifiers: modifiers,
      kind: kind
    )
  }

  @Test("the leader and a key do what is bound")
  func sequence() throws {
    var desk = Desk()
    guard case .pending(let keys) = try desk.press("ctrl+space") else {
      Issue.record("the leader did not open a sequence")
      return
    }
    #expect(keys.prefixText == "ctrl+space")
    #expect(keys.choices.count > 30)
    #expect(try desk.press("v") == .action(.newSplit(.right)))
    #expect(desk.resolver.pending == nil)
    #expect(desk.resolver.deadline == nil)
    #expect(try desk.press("ctrl+space", "g", "w") == .action(.go(.welcome)))
  }

  @Test(
    "everything but the leader is the program's",
    arguments: [
      "a", "ctrl+b", "escape", "ctrl+tab", "ctrl+shift+tab", "ctrl+,", "ctrl+.", "ctrl+;", "f1",
      "super+w", "alt+left", "enter",
    ]
  )
  func passThrough(name: String) throws {
    var desk = Desk()
    let event = try KeyChord(text: name).event
    #expect(desk.press(event) == .passThrough([event]))
  }

  @Test(
    "keys that other programs lose can be bound",
    arguments: [
      "ctrl+tab", "ctrl+shift+tab", "ctrl+,", "ctrl+.", "ctrl+;", "ctrl+f5", "alt+f12",
    ]
  )
  func bindable(name: String) throws {
    var desk = Desk("keybind = \(name)=zoom")
    #expect(try desk.press(name) == .action(.zoom))
  }

  @Test("pressed twice, the leader is sent once, and not to a broadcast")
  func leaderTwice() throws {
    var desk = Desk()
    let leader = try KeyChord(text: "ctrl+space").event
    #expect(try desk.press("ctrl+space", "ctrl+space") == .sendLeader(leader))
    #expect(desk.resolver.isLeader(leader))
    #expect(!desk.resolver.isLeader(try KeyChord(text: "space").event))
    #expect(try desk.press("x") == .passThrough([KeyChord(text: "x").event]))
  }

  @Test("a quick leader sequence leaves nothing for the program")
  func nothingLeaks() throws {
    var desk = Desk("leader = ctrl+b\nkeybind = leader>z=zoom")
    var passed: [KeyEvent] = []
    for name in ["ctrl+b", "z", "ctrl+b", "q", "ctrl+b", "escape"] {
      if case .passThrough(let events) = try desk.press(name) { passed += events }
    }
    #expect(passed.isEmpty)
  }

  @Test("send_leader sends what was pressed")
  func sendLeaderAction() throws {
    var desk = Desk("leader = ctrl+b\nkeybind = leader>b=send_leader\nkeybind = f9=send_leader")
    let leader = try KeyChord(text: "ctrl+b").event
    #expect(try desk.press("ctrl+b", "b") == .sendLeader(leader))
    #expect(try desk.press("f9") == .sendLeader(leader))
  }

  @Test("an unbound key after the leader is told and sent nowhere; escape leaves")
  func unbound() throws {
    var desk = Desk("leader = ctrl+b\nkeybind = leader>z=zoom")
    let expected = [try KeyChord(text: "ctrl+b"), try KeyChord(text: "é")]
    #expect(try desk.press("ctrl+b", "é") == .unbound(expected))
    #expect(try desk.press("ctrl+b", "escape") == .cancelled)
    #expect(try desk.press("z") == .passThrough([KeyChord(text: "z").event]))
  }

  @Test("the choices show after a pause of 400 ms, and follow the sequence from then on")
  func whichKey() throws {
    var desk = Desk()
    try desk.press("ctrl+space")
    #expect(desk.resolver.deadline == desk.now + .milliseconds(400))
    #expect(desk.wait(399) == nil)
    guard case .showChoices(let keys) = desk.wait(1) else {
      Issue.record("no choices after the pause")
      return
    }
    #expect(keys.choices.contains { $0.chord.description == "v" && $0.label == "split right" })
    #expect(desk.resolver.deadline == nil)
    guard case .showChoices(let deeper) = try desk.press("g") else {
      Issue.record("no choices for the second key")
      return
    }
    #expect(deeper.prefixText == "ctrl+space g")
    #expect(deeper.choices.map(\.label).contains("welcome"))
    #expect(try desk.press("w") == .action(.go(.welcome)))
    #expect(desk.wait(10_000) == nil)
  }

  @Test("a repeating key acts again alone until its time is over")
  func repeating() throws {
    var desk = Desk()
    #expect(try desk.press("ctrl+space", "H") == .action(.resize(.left, cells: 2)))
    #expect(desk.wait(500) == nil)
    #expect(try desk.press("H") == .action(.resize(.left, cells: 2)))
    #expect(try desk.press("K") == .action(.resize(.up, cells: 1)))
    #expect(desk.wait(599) == nil)
    #expect(try desk.press("J") == .action(.resize(.down, cells: 1)))
    #expect(desk.wait(600) == nil)
    #expect(desk.resolver.deadline == nil)
    #expect(try desk.press("H") == .passThrough([KeyChord(text: "H").event]))
  }

  @Test("another key ends the repetition and means what it means")
  func repeatingEnds() throws {
    var desk = Desk()
    try desk.press("ctrl+space", "H")
    #expect(try desk.press("v") == .passThrough([KeyChord(text: "v").event]))
    #expect(try desk.press("H") == .passThrough([KeyChord(text: "H").event]))
    try desk.press("ctrl+space", "H")
    #expect(try desk.press("ctrl+space", "v") == .action(.newSplit(.right)))
  }

  @Test("a late key does not repeat even when nobody told about the deadline")
  func repeatingExpires() throws {
    var desk = Desk()
    try desk.press("ctrl+space", "H")
    desk.now += .seconds(2)
    #expect(try desk.press("H") == .passThrough([KeyChord(text: "H").event]))
  }

  @Test("in lock mode everything passes, the leader as well, until the lock's own keys")
  func lock() throws {
    var desk = Desk()
    #expect(try desk.press("ctrl+space", "\\") == .action(.lockMode))
    #expect(desk.resolver.isLocked)
    for name in ["a", "ctrl+tab", "ctrl+;", "escape", "f1"] {
      let event = try KeyChord(text: name).event
      #expect(desk.press(event) == .passThrough([event]))
    }
    let leader = try KeyChord(text: "ctrl+space").event
    let key = try KeyChord(text: "v").event
    #expect(desk.press(leader) == .consumed)
    #expect(desk.press(key) == .passThrough([leader, key]))
    #expect(try desk.press("ctrl+space", "\\") == .action(.lockMode))
    #expect(!desk.resolver.isLocked)
  }

  @Test("a held leader goes to the locked program after the pause, and still unlocks")
  func lockPause() throws {
    var desk = Desk()
    desk.resolver.setLocked(true)
    let leader = try KeyChord(text: "ctrl+space").event
    #expect(desk.press(leader) == .consumed)
    #expect(desk.wait(400) == .passThrough([leader]))
    #expect(try desk.press("\\") == .action(.lockMode))
    #expect(!desk.resolver.isLocked)
  }

  @Test("in lock mode the leader pressed twice passes the first and holds the second")
  func lockTwice() throws {
    var desk = Desk()
    desk.resolver.setLocked(true)
    let leader = try KeyChord(text: "ctrl+space").event
    #expect(desk.press(leader) == .consumed)
    #expect(desk.press(leader) == .passThrough([leader]))
    #expect(desk.wait(400) == .passThrough([leader]))
  }

  @Test("one chord can lock and unlock")
  func lockChord() throws {
    var desk = Desk("keybind = ctrl+g=lock_mode\nkeybind = ctrl+q=quit")
    #expect(try desk.press("ctrl+g") == .action(.lockMode))
    #expect(try desk.press("ctrl+q") == .passThrough([KeyChord(text: "ctrl+q").event]))
    #expect(try desk.press("ctrl+g") == .action(.lockMode))
    #expect(try desk.press("ctrl+q") == .action(.quit))
  }

  @Test("a program sees the release of exactly the keys whose press it saw")
  func releases() throws {
    var desk = Desk()
    let leader = character(" ", .control)
    #expect(desk.press(character("a")) == .passThrough([character("a")]))
    #expect(
      desk.press(character("a", kind: .release)) == .passThrough([character("a", kind: .release)])
    )
    _ = desk.press(leader)
    #expect(desk.press(character(" ", kind: .release)) == .consumed)
    #expect(desk.press(character("v")) == .action(.newSplit(.right)))
    #expect(desk.press(character("v", kind: .repeat)) == .consumed)
    #expect(desk.press(character("v", kind: .release)) == .consumed)
    #expect(desk.press(character("v")) == .passThrough([character("v")]))
  }

  @Test("a leader that was held back in lock mode is passed with its release")
  func lockedReleases() {
    var desk = Desk()
    desk.resolver.setLocked(true)
    let down = character(" ", .control)
    let up = character(" ", .control, kind: .release)
    #expect(desk.press(down) == .consumed)
    #expect(desk.press(up) == .consumed)
    #expect(desk.wait(400) == .passThrough([down, up]))
    #expect(desk.press(down) == .consumed)
    #expect(desk.wait(400) == .passThrough([down]))
    #expect(desk.press(up) == .passThrough([up]))
  }

  @Test("a leader that is held down is one press")
  func heldLeader() {
    var desk = Desk()
    _ = desk.press(character(" ", .control))
    #expect(desk.press(character(" ", .control, kind: .repeat)) == .consumed)
    #expect(desk.press(character("z")) == .action(.zoom))
  }

  @Test("holding the key of a resize goes on resizing")
  func heldResize() {
    var desk = Desk()
    _ = desk.press(character(" ", .control))
    let down = character("h", .shift, shifted: "H")
    let held = character("h", .shift, shifted: "H", kind: .repeat)
    #expect(desk.press(down) == .action(.resize(.left, cells: 2)))
    for _ in 0..<10 { #expect(desk.press(held) == .action(.resize(.left, cells: 2))) }
  }

  @Test("modifier keys reported by themselves do not disturb a sequence")
  func modifierKeys() {
    var desk = Desk()
    _ = desk.press(character(" ", .control))
    let shift = KeyEvent(code: .modifier(.leftShift), modifiers: .shift)
    #expect(desk.press(shift) == .passThrough([shift]))
    #expect(
      desk.press(character("h", .shift, shifted: "H")) == .action(.resize(.left, cells: 2))
    )
  }

  @Test("a key is known by what it gives, with and without the keyboard protocol")
  func identity() {
    let forms: [(KeyEvent, Action)] = [
      (character("?"), .showKeys),
      (character("/", .shift, shifted: "?"), .showKeys),
      (character("/", .shift), .showKeys),
      (character("ß", .shift, shifted: "?"), .showKeys),
      (character("H"), .resize(.left, cells: 2)),
      (character("h", .shift), .resize(.left, cells: 2)),
      (character("h", [.shift, .capsLock, .numLock], shifted: "H"), .resize(.left, cells: 2)),
      (character("v", .capsLock), .newSplit(.right)),
      (KeyEvent(code: .keypad(.one), text: "1"), .gotoWorkspace(1)),
      (KeyEvent(code: .keypad(.left)), .focus(.left)),
    ]
    for (event, action) in forms {
      var desk = Desk()
      _ = desk.press(character(" ", .control))
      #expect(desk.press(event) == .action(action), "\(event)")
    }
  }

  @Test("another alphabet uses the key at the same place, after what it gives itself")
  func baseLayout() {
    var desk = Desk(
      "leader = ctrl+b\nkeybind = leader>v=zoom\nkeybind = leader>?=show_keys\n"
        + "keybind = leader>я=redraw\nkeybind = leader>z=quit\nkeybind = leader>H=quick_open"
    )
    let leader = character("и", .control, base: "b")
    _ = desk.press(leader)
    #expect(desk.press(character("м", base: "v")) == .action(.zoom))
    _ = desk.press(leader)
    #expect(desk.press(character("я", base: "z")) == .action(.redraw))
    _ = desk.press(leader)
    #expect(desk.press(character("р", .shift, shifted: "Р", base: "h")) == .action(.quickOpen))
    _ = desk.press(leader)
    #expect(desk.press(character("ё", .shift, base: "/")) == .action(.showKeys))
  }

  @Test("a Latin layout is never overruled by the US one")
  func latinLayout() {
    var desk = Desk("keybind = ctrl+j=zoom")
    let event = character("h", .control, base: "j")
    #expect(desk.press(event) == .passThrough([event]))
  }

  @Test("modified function keys keep their identity")
  func functionKeys() {
    var desk = Desk("keybind = ctrl+f5=zoom\nkeybind = alt+f5=redraw\nkeybind = f5=quit")
    let key = { (modifiers: KeyModifiers) in KeyEvent(code: .function(5), modifiers: modifiers) }
    #expect(desk.press(key(.control)) == .action(.zoom))
    #expect(desk.press(key(.alt)) == .action(.redraw))
    #expect(desk.press(key([])) == .action(.quit))
    #expect(desk.press(key(.shift)) == .passThrough([key(.shift)]))
    #expect(desk.press(key([.control, .hyper])) == .passThrough([key([.control, .hyper])]))
  }

  @Test("changing the keymap leaves an open sequence")
  func keymapChange() throws {
    var desk = Desk()
    try desk.press("ctrl+space")
    desk.resolver.keymap = KeymapLibrary(own: nil).keymap(named: "tmux").keymap
    #expect(desk.resolver.pending == nil)
    #expect(try desk.press("v") == .passThrough([KeyChord(text: "v").event]))
    #expect(try desk.press("ctrl+b", "%") == .action(.newSplit(.right)))
  }

  @Test("any keys in any order never trap, and every press has an outcome")
  func randomKeys() {
    var generator = SystemRandomNumberGenerator()
    for name in ["default", "tmux", "zellij", "macos"] {
      var desk = Desk()
      desk.resolver.keymap = KeymapLibrary(own: nil).keymap(named: name).keymap
      let names = Array(Set(desk.resolver.keymap.bindings.flatMap(\.keys)))
      for _ in 0..<3_000 {
        guard let chord = names.randomElement(using: &generator) else { continue }
        var event = chord.event
        event.kind = [.press, .press, .repeat, .release].randomElement(using: &generator) ?? .press
        _ = desk.press(event)
        if Bool.random(using: &generator) { _ = desk.wait(Int.random(in: 0...500)) }
      }
    }
  }
}

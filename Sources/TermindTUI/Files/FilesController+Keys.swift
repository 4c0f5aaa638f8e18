import TermindApplication
import TermindDomain
import TermindPresentation
import TermindScreen

/// The keys of a file pane: of the line that is typed, of the pager, of the list.
extension FilesController {
  /// Takes a key.
  func handle(_ key: KeyEvent, in window: Window) {
    guard key.kind != .release, !Self.isModifier(key) else { return }
    defer { changed() }
    if input != nil { return handleInput(key, in: window) }
    if pager != nil { return handlePager(key) }
    // What a key means depends on what the filter shows: it waits for that.
    guard !model.isFiltering || key.code == .escape else {
      if waitingKeys.count < Self.mostWaitingKeys { waitingKeys.append((key, window)) }
      return
    }
    waitingKeys = []
    guard let command = FilesBinding.command(of: key) else { return }
    if command != .leave { problem = "" }
    perform(command, in: window)
  }

  /// The most keys that wait for a filter; more are dropped.
  private static let mostWaitingKeys = 256

  /// Takes the keys that waited for the filter.
  func takeWaitingKeys() {
    let keys = waitingKeys
    waitingKeys = []
    for (key, window) in keys { handle(key, in: window) }
  }

  /// Whether a key is only held with others.
  private static func isModifier(_ key: KeyEvent) -> Bool {
    switch key.code {
    case .modifier, .capsLock, .numLock, .scrollLock: true
    default: false
    }
  }

  /// Types pasted text into the line that is typed.
  func paste(_ text: String) {
    guard var typed = input, typed.line.field.apply(.insert(text)) else { return }
    typed.line.note = ""
    input = typed
    inputChanged()
    changed()
  }

  // MARK: The pager

  private func handlePager(_ key: KeyEvent) {
    if pager?.handle(key) == true { return }
    switch key.code {
    case .escape, .character(0x71), .function(3), .function(10), .backspace: pager = nil
    case .character(0x2F): begin(.search, "/")
    default: break
    }
  }

  // MARK: The typed line

  /// Begins to type a line.
  func begin(_ kind: InputKind, _ label: String, text: String = "") {
    input = (kind, FilesScreen.Input(label, field: TextField(text)))
  }

  private func handleInput(_ key: KeyEvent, in window: Window) {
    switch key.code {
    case .escape: leaveInput()
    case .enter, .keypad(.enter): submitInput(in: window)
    case .up where input?.kind != .path: model.move(by: -1)
    case .down where input?.kind != .path: model.move(by: 1)
    case .tab where input?.kind == .path: completePath()
    case .tab where input?.kind == .jump: jump(next: true)
    default:
      guard let edit = TextField.Edit(key), var typed = input else { return }
      let isChanged = typed.line.field.apply(edit)
      typed.line.note = ""
      input = typed
      if isChanged { inputChanged() }
    }
  }

  private func inputChanged() {
    guard let input else { return }
    switch input.kind {
    case .filter:
      model.filter(by: input.line.field.text)
      arrange()
    case .jump: jump(next: false)
    case .path, .mark, .unmark, .search, .find: break
    }
  }

  private func jump(next: Bool) {
    guard let text = input?.line.field.text else { return }
    lastJump = text
    if !model.jump(to: text, next: next) { input?.line.note = "no such name" }
  }

  private func leaveInput() {
    if input?.kind == .filter {
      model.filter(by: "")
      arrange()
    }
    input = nil
  }

  private func submitInput(in window: Window) {
    guard let (kind, line) = input else { return }
    let text = line.field.text
    switch kind {
    case .filter, .jump: input = nil
    case .mark, .unmark:
      guard let pattern = FilePattern(text) else {
        input = nil
        return
      }
      let count = model.mark(pattern, isOn: kind == .mark)
      input = nil
      if count == 0 { problem = "Nothing in sight matches \(text)." }
    case .find:
      input = nil
      find(text, in: window)
    case .search:
      if pager?.find(text) == true { input = nil } else { input?.line.note = "not found" }
    case .path:
      guard !text.isEmpty else {
        input = nil
        return
      }
      go(to: text)
    }
  }
}

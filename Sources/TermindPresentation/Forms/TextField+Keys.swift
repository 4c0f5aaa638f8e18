public import TermindScreen

extension TextField.Edit {
  /// The edit that a key means in a text field, as readline and desktop programs have it.
  ///
  /// - Returns: Nil when the key is no edit, such as enter, tab, escape, up and down.
  public init?(_ event: KeyEvent) {
    guard event.kind != .release else { return nil }
    let held = event.modifiers.intersection([.control, .alt, .super, .hyper, .meta])
    switch (event.code, held) {
    case (.left, []): self = .left
    case (.right, []): self = .right
    case (.left, .control), (.left, .alt): self = .wordLeft
    case (.right, .control), (.right, .alt): self = .wordRight
    case (.home, _): self = .home
    case (.end, _): self = .end
    case (.backspace, []): self = .deleteBackward
    case (.backspace, .control), (.backspace, .alt): self = .deleteWordBackward
    case (.delete, []): self = .deleteForward
    case (.delete, .control), (.delete, .alt): self = .deleteWordForward
    case (.character(let scalar), .control):
      guard let edit = Self.control(scalar, event.modifiers) else { return nil }
      self = edit
    case (.character(let scalar), .alt):
      switch scalar {
      case 0x62: self = .wordLeft
      case 0x66: self = .wordRight
      case 0x64: self = .deleteWordForward
      default: return nil
      }
    case (.character, []), (.keypad, []):
      guard let text = Self.typed(event) else { return nil }
      self = .insert(text)
    default: return nil
    }
  }

  private static func control(_ scalar: UInt32, _ modifiers: KeyModifiers) -> TextField.Edit? {
    switch scalar {
    case 0x61: .home
    case 0x65: .end
    case 0x62: .left
    case 0x66: .right
    case 0x64: .deleteForward
    case 0x68: .deleteBackward
    case 0x6B: .deleteToEnd
    case 0x75: .deleteToStart
    case 0x77: .deleteWordBackward
    case 0x5F, 0x2F: .undo
    case 0x7A: modifiers.contains(.shift) ? .redo : .undo
    case 0x79: .redo
    default: nil
    }
  }

  private static func typed(_ event: KeyEvent) -> String? {
    if let text = event.text {
      let isPlain = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
      return isPlain && !text.isEmpty ? text : nil
    }
    guard case .character(let code) = event.code else { return nil }
    let shifted = event.modifiers.contains(.shift) ? event.shifted ?? code : code
    guard shifted >= 0x20, shifted != 0x7F else { return nil }
    return Unicode.Scalar(shifted).map { String(Character($0)) }
  }
}

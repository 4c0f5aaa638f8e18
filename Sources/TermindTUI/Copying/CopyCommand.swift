import TermindPresentation
import TermindScreen
import TermindTerminal

/// What a key means in copy mode.
enum CopyCommand: Hashable {
  /// Moves the cursor.
  case move(TextMotion)
  /// To the upper, middle and lower row of what is shown.
  case viewTop, viewMiddle, viewBottom
  /// Scrolls by rows, by half of what is shown, by all of it; up is positive.
  case scroll(Int), half(Int), page(Int)
  /// To the prompt before or after.
  case promptBack, promptForward
  /// Begins or ends a selection of a kind.
  case select(TextSelection.Kind)
  /// Turns a selection of characters into a rectangle, and back.
  case toggleRectangle
  /// Puts the cursor at the selection's other end.
  case otherEnd
  /// Copies, and leaves unless it keeps; may be put behind what was copied last.
  case copy(keeps: Bool, appends: Bool)
  /// Copies from the cursor to the end of the row, and leaves.
  case copyToEnd
  /// Gives the selection to a program.
  case pipe
  /// Opens Find, or goes on with what was found.
  case find, findOlder, findNewer
  /// Remembers the place, or goes back to it.
  case setMark, goToMark
  /// Waits for the character to go to.
  case awaitCharacter(isForward: Bool, isBeside: Bool)
  /// Goes to the next such character, in the same direction or the other.
  case repeatCharacter(isReversed: Bool)
  /// Shows or hides the numbers of rows.
  case numbers
  /// Gives the selection up, or leaves when there is none.
  case cancel
  /// Leaves.
  case leave
}

/// What the keys of copy mode mean.
extension CopyKeys {
  /// What a key means; nil when it means nothing.
  func command(_ key: KeyEvent) -> CopyCommand? {
    let held = key.modifiers.intersection([.control, .alt, .super])
    if let common = Self.common(key.code, held) { return common }
    guard case .character(let code) = key.code else { return nil }
    // A terminal tells the letter with Shift beside it, or the letter that it makes.
    let scalar = key.modifiers.contains(.shift) ? key.shifted ?? Self.upper(code) : code
    guard let character = Unicode.Scalar(scalar) else { return nil }
    switch self {
    case .vi: return Self.vi(character, held)
    case .emacs: return Self.emacs(character, held)
    }
  }

  private static func upper(_ code: UInt32) -> UInt32 {
    (0x61...0x7A).contains(code) ? code - 0x20 : code
  }

  private static func common(_ code: KeyCode, _ held: KeyModifiers) -> CopyCommand? {
    switch (code, held) {
    case (.left, []), (.backspace, []): .move(.left)
    case (.right, []): .move(.right)
    case (.up, []): .move(.up)
    case (.down, []): .move(.down)
    case (.left, .control): .move(.wordBack(isBig: false))
    case (.right, .control): .move(.wordStart(isBig: false))
    case (.up, .control): .scroll(1)
    case (.down, .control): .scroll(-1)
    case (.up, .alt): .half(1)
    case (.down, .alt): .half(-1)
    case (.home, []): .move(.rowStart)
    case (.end, []): .move(.rowEnd)
    case (.home, .control): .move(.top)
    case (.end, .control): .move(.bottom)
    case (.pageUp, []): .page(1)
    case (.pageDown, []): .page(-1)
    case (.enter, []), (.keypad(.enter), []): .copy(keeps: false, appends: false)
    case (.escape, []): .cancel
    default: nil
    }
  }

  private static func vi(_ character: Unicode.Scalar, _ held: KeyModifiers) -> CopyCommand? {
    if held == .control { return viControl(character) }
    if held == .alt { return character == "x" ? .goToMark : nil }
    guard held.isEmpty else { return nil }
    switch character {
    case "h": return .move(.left)
    case "j": return .move(.down)
    case "k": return .move(.up)
    case "l": return .move(.right)
    case "w": return .move(.wordStart(isBig: false))
    case "W": return .move(.wordStart(isBig: true))
    case "e": return .move(.wordEnd(isBig: false))
    case "E": return .move(.wordEnd(isBig: true))
    case "b": return .move(.wordBack(isBig: false))
    case "B": return .move(.wordBack(isBig: true))
    case "0": return .move(.rowStart)
    case "^": return .move(.firstCharacter)
    case "$": return .move(.rowEnd)
    case "{": return .move(.paragraphBack)
    case "}": return .move(.paragraphForward)
    case "%": return .move(.bracket)
    case "g": return .move(.top)
    case "G": return .move(.bottom)
    case "H": return .viewTop
    case "M": return .viewMiddle
    case "L": return .viewBottom
    case "K": return .scroll(1)
    case "J": return .scroll(-1)
    case "[": return .promptBack
    case "]": return .promptForward
    case "v", " ": return .select(.characters)
    case "V": return .select(.lines)
    case "r": return .toggleRectangle
    case "o": return .otherEnd
    case "y": return .copy(keeps: false, appends: false)
    case "Y": return .copy(keeps: true, appends: false)
    case "A": return .copy(keeps: false, appends: true)
    case "D": return .copyToEnd
    case "|": return .pipe
    case "/", "?": return .find
    case "n": return .findOlder
    case "N": return .findNewer
    case "m", "X": return .setMark
    case "'", "`": return .goToMark
    case "f": return .awaitCharacter(isForward: true, isBeside: false)
    case "F": return .awaitCharacter(isForward: false, isBeside: false)
    case "t": return .awaitCharacter(isForward: true, isBeside: true)
    case "T": return .awaitCharacter(isForward: false, isBeside: true)
    case ";": return .repeatCharacter(isReversed: false)
    case ",": return .repeatCharacter(isReversed: true)
    case "#": return .numbers
    case "q": return .leave
    default: return nil
    }
  }

  private static func viControl(_ character: Unicode.Scalar) -> CopyCommand? {
    switch character {
    case "u": .half(1)
    case "d": .half(-1)
    case "b": .page(1)
    case "f": .page(-1)
    case "y": .scroll(1)
    case "e": .scroll(-1)
    case "v": .select(.rectangle)
    case "h": .move(.left)
    case "j": .copy(keeps: false, appends: false)
    case "c": .leave
    default: nil
    }
  }

  private static func emacs(_ character: Unicode.Scalar, _ held: KeyModifiers) -> CopyCommand? {
    switch (character, held) {
    case ("f", .control): return .move(.right)
    case ("b", .control): return .move(.left)
    case ("n", .control): return .move(.down)
    case ("p", .control): return .move(.up)
    case ("a", .control): return .move(.rowStart)
    case ("e", .control): return .move(.rowEnd)
    case ("m", .alt): return .move(.firstCharacter)
    case ("f", .alt): return .move(.wordEnd(isBig: false))
    case ("b", .alt): return .move(.wordBack(isBig: false))
    case ("F", .alt): return .move(.wordEnd(isBig: true))
    case ("B", .alt): return .move(.wordBack(isBig: true))
    case ("f", [.control, .alt]), ("b", [.control, .alt]): return .move(.bracket)
    case ("{", .alt): return .move(.paragraphBack)
    case ("}", .alt): return .move(.paragraphForward)
    case ("<", .alt): return .move(.top)
    case (">", .alt): return .move(.bottom)
    case ("r", .alt): return .viewMiddle
    case ("R", .alt): return .viewTop
    case ("L", .alt): return .viewBottom
    case ("v", .control), (" ", []): return .page(-1)
    case ("v", .alt): return .page(1)
    case (" ", .control), ("@", .control): return .select(.characters)
    case ("l", .alt): return .select(.lines)
    case ("R", []): return .toggleRectangle
    case ("o", .alt): return .otherEnd
    case ("w", .alt), ("w", .control): return .copy(keeps: false, appends: false)
    case ("c", .alt): return .copy(keeps: true, appends: false)
    case ("a", .alt): return .copy(keeps: false, appends: true)
    case ("k", .control): return .copyToEnd
    case ("|", .alt): return .pipe
    case ("s", .control), ("r", .control): return .find
    case ("n", []): return .findOlder
    case ("N", []): return .findNewer
    case ("X", []): return .setMark
    case ("x", .alt): return .goToMark
    case ("p", .alt): return .promptBack
    case ("n", .alt): return .promptForward
    case ("f", []): return .awaitCharacter(isForward: true, isBeside: false)
    case ("F", []): return .awaitCharacter(isForward: false, isBeside: false)
    case ("t", []): return .awaitCharacter(isForward: true, isBeside: true)
    case ("T", []): return .awaitCharacter(isForward: false, isBeside: true)
    case (";", []): return .repeatCharacter(isReversed: false)
    case (",", []): return .repeatCharacter(isReversed: true)
    case ("#", []): return .numbers
    case ("g", .control): return .cancel
    case ("q", []), ("c", .control): return .leave
    default: return nil
    }
  }
}

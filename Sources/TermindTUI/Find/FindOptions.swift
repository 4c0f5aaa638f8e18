import TermindPresentation
import TermindScreen
import TermindTerminal

/// How a text is looked for, beside the text.
struct FindOptions: Hashable {
  var caseRule = FindQuery.CaseRule.smart
  var isWholeWord = false
  var isRegex = false

  /// The query for a text.
  func query(_ text: String) -> FindQuery {
    FindQuery(text, caseRule: caseRule, isWholeWord: isWholeWord, isRegex: isRegex)
  }

  /// Takes a key that changes a choice.
  ///
  /// - Returns: Whether it was one.
  mutating func handle(_ key: KeyEvent) -> Bool {
    guard key.modifiers.intersection([.control, .alt, .super]) == .alt else { return false }
    switch key.code {
    case .character(0x63): caseRule = caseRule.next
    case .character(0x77): isWholeWord.toggle()
    case .character(0x72): isRegex.toggle()
    default: return false
    }
    return true
  }

  /// The choices as the bar shows them.
  var toggles: [FindBar.Toggle] {
    [
      FindBar.Toggle(caseRule.sign, isOn: caseRule != .smart),
      FindBar.Toggle("W", isOn: isWholeWord), FindBar.Toggle(".*", isOn: isRegex),
    ]
  }

  /// The keys of the choices.
  static let hints = [
    KeyHint("alt+c", "case"), KeyHint("alt+w", "whole word"), KeyHint("alt+r", "regex"),
  ]
}

extension FindQuery.CaseRule {
  fileprivate var next: FindQuery.CaseRule {
    switch self {
    case .smart: .exact
    case .exact: .ignored
    case .ignored: .smart
    }
  }

  /// Smart case, case that counts, case that does not.
  fileprivate var sign: String {
    switch self {
    case .smart: "aA?"
    case .exact: "aA"
    case .ignored: "aa"
    }
  }
}

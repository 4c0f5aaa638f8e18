public import TermindDomain

extension ErrorText {
  /// What is wrong with a field, in one sentence that stands under it.
  public static func sentence(_ problem: FieldProblem) -> String {
    switch problem {
    case .empty: "This must not be empty."
    case .blankAtEnds: "There are blanks at its beginning or end."
    case .invisibleCharacters: "There are characters in it that cannot be seen."
    case .tooLong(let limit): "This is longer than \(limit) bytes."
    case .tooMany(let limit): "There are more than \(limit)."
    case .notInRange(let range):
      "A number from \(range.lowerBound) to \(range.upperBound) is needed."
    case .target(let error): capital(clause(error)) + "."
    case .notAbsolute: "The path must begin with / or ~/."
    case .duplicate(let text):
      text.isEmpty ? "One stands there twice." : "\(quoted(text)) stands there twice."
    case .taken: "Another one has this name."
    case .invalidName(let text): "\(quoted(text)) is no name that can be used here."
    case .missing: "What is named here was deleted."
    case .cycle(let names):
      "The way leads in a circle: "
        + names.prefix(9).map { plain($0) }.joined(separator: " › ") + "."
    }
  }

  /// A text that came from elsewhere, made safe to stand in a sentence.
  public static func shown(_ text: String) -> String { plain(text) }

  private static func capital(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst()
  }
}

public import TermindDomain

extension Form {
  /// Asks for what has to be filled into a snippet; its standard values stand there already.
  ///
  /// - Parameters:
  ///   - snippet: The snippet.
  ///   - lines: What is said above the fields.
  ///   - verb: What Enter does.
  /// - Returns: The form, one field a place.
  public static func filling(_ snippet: SnippetRecord, lines: [String] = [], verb: String) -> Form {
    Form(
      title: snippet.name,
      lines: lines,
      rows: snippet.placeholders.map { Row($0.name, text: $0.standard) },
      hints: [KeyHint("enter", verb), KeyHint("esc", "close")]
    )
  }
}

public import TermindDomain

extension Form {
  /// Asks for what has to be filled into a snippet; its standard values stand there already.
  ///
  /// - Parameters:
  ///   - snippet: The snippet.
  ///   - lines: What is said above the fields.
  ///   - more: Fields below those of the places.
  ///   - mayBeEmpty: Whether a place without a standard value may be left empty.
  ///   - verb: What Enter does in the last field.
  /// - Returns: The form, one field a place.
  public static func filling(
    _ snippet: SnippetRecord,
    lines: [String] = [],
    and more: [Row] = [],
    mayBeEmpty: Bool = false,
    verb: String
  ) -> Form {
    let rows = snippet.placeholders.map { row($0, isRequired: !mayBeEmpty) } + more
    var hints = [
      KeyHint("enter", rows.count > 1 ? "next, then \(verb)" : verb), KeyHint("esc", "close"),
    ]
    if rows.contains(where: { !$0.choices.isEmpty }) {
      hints.insert(KeyHint("←→", "choose"), at: 1)
    }
    return Form(title: snippet.name, lines: lines, rows: rows, hints: hints)
  }

  /// A field with the standard value, or with the choices.
  private static func row(_ place: SnippetPlaceholder, isRequired: Bool) -> Row {
    Row(
      place.name,
      text: place.standard,
      choices: place.choices,
      // An empty value is a wish where the standard is one that was taken out.
      isRequired: isRequired && place.standard.isEmpty
    )
  }
}

public import TermindDomain

extension Form {
  /// Asks for what has to be filled into a snippet; its standard values stand there already.
  ///
  /// - Parameters:
  ///   - snippet: The snippet.
  ///   - lines: What is said above the fields.
  ///   - more: Fields below those of the places.
  ///   - verb: What Enter does in the last field.
  /// - Returns: The form, one field a place.
  public static func filling(
    _ snippet: SnippetRecord,
    lines: [String] = [],
    and more: [Row] = [],
    verb: String
  ) -> Form {
    let rows = snippet.placeholders.map(row) + more
    return Form(
      title: snippet.name,
      lines: lines,
      rows: rows,
      hints: [
        KeyHint("enter", rows.count > 1 ? "next, then \(verb)" : verb), KeyHint("esc", "close"),
      ]
    )
  }

  /// A field with the standard value, and the choices beside its name.
  private static func row(_ place: SnippetPlaceholder) -> Row {
    let choices = place.choices.joined(separator: "|")
    return Row(choices.isEmpty ? place.name : "\(place.name) (\(choices))", text: place.standard)
  }
}

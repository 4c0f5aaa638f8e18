import TermindDomain
import TermindPresentation

/// The fields of a snippet's places.
enum SnippetForm {
  /// A field with the standard value, and the choices beside its name.
  static func row(_ place: SnippetPlaceholder) -> Form.Row {
    let choices = place.choices.joined(separator: "|")
    let label = choices.isEmpty ? place.name : "\(place.name) (\(choices))"
    return Form.Row(label, text: place.standard)
  }

  /// What is wrong with what was typed.
  static func problem(_ places: [SnippetPlaceholder], _ texts: [String]) -> String? {
    for (place, text) in zip(places, texts) {
      if let problem = place.problem(of: text) { return problem }
    }
    return nil
  }

  /// The values by the names of their places.
  static func values(_ places: [SnippetPlaceholder], _ texts: [String]) -> [String: String] {
    Dictionary(zip(places.map(\.name), texts), uniquingKeysWith: { first, _ in first })
  }
}

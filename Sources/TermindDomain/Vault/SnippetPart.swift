/// A place in a snippet that is filled in before it is sent.
public struct SnippetPlaceholder: Hashable, Sendable {
  /// What it is called: letters, digits, `_` and `-`, not beginning with a digit or dash.
  public let name: String
  /// What it is filled with unless the person says otherwise.
  public let standard: String
  /// What it may be filled with; empty for anything.
  public let choices: [String]

  /// Makes a placeholder.
  public init(name: String, standard: String = "", choices: [String] = []) {
    self.name = name
    self.standard = standard
    self.choices = choices
  }

  /// What is wrong with a value; nil when it may be used.
  public func problem(of value: String) -> String? {
    guard !choices.isEmpty, !choices.contains(value) else { return nil }
    return "\(name) is one of: \(choices.joined(separator: ", "))."
  }
}

/// A piece of a snippet.
///
/// A placeholder is written `{{name}}`, `{{name=standard value}}` or `{{name:one|two|three}}`, where the first of the
/// choices is the standard; `\{{` writes two braces. Braces
/// around anything else, such as `{{.Names}}` of other programs' templates, stay as they are.
public enum SnippetPart: Hashable, Sendable {
  /// Sent as it is.
  case text(String)
  /// Filled in.
  case placeholder(SnippetPlaceholder)

  /// Takes a text apart.
  public static func parts(of text: String) -> [SnippetPart] {
    var parts: [SnippetPart] = []
    var literal = ""
    var rest = text[...]
    while let open = rest.firstRange(of: "{{") {
      let before = rest[..<open.lowerBound]
      let inside = rest[open.upperBound...]
      if before.unicodeScalars.last == "\\" {
        literal.unicodeScalars.append(contentsOf: before.unicodeScalars.dropLast())
        literal += "{{"
        rest = inside
        continue
      }
      literal += before
      guard let close = inside.firstRange(of: "}}"),
        let placeholder = placeholder(inside[..<close.lowerBound])
      else {
        literal += "{{"
        rest = inside
        continue
      }
      if !literal.isEmpty { parts.append(.text(literal)) }
      literal = ""
      parts.append(.placeholder(placeholder))
      rest = inside[close.upperBound...]
    }
    literal += rest
    if !literal.isEmpty { parts.append(.text(literal)) }
    return parts
  }

  private static func placeholder(_ text: Substring) -> SnippetPlaceholder? {
    if let choice = choice(text) { return choice }
    let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(halves[0]).trimmed
    guard SnippetPlaceholder.isValidName(name), text.allSatisfy({ !$0.isNewline }) else {
      return nil
    }
    return SnippetPlaceholder(name: name, standard: halves.count > 1 ? String(halves[1]) : "")
  }
}

extension SnippetPart {
  /// A placeholder with at least two choices.
  private static func choice(_ text: Substring) -> SnippetPlaceholder? {
    let halves = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2, text.allSatisfy({ !$0.isNewline }) else { return nil }
    let name = String(halves[0]).trimmed
    let choices = halves[1].split(separator: "|").map { String($0).trimmed }
    guard SnippetPlaceholder.isValidName(name), choices.count > 1,
      choices.allSatisfy({ !$0.isEmpty })
    else { return nil }
    return SnippetPlaceholder(name: name, standard: choices[0], choices: choices)
  }
}

extension SnippetPlaceholder {
  /// Places with each name once, in order; the first standard value given counts.
  public static func merged(_ places: some Sequence<SnippetPlaceholder>) -> [SnippetPlaceholder] {
    var result: [SnippetPlaceholder] = []
    var indices: [String: Int] = [:]
    for place in places {
      if let index = indices[place.name] {
        if result[index].standard.isEmpty { result[index] = place }
      } else {
        indices[place.name] = result.count
        result.append(place)
      }
    }
    return result
  }

  static func isValidName(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, first == "_" || first.properties.isAlphabetic
    else { return false }
    return name.unicodeScalars.allSatisfy { scalar in
      scalar == "_" || scalar == "-" || scalar.properties.isAlphabetic
        || (scalar.isASCII && (0x30...0x39).contains(scalar.value))
    }
  }
}

extension SnippetRecord {
  /// The places to fill in, each name once, in order; the first standard value given counts.
  public var placeholders: [SnippetPlaceholder] {
    SnippetPlaceholder.merged(
      parts.compactMap { part in
        if case .placeholder(let place) = part { place } else { nil }
      }
    )
  }

  /// The text to send.
  ///
  /// - Parameter values: What the person gave by placeholder name, put in exactly; a place that is
  ///   missing there gets its standard value.
  /// - Returns: The text without placeholders.
  public func filled(with values: [String: String]) -> String {
    let standards = Dictionary(
      placeholders.map { ($0.name, $0.standard) },
      uniquingKeysWith: { first, _ in first }
    )
    return parts.map { part in
      switch part {
      case .text(let text): text
      case .placeholder(let place): values[place.name] ?? standards[place.name] ?? ""
      }
    }.joined()
  }

  /// What is wrong with values for the places, in the order of `placeholders`; nil when nothing is.
  public func problem(of values: [String]) -> String? {
    for (place, value) in zip(placeholders, values) {
      if let problem = place.problem(of: value) { return problem }
    }
    return nil
  }

  /// The text to send, with one value a place in the order of `placeholders`.
  public func filled(inOrder values: [String]) -> String {
    let names = placeholders.map(\.name)
    return filled(with: Dictionary(zip(names, values), uniquingKeysWith: { first, _ in first }))
  }
}

/// A text to send to terminals, with places to fill in.
public struct SnippetRecord: Hashable, Sendable, Identifiable {
  /// Its identity; kept when everything else changes.
  public let id: SnippetID
  /// The name in lists; need not be unique.
  ///
  /// Empty until it is saved means `defaultName`.
  public var name: String
  /// What is sent; any number of lines, kept exactly.
  public var text: String
  /// Words to find and group it by, each once, in the person's order.
  public var tags: [String]
  /// When it was made and changed; the store sets it.
  public var times: RecordTimes

  /// Makes a record.
  public init(
    id: SnippetID = SnippetID(),
    name: String = "",
    text: String,
    tags: [String] = [],
    times: RecordTimes = .unsaved
  ) {
    self.id = id
    self.name = name
    self.text = text
    self.tags = tags
    self.times = times
  }

  /// The longest name that is made of the text, in characters.
  public static let maximumDefaultNameLength = 60

  /// The name that stands in for an empty one, and is stored then: the first line that is not blank.
  public var defaultName: String {
    let line = text.split(whereSeparator: \.isNewline).lazy
      .map { SingleLine.normalised(String($0)).trimmed }
      .first { !$0.isEmpty }
    return String((line ?? "").prefix(Self.maximumDefaultNameLength)).trimmed
  }

  /// The text taken apart at its places to fill in.
  public var parts: [SnippetPart] { SnippetPart.parts(of: text) }
}

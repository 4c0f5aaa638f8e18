public import TermindDomain

/// The form of a snippet.
public struct SnippetEditor: Sendable {
  /// The snippet as it was when the editor opened.
  public let original: SnippetRecord
  /// Whether it is not saved yet.
  public let isNew: Bool
  /// The fields.
  public var form: RecordForm
  private var isStrict = false
  private var places: SnippetPlaces

  /// Opens the form.
  public init(_ snippet: SnippetRecord, isNew: Bool = false, contents: VaultContents) {
    original = snippet
    self.isNew = isNew
    let users = contents.hosts.filter { $0.startupSnippet == snippet.id }.map(\.name)
    var fields: [FormField] = [
      .text("name", "Name", snippet.name, hint: snippet.defaultName),
      .text("tags", "Tags", FieldText.text(ofTags: snippet.tags), hint: "none"),
      FormField(
        "text",
        "Text",
        .area(TextArea(snippet.text), rows: 8),
        hint: "what is typed into the terminal",
        help: "{{name}} or {{name=standard}} is asked for before it is sent."
      ),
      FormField("places", "Asks for", .info("")),
    ]
    if !users.isEmpty {
      fields.append(FormField("users", "Run first by", .info(NameList.text(users, none: ""))))
    }
    form = RecordForm(title: isNew ? "New snippet" : snippet.name, fields: fields)
    places = SnippetPlaces()
    showPlaces()
  }

  /// The record of what is typed.
  public var record: SnippetRecord {
    var record = heading
    if form.isChanged("text") { record.text = form.text("text") }
    return record
  }

  /// The record with the text of the original.
  private var heading: SnippetRecord {
    var record = original
    if form.isChanged("name") { record.name = form.text("name").trimmed }
    if form.isChanged("tags") { record.tags = FieldText.tags(form.text("tags")) }
    return record
  }

  /// Whether it may be saved; what is wrong is shown in the fields from now on.
  public mutating func check() -> Bool {
    isStrict = true
    changed()
    if let problem = form.firstProblem { form.focus(problem.id) }
    return form.firstProblem == nil
  }

  /// Adopts a change of a field; of a long text only what has changed is read.
  public mutating func changed() {
    var record = heading
    // The first line that says something stands for the text: its name comes from there.
    if let area = form.area("text") { record.text = Self.beginning(of: area) }
    form["name"]?.hint = record.defaultName.isEmpty ? "the first line" : record.defaultName
    for index in form.fields.indices { form.fields[index].problem = "" }
    for error in record.problems() {
      if case .empty = error.problem, !isStrict { continue }
      form[error.field.rawValue]?.problem = ErrorText.sentence(error.problem)
    }
    showPlaces()
  }

  /// The most lines that are looked through for a name while one types.
  private static let namingLines = 200

  private static func beginning(of area: TextArea) -> String {
    guard !area.isEmpty else { return "" }
    for number in 0..<min(area.lineCount, namingLines) {
      let line = area.text(line: number)
      if line.contains(where: { !$0.isWhitespace }) { return line }
    }
    return "\n"
  }

  private mutating func showPlaces() {
    guard let area = form.area("text") else { return }
    places.follow(area)
    let texts = places.all.map { place in
      place.standard.isEmpty ? place.name : "\(place.name) (\(place.standard))"
    }
    form.setInfo("places", NameList.text(texts, none: "nothing"))
  }
}

/// The places to fill in of a text that is edited, line by line: a place never goes over a line's end.
private struct SnippetPlaces: Sendable {
  private var seen: (revision: Int, byteCount: Int)?
  private var found: [(line: Int, places: [SnippetPlaceholder])] = []

  /// The places, each name once, in order; the first standard value given counts.
  var all: [SnippetPlaceholder] { SnippetPlaceholder.merged(found.lazy.flatMap(\.places)) }

  /// Reads the lines that have changed since the last time.
  mutating func follow(_ area: TextArea) {
    if let seen, seen == (area.revision, area.byteCount) { return }
    if let seen, area.revision == seen.revision + 1 {
      let (old, new) = (area.lastChange.old, area.lastChange.new)
      let before = found.prefix { $0.line < old.lowerBound }
      let after = found.drop { $0.line < old.upperBound }
        .map { (line: $0.line + new.count - old.count, places: $0.places) }
      found = before + Self.places(area, new) + after
    } else {
      found = Self.places(area, 0..<area.lineCount)
    }
    seen = (area.revision, area.byteCount)
  }

  private static func places(
    _ area: TextArea,
    _ lines: Range<Int>
  ) -> [(line: Int, places: [SnippetPlaceholder])] {
    lines.compactMap { number in
      let line = area.text(line: number)
      guard line.utf8.contains(UInt8(ascii: "{")) else { return nil }
      let places = SnippetRecord(text: line).placeholders
      return places.isEmpty ? nil : (number, places)
    }
  }
}

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
    showPlaces()
  }

  /// The record of what is typed.
  public var record: SnippetRecord {
    var record = original
    if form.isChanged("name") { record.name = form.text("name").trimmed }
    if form.isChanged("text") { record.text = form.text("text") }
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

  /// Adopts a change of a field.
  public mutating func changed() {
    let record = record
    form["name"]?.hint = record.defaultName.isEmpty ? "the first line" : record.defaultName
    for index in form.fields.indices { form.fields[index].problem = "" }
    for error in record.problems() {
      if case .empty = error.problem, !isStrict { continue }
      form[error.field.rawValue]?.problem = ErrorText.sentence(error.problem)
    }
    showPlaces()
  }

  private mutating func showPlaces() {
    let places = record.placeholders.map { place in
      place.standard.isEmpty ? place.name : "\(place.name) (\(place.standard))"
    }
    form.setInfo("places", NameList.text(places, none: "nothing"))
  }
}

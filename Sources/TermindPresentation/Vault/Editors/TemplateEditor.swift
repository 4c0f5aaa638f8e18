public import TermindDomain

/// The form of a workspace template: its name, and what it opens.
public struct TemplateEditor: Sendable {
  /// The template as it was when the editor opened.
  public let original: WorkspaceTemplate
  /// The fields.
  public var form: RecordForm
  private let context: VaultContext

  /// Opens the form.
  public init(_ template: WorkspaceTemplate, contents: VaultContents) {
    original = template
    context = VaultContext(templates: contents.templates)
    var fields: [FormField] = [.text("name", "Name", template.name)]
    for (index, pane) in template.contents.enumerated() {
      let label = index == 0 ? "Panes" : ""
      let text = "\(index + 1)  \(contents.name(of: pane))"
      fields.append(FormField("pane \(index)", label, .info(text)))
    }
    form = RecordForm(title: template.name, fields: fields)
  }

  /// The record of what is typed.
  public var record: WorkspaceTemplate {
    var record = original
    if form.isChanged("name") { record.name = form.text("name").trimmed }
    return record
  }

  /// Adopts a change of a field, and tells whether the template may be saved.
  @discardableResult public mutating func check() -> Bool {
    let problem = record.nameProblem(in: context)
    form["name"]?.problem = problem.map { ErrorText.sentence($0) } ?? ""
    return problem == nil
  }
}

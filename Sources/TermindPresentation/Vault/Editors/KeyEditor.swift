public import TermindDomain

/// The form of a key: its name and comment, and what is known of it.
public struct KeyEditor: Sendable {
  /// The key as it was when the editor opened.
  public let original: KeyRecord
  /// The fields.
  public var form: RecordForm

  /// Opens the form.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - contents: The vault.
  ///   - certificate: What its certificate says, one line each; empty when it has none.
  public init(_ key: KeyRecord, contents: VaultContents, certificate: [String] = []) {
    original = key
    let users = contents.identities.filter { $0.keys.contains(key.id) }.map(\.name)
    var place: String
    switch key.location {
    case .file(let path): place = path
    case .secret: place = "in the secret store"
    case .agent: place = "held by the agent"
    }
    if key.passphrase != nil { place += ", with its passphrase in the secret store" }
    var fields: [FormField] = [
      .text("name", "Name", key.name, hint: key.defaultName),
      .text("comment", "Comment", key.comment, hint: "none"),
      FormField("type", "Type", .info(KeyRecord.algorithmName(key.algorithm))),
      FormField("fingerprint", "Fingerprint", .info(key.fingerprint)),
      FormField("place", "Private part", .info(place)),
    ]
    for (index, line) in certificate.enumerated() {
      let label = index == 0 ? "Certificate" : ""
      fields.append(FormField("certificate \(index)", label, .info(line)))
    }
    fields.append(
      FormField("users", "Used by", .info(NameList.text(users, none: "no identity yet")))
    )
    form = RecordForm(title: key.name, fields: fields)
  }

  /// The record of what is typed.
  public var record: KeyRecord {
    var record = original
    if form.isChanged("name") { record.name = form.text("name").trimmed }
    if form.isChanged("comment") { record.comment = form.text("comment").trimmed }
    return record
  }

  /// Adopts a change of a field, and tells whether the key may be saved.
  @discardableResult public mutating func check() -> Bool {
    let record = record
    form["name"]?.hint = record.defaultName
    for index in form.fields.indices { form.fields[index].problem = "" }
    for error in record.problems() {
      form[error.field.rawValue]?.problem = ErrorText.sentence(error.problem)
    }
    return form.firstProblem == nil
  }
}

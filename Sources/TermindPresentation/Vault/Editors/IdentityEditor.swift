public import TermindDomain

/// The form of an identity.
public struct IdentityEditor: Sendable {
  /// What becomes of the password.
  public enum Password: Hashable, Sendable {
    /// It stays as it is.
    case kept
    /// The typed one takes its place.
    case typed(SecretBytes)
    /// It is forgotten.
    case removed
  }

  /// The identity as it was when the editor opened.
  public let original: IdentityRecord
  /// Whether it is not saved yet.
  public let isNew: Bool
  /// The fields.
  public var form: RecordForm
  /// The keys, in the order in which they are offered.
  public private(set) var keys: [KeyID]
  private var isPasswordRemoved = false
  private var isStrict = false
  private let contents: VaultContents

  /// Opens the form.
  public init(_ identity: IdentityRecord, isNew: Bool = false, contents: VaultContents) {
    original = identity
    self.isNew = isNew
    self.contents = contents
    keys = identity.keys
    let users = contents.hosts.filter { $0.identity == identity.id }.map(\.name)
    var fields: [FormField] = [
      .text("name", "Name", identity.name, hint: identity.defaultName),
      .text("username", "User", identity.username, hint: "your own user name"),
      .text(
        "password",
        "Password",
        "",
        hint: identity.password == nil ? "none" : "•••••••• (kept)",
        help: "Kept in the secret store, never in the vault.",
        isSecret: true
      ),
    ]
    if identity.password != nil {
      fields.append(FormField("forget", "", .button, hint: "Forget the password"))
    }
    fields += [
      FormField(
        "keys",
        "Keys",
        .picks(identity.keys.map { contents.key($0)?.name ?? "deleted key" }),
        hint: "none",
        help: "Enter adds a key, backspace removes the last one; they are offered in this order."
      ),
      FormField("usesAgent", "Use agent", .toggle(identity.usesAgent)),
    ]
    if !isNew {
      fields.append(
        FormField("users", "Used by", .info(NameList.text(users, none: "no host yet")))
      )
    }
    form = RecordForm(title: isNew ? "New identity" : identity.name, fields: fields)
  }

  /// The same form, ready to be edited.
  public func editing() -> IdentityEditor {
    var editor = self
    editor.form.isEditing = true
    editor.changed()
    return editor
  }

  /// The record of what is typed, with the password that the original has.
  public var record: IdentityRecord {
    var record = original
    if form.isChanged("name") { record.name = form.text("name").trimmed }
    if form.isChanged("username") { record.username = form.text("username").trimmed }
    record.keys = keys
    record.usesAgent = form["usesAgent"]?.isOn ?? record.usesAgent
    return record
  }

  /// What becomes of the password.
  public var password: Password {
    if case .text(let field) = form["password"]?.value, !field.isEmpty {
      return .typed(field.answer)
    }
    return isPasswordRemoved ? .removed : .kept
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
    if let left = form["keys"]?.names.count, left < keys.count {
      keys.removeLast(keys.count - left)
    }
    let record = record
    form["name"]?.hint = record.defaultName.isEmpty ? "the user" : record.defaultName
    for index in form.fields.indices { form.fields[index].problem = "" }
    let context = VaultContext(keys: contents.keys)
    for error in record.problems(in: context) {
      if case .empty = error.problem, !isStrict { continue }
      form[error.field.rawValue]?.problem = ErrorText.sentence(error.problem)
    }
  }

  /// Takes other keys.
  public mutating func setKeys(_ keys: [KeyID]) {
    self.keys = keys
    form["keys"]?.value = .picks(keys.map { contents.key($0)?.name ?? "deleted key" })
    changed()
  }

  /// Forgets the password when the identity is saved.
  public mutating func forgetPassword() {
    isPasswordRemoved = true
    form["password"]?.value = .text(TextField(isSecret: true))
    form["password"]?.hint = "none (forgotten when saved)"
  }

  /// Whether anything differs from the saved identity.
  public var isChanged: Bool { form.isChanged || password != .kept || keys != original.keys }
}

/// Names in a sentence.
enum NameList {
  /// The first names, and how many more there are.
  static func text(_ names: [String], none: String, limit: Int = 6) -> String {
    guard !names.isEmpty else { return none }
    let shown = names.prefix(limit).joined(separator: ", ")
    let more = names.count - limit
    return more > 0 ? "\(shown) and \(more) more" : shown
  }
}

import TermindScreen

/// The form of the record that is shown beside a list, or edited.
public enum VaultEditor: Sendable {
  /// A host.
  case host(HostEditor)
  /// An identity.
  case identity(IdentityEditor)
  /// A key.
  case key(KeyEditor)
  /// A snippet.
  case snippet(SnippetEditor)
  /// A template.
  case template(TemplateEditor)
  /// Something to read only.
  case details(RecordForm)

  /// The fields.
  public var form: RecordForm {
    get {
      switch self {
      case .host(let editor): editor.form
      case .identity(let editor): editor.form
      case .key(let editor): editor.form
      case .snippet(let editor): editor.form
      case .template(let editor): editor.form
      case .details(let form): form
      }
    }
    set {
      switch self {
      case .host(var editor):
        editor.form = newValue
        self = .host(editor)
      case .identity(var editor):
        editor.form = newValue
        self = .identity(editor)
      case .key(var editor):
        editor.form = newValue
        self = .key(editor)
      case .snippet(var editor):
        editor.form = newValue
        self = .snippet(editor)
      case .template(var editor):
        editor.form = newValue
        self = .template(editor)
      case .details: self = .details(newValue)
      }
    }
  }

  /// Whether it can be edited.
  public var isEditable: Bool {
    if case .details = self { return false }
    return true
  }

  /// The same form, ready to be edited.
  public func editing() -> VaultEditor {
    switch self {
    case .host(let editor): return .host(editor.editing())
    case .identity(let editor): return .identity(editor.editing())
    case .details: return self
    case .key, .snippet, .template:
      var copy = self
      copy.form.isEditing = true
      copy.changed()
      return copy
    }
  }

  /// Adopts a change of a field.
  public mutating func changed() {
    switch self {
    case .host(var editor):
      editor.changed()
      self = .host(editor)
    case .identity(var editor):
      editor.changed()
      self = .identity(editor)
    case .key(var editor):
      editor.check()
      self = .key(editor)
    case .snippet(var editor):
      editor.changed()
      self = .snippet(editor)
    case .template(var editor):
      editor.check()
      self = .template(editor)
    case .details: break
    }
  }

  /// Whether it may be saved; what is wrong is shown in the fields from now on.
  public mutating func check() -> Bool {
    switch self {
    case .host(var editor):
      defer { self = .host(editor) }
      return editor.check()
    case .identity(var editor):
      defer { self = .identity(editor) }
      return editor.check()
    case .key(var editor):
      defer { self = .key(editor) }
      return editor.check()
    case .snippet(var editor):
      defer { self = .snippet(editor) }
      return editor.check()
    case .template(var editor):
      defer { self = .template(editor) }
      return editor.check()
    case .details: return false
    }
  }

  /// Whether anything was changed.
  public var isChanged: Bool {
    if case .identity(let editor) = self { return editor.isChanged }
    return form.isChanged
  }

  /// The keys while it is edited.
  public var bindings: [VaultBinding] {
    var all = [
      VaultBinding(.save, "ctrl+s", "save"), VaultBinding(.cancel, "esc", "leave", code: .escape),
      VaultBinding(.nextField, "tab", "next field", code: .tab),
    ]
    if case .host = self { all.append(VaultBinding(.test, "ctrl+t", "test connection")) }
    return all
  }
}

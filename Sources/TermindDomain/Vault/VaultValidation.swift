/// The fields of an identity.
public enum IdentityField: String, Hashable, Sendable, CaseIterable {
  /// `name`.
  case name
  /// `username`.
  case username
  /// `password`; what is wrong with a secret is the secret store's matter.
  case password
  /// `keys`.
  case keys
  /// `usesAgent`.
  case usesAgent
}

extension IdentityRecord {
  /// Everything that keeps the record from being saved, by field.
  public func problems(in context: VaultContext = VaultContext()) -> [FieldError<IdentityField>] {
    IdentityField.allCases.compactMap { field in
      problem(of: field, in: context).map { FieldError(field, $0) }
    }
  }

  /// What is wrong with one field, nil when it may be saved.
  public func problem(of field: IdentityField, in context: VaultContext) -> FieldProblem? {
    switch field {
    case .name:
      // Without both there is nothing to call it by.
      return name.isEmpty
        ? (username.isEmpty ? .empty : nil) : FieldRules.problem(ofName: name)
    case .username: return FieldRules.problem(ofUsername: username)
    case .keys:
      if keys.contains(where: { !context.keys.contains($0) }) { return .missing }
      return Set(keys).count == keys.count ? nil : .duplicate("")
    case .password, .usesAgent: return nil
    }
  }
}

/// The fields of a key that a person edits.
public enum KeyField: String, Hashable, Sendable, CaseIterable {
  /// `name`.
  case name
  /// `algorithm`.
  case algorithm
  /// `comment`.
  case comment
  /// `publicKey`.
  case publicKey
  /// `location`, when it is a file.
  case location
}

extension KeyRecord {
  /// Everything that keeps the record from being saved, by field.
  public func problems() -> [FieldError<KeyField>] {
    KeyField.allCases.compactMap { field in problem(of: field).map { FieldError(field, $0) } }
  }

  /// What is wrong with one field, nil when it may be saved.
  public func problem(of field: KeyField) -> FieldProblem? {
    switch field {
    case .name: name.isEmpty ? nil : FieldRules.problem(ofName: name)
    case .algorithm: FieldRules.problem(ofName: algorithm)
    case .comment: FieldRules.problem(ofLine: comment)
    case .publicKey: publicKey.isEmpty ? .empty : nil
    case .location:
      if case .file(let path) = location { FieldRules.problem(ofPath: path) } else { nil }
    }
  }
}

/// The fields of a snippet.
public enum SnippetField: String, Hashable, Sendable, CaseIterable {
  /// `name`.
  case name
  /// `text`.
  case text
  /// `tags`.
  case tags
}

extension SnippetRecord {
  /// Everything that keeps the record from being saved, by field.
  public func problems() -> [FieldError<SnippetField>] {
    SnippetField.allCases.compactMap { field in problem(of: field).map { FieldError(field, $0) } }
  }

  /// What is wrong with one field, nil when it may be saved.
  public func problem(of field: SnippetField) -> FieldProblem? {
    switch field {
    case .name:
      name.isEmpty
        ? (defaultName.isEmpty && !text.isEmpty ? .empty : nil) : FieldRules.problem(ofName: name)
    case .text: text.isEmpty ? .empty : FieldRules.problem(ofText: text)
    case .tags: FieldRules.problem(ofTags: tags)
    }
  }
}

extension WorkspaceTemplate {
  /// What is wrong with its name, nil when it may be saved.
  public func nameProblem(in context: VaultContext = VaultContext()) -> FieldProblem? {
    if let problem = FieldRules.problem(ofName: name) { return problem }
    return context.templateNames[name].map { $0 == id } ?? true ? nil : .taken
  }
}

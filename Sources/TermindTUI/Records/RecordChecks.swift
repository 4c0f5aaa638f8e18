import TermindApplication
import TermindDomain
import TermindPresentation

extension VaultBatch {
  /// Refuses what may not be saved, with every problem of the first record that has one.
  nonisolated func check(in vault: VaultSnapshot) throws(ControlError) {
    // Hosts that are changed together may jump through each other.
    let context = vault.context.saving(hosts)
    for host in hosts {
      try Self.check(
        host.name,
        host.problems(in: context).map { ($0.field.optionName, $0.problem) }
      )
    }
    for identity in identities {
      let problems = identity.problems(in: context)
      try Self.check(identity.name, problems.map { ($0.field.rawValue, $0.problem) })
    }
    for key in keys {
      try Self.check(key.name, key.problems().map { ($0.field.rawValue, $0.problem) })
    }
    for snippet in snippets {
      try Self.check(snippet.name, snippet.problems().map { ($0.field.rawValue, $0.problem) })
    }
    for template in templates {
      try Self.check(template.name, template.nameProblem(in: context).map { [("name", $0)] } ?? [])
    }
  }

  private nonisolated static func check(_ name: String, _ problems: [(String, FieldProblem)])
    throws(ControlError)
  {
    guard !problems.isEmpty else { return }
    if problems.contains(where: { $0.1 == .taken }) {
      throw ControlError(.conflict, "Another record has the name '\(name)'.")
    }
    let texts = problems.map { "\($0.0) \(ImportWords.text($0.1))" }
    throw ControlError(.invalid, "Nothing was saved: \(texts.joined(separator: "; ")).")
  }
}

extension HostField {
  /// The option that sets the field.
  nonisolated var optionName: String {
    switch self {
    case .connectionProtocol: "protocol"
    case .username: "user"
    case .keyFiles: "key-file"
    case .usesAgent: "agent"
    case .jumps: "jump"
    case .tags: "tag"
    case .shellIntegration: "shell-integration"
    case .startDirectory: "directory"
    case .startupSnippet: "snippet"
    case .environment: "env"
    case .keepAlive: "keepalive"
    case .notes: "note"
    case .isPinned: "pinned"
    case .oldAlgorithms: "old-algorithms"
    case .name, .address, .port, .identity, .color, .theme, .engine, .clipboard, .recording:
      rawValue
    }
  }
}

extension ControlError {
  /// Says why the store did not do it.
  nonisolated init(_ error: StoreError) {
    let text = ErrorText.text(of: error)
    switch error {
    case .nameTaken, .alreadyThere, .conflict: self.init(.conflict, text)
    case .missingReference: self.init(.invalid, text)
    case .notFound: self.init(.notFound, text)
    case .cannotOpen, .corrupt, .newerSchema, .locked, .notWritable, .diskFull:
      self.init(.store, text)
    case .failed: self.init(.failed, text)
    }
  }
}

import TermindApplication
import TermindDomain

extension IdentityRecord {
  /// Takes a change of the command line; the password is no field of it.
  nonisolated mutating func apply(_ change: RecordChange, in vault: VaultSnapshot)
    throws(ControlError)
  {
    typealias Values = RecordFieldValues
    let given = change.values
    switch change.field {
    case "name": name = given.map(Values.line) ?? ""
    case "user": username = given.map(Values.line) ?? ""
    case "agent":
      usesAgent =
        try given.map { values throws(ControlError) in
          try Values.flag("agent", values)
        } ?? true
    case "password": password = nil
    case "key":
      keys = try Values.list(keys, change) { values throws(ControlError) in
        var found: [KeyID] = []
        for value in values { found.append(try vault.key(value)) }
        return found
      }
    default: throw ControlError(.usage, RecordField.unknown(change.field, of: .identity) + ".")
    }
  }
}

extension KeyRecord {
  /// Takes a change of the command line; another file is looked at by the caller.
  nonisolated mutating func apply(_ change: RecordChange) throws(ControlError) {
    let given = change.values
    switch change.field {
    case "name": name = given.map(RecordFieldValues.line) ?? ""
    case "comment": comment = given.map(RecordFieldValues.line) ?? ""
    case "passphrase": passphrase = nil
    default: throw ControlError(.usage, RecordField.unknown(change.field, of: .key) + ".")
    }
  }
}

extension SnippetRecord {
  /// Takes a change of the command line.
  nonisolated mutating func apply(_ change: RecordChange) throws(ControlError) {
    let given = change.values
    switch change.field {
    case "name": name = given.map(RecordFieldValues.line) ?? ""
    case "text": text = given?.last ?? ""
    case "tag": tags = try RecordFieldValues.list(tags, change) { $0.flatMap(FieldText.tags) }
    default: throw ControlError(.usage, RecordField.unknown(change.field, of: .snippet) + ".")
    }
  }
}

extension WorkspaceTemplate {
  /// A template of terminals on hosts, tiled.
  nonisolated static func of(_ contents: [TemplatePane], _ layout: SplitPreset) -> (
    tree: SplitTree, panes: [PaneID: TemplatePane]
  ) {
    var tree = SplitTree(PaneID(rawValue: 1))
    var panes: [PaneID: TemplatePane] = [:]
    for (index, content) in contents.enumerated() {
      let pane = PaneID(rawValue: UInt32(index + 1))
      if index > 0 { tree.split(PaneID(rawValue: UInt32(index)), with: pane, at: .right) }
      panes[pane] = content
    }
    tree.arrange(layout)
    return (tree, panes)
  }

  /// The template with changes of the command line.
  nonisolated func applying(_ changes: [RecordChange], in vault: VaultSnapshot)
    throws(ControlError) -> WorkspaceTemplate
  {
    var name = name
    var tree = tree
    var panes = panes
    var contents = self.contents
    var areHostsChanged = false
    var layout: SplitPreset?
    for change in changes {
      switch change.field {
      case "name": name = change.values.map(RecordFieldValues.line) ?? ""
      case "layout":
        layout =
          try change.values.map { values throws(ControlError) in
            try RecordFieldValues.choice(
              "layout",
              values,
              OpenRequest.layouts.map { ($0.name, $0.preset) }
            )
          } ?? .tiled
      case "host":
        contents = try RecordFieldValues.list(contents, change) { values throws(ControlError) in
          try vault.terminals(values)
        } isSame: {
          $0.host != nil && $0.host == $1.host
        }
        areHostsChanged = true
      default: throw ControlError(.usage, RecordField.unknown(change.field, of: .template) + ".")
      }
    }
    if areHostsChanged {
      guard contents.count <= OpenRequest.maximumPanes else {
        throw RecordFieldValues.invalid("host", .tooMany(limit: OpenRequest.maximumPanes))
      }
      if contents.isEmpty { contents = [.empty(label: "")] }
      (tree, panes) = Self.of(contents, layout ?? .tiled)
    } else if let layout {
      tree.arrange(layout)
    }
    return WorkspaceTemplate(id: id, name: name, tree: tree, panes: panes, times: times)
  }
}

extension VaultSnapshot {
  /// Terminals on saved hosts.
  fileprivate nonisolated func terminals(_ words: [String]) throws(ControlError) -> [TemplatePane] {
    var panes: [TemplatePane] = []
    for word in words {
      guard case .host(let id) = try reference(.host, word) else { continue }
      panes.append(.ssh(id, name: hosts.first { $0.id == id }?.name ?? word))
    }
    return panes
  }
}

import TermindApplication
import TermindDomain
import TermindPresentation
import TermindScreen

/// What the keys and the hints of the Vault do.
extension VaultController {
  func perform(_ command: VaultCommand) {
    switch command {
    case .open: openChosen()
    case .edit: edit()
    case .new: makeNew()
    case .duplicate: duplicate()
    case .delete: askToDelete()
    case .undo: undo()
    case .mark:
      list.toggleMark(row: list.selection)
      list.move(by: 1)
    case .markAll: list.toggleAllMarks()
    case .filter: list.isFiltering = true
    case .sort: sortNext()
    case .pin: pin()
    case .test: testConnection()
    case .importRecords: importRecords()
    case .exportRecords: exportRecords()
    case .copy: copy()
    case .passphrase: changePassphrase()
    case .certificate: storeCertificate()
    case .install: installKey()
    case .secrets: window.openSecrets()
    case .help: showHelp()
    case .commitImport, .renameImported, .importKeys, .details: performImport(command)
    case .save: save()
    case .cancel: leaveEditor()
    case .nextField: handleEditing(KeyEvent(code: .tab))
    }
    window.requestFrame()
  }

  // MARK: - Chosen records

  /// The chosen or marked records.
  var chosen: [VaultReference] { list.chosen.compactMap(reference) }

  private func reference(_ id: VaultItemID) -> VaultReference? {
    guard case .record(let value) = id else { return nil }
    return switch section {
    case .hosts: .host(HostID(rawValue: value))
    case .identities: .identity(IdentityID(rawValue: value))
    case .keys: .key(KeyID(rawValue: value))
    case .knownHosts: .knownHost(KnownHostID(rawValue: value))
    case .snippets: .snippet(SnippetID(rawValue: value))
    case .templates: .template(TemplateID(rawValue: value))
    case .history: nil
    }
  }

  private var chosenEvents: [ConnectionEvent] {
    let ids = Set(list.chosen)
    return contents.events.filter { ids.contains(.record($0.id.rawValue)) }
  }

  private func openChosen() {
    switch section {
    case .hosts:
      let hosts = contents.batch(of: chosen).hosts
      window.open(hosts, .newWorkspace)
      list.clearMarks()
    case .history:
      guard let event = chosenEvents.first else { return }
      if let host = event.host.flatMap(contents.host) {
        window.open([host], .newWorkspace)
      } else {
        window.open(window.target(line: event.target), .newWorkspace)
      }
    case .templates:
      for template in contents.batch(of: chosen).templates {
        window.server.open(template, in: window.id)
      }
      list.clearMarks()
    case .identities, .keys, .knownHosts, .snippets: edit()
    }
  }

  // MARK: - Making and copying

  private func makeNew() {
    switch section {
    case .hosts:
      let host = HostRecord(name: "", endpoint: SSHEndpoint(host: ""))
      begin(.host(HostEditor(host, isNew: true, contents: contents, routes: routeBuilder)))
    case .identities:
      begin(
        .identity(IdentityEditor(IdentityRecord(username: ""), isNew: true, contents: contents))
      )
    case .snippets:
      begin(.snippet(SnippetEditor(SnippetRecord(text: ""), isNew: true, contents: contents)))
    case .keys: generateKey()
    case .knownHosts, .templates, .history: break
    }
  }

  private func begin(_ editor: VaultEditor) { self.editor = editor.editing() }

  private func duplicate() {
    guard let place = list.selected else { return }
    switch section {
    case .hosts:
      let old = contents.hosts[place]
      let copy = old.copied(as: HostID(), name: freeName(old.name, contents.hosts.map(\.name)))
      begin(.host(HostEditor(copy, isNew: true, contents: contents, routes: routeBuilder)))
    case .identities:
      let old = contents.identities[place]
      let name = freeName(old.name, contents.identities.map(\.name))
      // Two records never share a secret: deleting one would take the other's away.
      let copy = IdentityRecord(
        name: name,
        username: old.username,
        keys: old.keys,
        usesAgent: old.usesAgent
      )
      begin(.identity(IdentityEditor(copy, isNew: true, contents: contents)))
      if old.password != nil { say(.info, "The password is not copied; type it again.") }
    case .snippets:
      let old = contents.snippets[place]
      let name = freeName(old.name, contents.snippets.map(\.name))
      let copy = SnippetRecord(name: name, text: old.text, tags: old.tags)
      begin(.snippet(SnippetEditor(copy, isNew: true, contents: contents)))
    case .templates:
      let old = contents.templates[place]
      let name = freeName(old.name, contents.templates.map(\.name))
      let copy = WorkspaceTemplate(name: name, tree: old.tree, panes: old.panes)
      change { controller in
        try await controller.library.save(
          VaultBatch(templates: [copy]),
          label: "the copy of \(old.name)"
        )
        controller.show(.templates, selecting: .record(copy.id.rawValue))
        controller.say(.done, "Copied as \(name).")
      }
    case .keys: generateKey()
    case .knownHosts, .history: break
    }
  }

  private func freeName(_ name: String, _ taken: [String]) -> String {
    let taken = Set(taken)
    return (2...).lazy.map { "\(name) \($0)" }.first { !taken.contains($0) } ?? name
  }

  private func pin() {
    var hosts = contents.batch(of: chosen).hosts
    guard !hosts.isEmpty else { return }
    let pins = !hosts.allSatisfy(\.isPinned)
    for place in hosts.indices { hosts[place].isPinned = pins }
    let what = VaultSection.hosts.counted(hosts.count)
    change { controller in
      try await controller.library.save(VaultBatch(hosts: hosts), label: "pinning \(what)")
      controller.say(.done, pins ? "Pinned \(what)." : "\(what) no longer pinned.")
    }
  }

  private func copy() {
    guard let place = list.selected else { return }
    switch section {
    case .snippets: copy(contents.snippets[place].text, of: contents.snippets[place].name)
    case .keys: copy(publicLine(of: contents.keys[place]), of: contents.keys[place].name)
    default: break
    }
  }

  /// Puts a text into the clipboard of the person's terminal.
  private func copy(_ text: String, of name: String) {
    guard window.terminal?.notify(ClipboardSequence.write(Array(text.utf8))) == true else {
      return say(.problem, "The text was not copied: the terminal takes no more just now.")
    }
    say(.done, "Copied \(name) to the clipboard.")
  }

  // MARK: - Deleting and taking back

  private func askToDelete() {
    if section == .history { return askToForget() }
    let records = chosen
    let names = list.chosen.compactMap { id in
      list.items.first { $0.id == id }?.title
    }
    guard !records.isEmpty else { return }
    let section = section
    let secrets = secrets(of: records)
    change { controller in
      let dependents = try await controller.library.dependents(of: records)
      let question = ConfirmSheet.delete(
        names,
        of: section,
        dependents: dependents,
        losesSecrets: !secrets.isEmpty
      )
      controller.window.present(
        QuestionSheet(question) { [weak controller] answer in
          if answer == "delete" { controller?.delete(records, section, secrets) }
        }
      )
    }
  }

  private func delete(
    _ records: [VaultReference],
    _ section: VaultSection,
    _ secrets: [SecretItemID]
  ) {
    let what = section.counted(records.count)
    change { controller in
      try await controller.library.delete(records, label: "deleting \(what)")
      controller.forget(secrets)
      controller.say(
        .done,
        secrets.isEmpty ? "Deleted \(what); u takes it back." : "Deleted \(what)."
      )
    }
  }

  private func askToForget() {
    let events = chosenEvents
    guard !events.isEmpty else { return }
    let question = ConfirmSheet.delete(events.map(\.target), of: .history, dependents: [])
    window.present(
      QuestionSheet(question) { [weak self] answer in
        guard answer == "delete" else { return }
        self?.change { controller in
          try await controller.library.forget(events)
          controller.say(.done, "Forgot \(VaultSection.history.counted(events.count)).")
        }
      }
    )
  }

  private func undo() {
    change { controller in
      if let label = try await controller.library.undoLast() {
        controller.say(.done, "Took back \(label).")
      } else {
        controller.say(.info, "There is nothing to take back.")
      }
    }
  }

  // MARK: - Help

  private func showHelp() {
    let entries = section.bindings.filter { $0.command != .help }.map { binding in
      ListSheet.Entry(
        text: binding.label,
        row: ChooserRow(title: binding.label, trailing: binding.key)
      ) { [weak self] in self?.perform(binding.command) }
    }
    window.present(
      ListSheet(
        WindowOverlay("vault-keys"),
        ChooserSheet(title: section.title, placeholder: "what to do"),
        entries: entries
      )
    )
  }

  // MARK: - Work

  /// Says something in the status line.
  func say(_ kind: Notice.Kind, _ text: String) { window.show(Notice(kind, text)) }

  /// Changes the store, and says what went wrong; keys and clicks wait until it is done.
  func change(_ work: @escaping (VaultController) async throws -> Void) {
    Task { [weak self] in
      guard let self else { return }
      await holdInput { await attempt(work) }
    }
  }

  /// Does something that may take a while, and says what went wrong.
  func run(_ work: @escaping (VaultController) async throws -> Void) {
    Task { [weak self] in
      guard let self else { return }
      await attempt(work)
      window.requestFrame()
    }
  }

  private func attempt(_ work: (VaultController) async throws -> Void) async {
    do {
      try await work(self)
    } catch {
      say(.problem, VaultErrorText.text(error))
    }
  }
}

extension HostRecord {
  /// The same host as another record.
  func copied(as id: HostID, name: String) -> HostRecord {
    HostRecord(
      id: id,
      name: name,
      endpoint: endpoint,
      connectionProtocol: connectionProtocol,
      identity: identity,
      username: username,
      keyFiles: keyFiles,
      usesAgent: usesAgent,
      jumps: jumps,
      tags: tags,
      color: color,
      theme: theme,
      shellIntegration: shellIntegration,
      clipboard: clipboard,
      recording: recording,
      startDirectory: startDirectory,
      startupSnippet: startupSnippet,
      environment: environment,
      keepAliveSeconds: keepAliveSeconds,
      notes: notes,
      isPinned: isPinned,
      engine: engine,
      allowsOldAlgorithms: allowsOldAlgorithms
    )
  }
}

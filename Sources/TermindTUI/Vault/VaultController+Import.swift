import TermindApplication
import TermindDomain
import TermindPresentation
import TermindRemoteInfrastructure
import TermindScreen

/// An import that is shown before it is made.
struct HostImportSession {
  /// What would be done.
  var content: ImportList
  /// The list of its hosts; a mark tells that a host is taken.
  var list = VaultList()
  /// What is shown of the chosen host instead of the list, where there is no room beside it.
  var details: RecordForm?

  init(_ preview: HostImportPreview) {
    content = ImportList(preview)
    list.hasTrailing = true
    list.load(content.items)
    showMarks()
  }

  /// Lets the marks of the list say what is taken.
  mutating func showMarks() {
    list.setMarks(Set(list.items.indices.filter(content.isTaken).map { list.items[$0].id }))
  }
}

extension VaultController {
  func importRecords() {
    switch section {
    case .hosts:
      askForPath(
        "Import hosts",
        lines: [
          "A configuration of ssh, a .csv table with columns such as name, address, user and tags, "
            + "or a .reg file of PuTTY. What it holds is shown first."
        ],
        suggestion: "~/.ssh/config"
      ) { controller, path in try await controller.openImport(of: path) }
    case .knownHosts:
      askForPath("Import host keys", suggestion: "~/.ssh/known_hosts") { controller, path in
        try await controller.importKnownHosts(path)
      }
    case .keys: importKey()
    default: break
    }
  }

  // MARK: - Hosts

  /// Shows what an import of a file would do.
  func openImport(of path: String) async throws -> String {
    let source = try await HostImportFile.read(path, home: window.server.services.home)
    let preview = try await importer().preview(source)
    guard !preview.hosts.isEmpty else {
      let note = ImportList(preview).notes.first.map { " \($0)" } ?? ""
      throw VaultFileError(sentence: "There is no host in \(path).\(note)")
    }
    importing = HostImportSession(preview)
    return "Nothing is saved yet: choose what to take, then press enter."
  }

  private func importer() throws -> HostImporter {
    guard let store = window.server.services.store else {
      throw VaultFileError(sentence: "The store is not open.")
    }
    return HostImporter(vault: store, keyFiles: LocalKeyFiles())
  }

  func handleImport(_ key: KeyEvent, page: Int) {
    guard importing != nil else { return }
    if importing?.details != nil {
      importing?.details = nil
      return
    }
    if importing?.list.isFiltering == true {
      _ = importing?.list.handle(key, page: page)
      return
    }
    if let command = VaultBinding.command(of: key, in: VaultBinding.importing) {
      return performImport(command)
    }
    _ = importing?.list.handle(key, page: page)
  }

  /// Does what a key or a hint of an import says.
  func performImport(_ command: VaultCommand) {
    guard var session = importing else { return }
    switch command {
    case .commitImport: return commitImport()
    case .cancel:
      guard session.list.isFiltered else { return leaveImport() }
      session.list.clearFilter()
    case .mark:
      if let place = session.list.selected { session.content.toggle(place) }
      session.list.move(by: 1)
    case .markAll: session.content.toggleAll()
    case .renameImported: session.content.toggleTaken()
    case .importKeys: session.content.toggleKeys()
    case .filter: session.list.isFiltering = true
    case .details:
      session.details = session.list.selected.map { session.content.form($0) }
      session.details?.isEditing = true
    default: break
    }
    session.showMarks()
    importing = session
    window.requestFrame()
  }

  func leaveImport() {
    importing = nil
    say(.info, "Nothing was imported.")
  }

  private func commitImport() {
    guard let session = importing else { return }
    guard session.content.count > 0 else { return say(.problem, "No host is taken yet.") }
    change { controller in
      let result = try await controller.importer().commit(session.content.preview)
      controller.importing = nil
      await controller.library.adopted(
        result.hosts.map { .host($0.id) } + result.keys.map { .key($0.id) }
          + result.identities.map { .identity($0.id) },
        label: "the import of \(VaultSection.hosts.counted(result.hosts.count))"
      )
      controller.show(.hosts, selecting: result.hosts.first.map { .record($0.id.rawValue) })
      let keys =
        result.keys.isEmpty ? "" : " and \(VaultSection.keys.counted(result.keys.count))"
      controller.say(
        .done,
        "Imported \(VaultSection.hosts.counted(result.hosts.count))\(keys); u takes it back."
      )
    }
  }

  /// Draws an import in the place of the list.
  func drawImport(
    _ session: inout HostImportSession,
    on canvas: inout Canvas,
    in area: CellRectangle,
    _ look: Appearance
  ) -> VaultScreen.Targets {
    let isWide = area.columns >= VaultScreen.wideColumns
    var form = session.details
    if isWide, let place = session.list.selected { form = session.content.form(place) }
    let screen = VaultScreen(
      section: .hosts,
      empty: VaultSection.hosts.empty,
      hints: VaultBinding.importing.map(\.hint),
      title: "Import \(session.content.preview.path)   \(session.content.summary)"
    )
    let content = session.content
    let targets = screen.draw(
      on: &canvas,
      in: area,
      list: &session.list,
      form: &form,
      look,
      row: content.row
    )
    if !isWide { session.details = form }
    return targets
  }

  // MARK: - Host keys

  private func importKnownHosts(_ path: String) async throws -> String {
    guard let store = window.server.services.store else {
      throw VaultFileError(sentence: "The store is not open.")
    }
    let bytes = try await VaultFile.read(path)
    let content = await Self.parse(bytes, path: path, time: WallClock.seconds)
    let importer = KnownHostsImporter(library: store)
    let preview = try await importer.preview(content.records)
    let skipped = content.notes.isEmpty ? "" : " \(content.notes.count) lines cannot be read."
    guard !preview.new.isEmpty || !preview.differing.isEmpty else {
      return "Nothing new in \(path): \(preview.known.count) are known already.\(skipped)"
    }
    askToTrust(preview, importer, path: path, skipped: skipped)
    return "Nothing is saved yet."
  }

  private func askToTrust(
    _ preview: KnownHostsPreview,
    _ importer: KnownHostsImporter,
    path: String,
    skipped: String
  ) {
    var lines = [
      "\(VaultSection.knownHosts.counted(preview.new.count)) would be trusted from now on."
    ]
    if !preview.known.isEmpty { lines.append("\(preview.known.count) are known already.") }
    if !preview.differing.isEmpty {
      let names = preview.differing.prefix(5).map(\.names.text).joined(separator: ", ")
      lines.append(
        "\(preview.differing.count) differ from the key that is trusted and are left out: \(names)."
      )
    }
    if !skipped.isEmpty { lines.append(skipped.trimmingPrefix(" ").description) }
    let question = ConfirmSheet(
      title: "Trust the keys of \(path)?",
      lines: lines,
      buttons: [
        ConfirmSheet.Button(id: "cancel", label: "Cancel", role: .cancel),
        ConfirmSheet.Button(id: "import", label: "Import", role: .plain),
      ]
    )
    window.present(
      QuestionSheet(question) { [weak self] answer in
        guard answer == "import" else { return }
        self?.run { controller in
          let count = try await importer.commit(preview)
          await controller.library.adopted(
            preview.new.map { .knownHost($0.id) },
            label: "the import of \(VaultSection.knownHosts.counted(count))"
          )
          controller.say(.done, "Imported \(VaultSection.knownHosts.counted(count)).")
        }
      }
    )
  }

  @concurrent nonisolated private static func parse(
    _ bytes: [UInt8],
    path: String,
    time: Int64
  ) async -> KnownHostsText.Content {
    KnownHostsText.read(bytes, path: path, time: time)
  }
}

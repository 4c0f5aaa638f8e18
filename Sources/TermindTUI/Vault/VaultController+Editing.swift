import TermindApplication
import TermindDomain
import TermindPresentation
import TermindScreen

/// The form that is edited: its keys, its lists, saving and leaving it.
extension VaultController {
  func handleEditing(_ key: KeyEvent) {
    guard var editor else { return }
    if key.code == .character(0x74), key.modifiers.contains(.control) { return perform(.test) }
    let answer = editor.form.handle(key)
    self.editor = editor
    follow(answer)
  }

  /// Does what a key or a click in the form came to.
  func follow(_ answer: RecordForm.Answer) {
    switch answer {
    case .ignored, .moved: break
    case .changed: editor?.changed()
    case .open(let id): open(field: id)
    case .save: save()
    case .cancel: leaveEditor()
    }
  }

  /// Edits the chosen record.
  func edit() {
    guard let place = list.selected, let form = form(at: place) else { return }
    guard form.isEditable else { return }
    editor = form.editing()
  }

  /// Leaves what is edited, after asking when something was changed, and then goes on.
  func leaveEditor(then work: @escaping (VaultController) -> Void = { _ in }) {
    guard let editor else { return work(self) }
    guard editor.isChanged else {
      closeEditor()
      return work(self)
    }
    window.present(
      QuestionSheet(.discard(editor.form.title)) { [weak self] answer in
        guard let self else { return }
        switch answer {
        case "discard":
          closeEditor()
          work(self)
        case "save": save(then: work)
        default: break
        }
      }
    )
  }

  func closeEditor() {
    test?.cancel()
    test = nil
    editor = nil
    window.requestFrame()
  }

  // MARK: - Saving

  /// Saves what is edited, closes the form, and goes on.
  func save(then work: @escaping (VaultController) -> Void = { _ in }) {
    guard var editor else { return }
    let isRight = editor.check()
    self.editor = editor
    guard isRight else {
      let count = editor.form.fields.filter { !$0.problem.isEmpty }.count
      let fields = count == 1 ? "one field" : "\(count) fields"
      return say(.problem, "Not saved: \(fields) must be changed first.")
    }
    guard editor.isChanged || isNew(editor) else {
      closeEditor()
      return work(self)
    }
    if case .identity(let identity) = editor, identity.password != .kept {
      return savePassword(of: identity, then: work)
    }
    change { controller in
      let (batch, id) = controller.batch(of: editor)
      try await controller.library.save(batch, label: "the change of \(editor.form.title)")
      controller.finishSaving(id, then: work)
    }
  }

  /// Closes the form, shows the saved record, and goes on.
  func finishSaving(_ id: VaultItemID?, then work: (VaultController) -> Void) {
    closeEditor()
    show(section, selecting: id)
    say(.done, "Saved.")
    work(self)
  }

  private func isNew(_ editor: VaultEditor) -> Bool {
    switch editor {
    case .host(let editor): editor.isNew
    case .identity(let editor): editor.isNew
    case .snippet(let editor): editor.isNew
    case .key, .template, .details: false
    }
  }

  /// The records to write for a form, and the one to choose afterwards.
  private func batch(of editor: VaultEditor) -> (VaultBatch, VaultItemID?) {
    switch editor {
    case .host(let editor):
      let record = editor.record
      return (VaultBatch(hosts: [record]), .record(record.id.rawValue))
    case .identity(let editor):
      let record = editor.record
      return (VaultBatch(identities: [record]), .record(record.id.rawValue))
    case .key(let editor):
      let record = editor.record
      return (VaultBatch(keys: [record]), .record(record.id.rawValue))
    case .snippet(let editor):
      let record = editor.record
      return (VaultBatch(snippets: [record]), .record(record.id.rawValue))
    case .template(let editor):
      let record = editor.record
      return (VaultBatch(templates: [record]), .record(record.id.rawValue))
    case .details: return (VaultBatch(), nil)
    }
  }

  // MARK: - Lists of fields

  /// Opens the list of a field, or does what a button says.
  private func open(field id: String) {
    switch id {
    case "test": perform(.test)
    case "forget":
      guard case .identity(var identity) = editor else { return }
      identity.forgetPassword()
      editor = .identity(identity)
    case HostField.identity.rawValue: chooseIdentity()
    case HostField.jumps.rawValue: chooseJump()
    case HostField.startupSnippet.rawValue: chooseSnippet()
    case HostField.theme.rawValue: chooseTheme()
    case IdentityField.keys.rawValue: chooseKey()
    default: break
    }
  }

  private func editHost(_ body: (inout HostEditor) -> Void) {
    guard case .host(var host) = editor else { return }
    body(&host)
    editor = .host(host)
  }

  /// A list with the choices of a field; the first one is none of them.
  private func choose(
    _ title: String,
    _ entries: [ListSheet.Entry],
    none: (() -> Void)? = nil,
    noneTitle: String = "none",
    emptyText: String,
    typed: ((String) -> (() -> Void)?)? = nil
  ) {
    var all = entries
    if let none {
      let row = ChooserRow(title: noneTitle)
      all.insert(ListSheet.Entry(text: noneTitle, row: row, choose: none), at: 0)
    }
    window.present(
      ListSheet(
        WindowOverlay("vault-choice"),
        ChooserSheet(title: title, emptyText: emptyText),
        entries: all,
        typed: typed
      )
    )
  }

  private func chooseIdentity() {
    let entries = contents.identities.map { identity in
      ListSheet.Entry(
        text: "\(identity.name) \(identity.username)",
        row: ChooserRow(title: identity.name, detail: identity.username)
      ) { [weak self] in self?.editHost { $0.setIdentity(identity.id) } }
    }
    choose(
      "Identity",
      entries,
      none: { [weak self] in self?.editHost { $0.setIdentity(nil) } },
      emptyText: "Nothing matches."
    )
  }

  private func chooseJump() {
    guard case .host(let host) = editor else { return }
    let taken = Set(
      host.jumps.compactMap { jump -> HostID? in
        if case .saved(let id) = jump { return id }
        return nil
      }
    )
    let others = contents.hosts.filter { $0.id != host.original.id && !taken.contains($0.id) }
    let entries = others.map { other in
      let address = contents.address(of: other)
      return ListSheet.Entry(
        text: "\(other.name) \(address)",
        row: ChooserRow(title: other.name, detail: address)
      ) { [weak self] in self?.editHost { $0.setJumps($0.jumps + [.saved(other.id)]) } }
    }
    choose(
      "Add a jump host",
      entries,
      emptyText: "Enter takes [user@]host[:port] as it is typed.",
      typed: { [weak self] text in
        text.isEmpty ? nil : { self?.editHost { $0.setJumps($0.jumps + [.text(text)]) } }
      }
    )
  }

  private func chooseSnippet() {
    let entries = contents.snippets.map { snippet in
      ListSheet.Entry(text: snippet.name, row: ChooserRow(title: snippet.name)) {
        [weak self] in self?.editHost { $0.setSnippet(snippet.id) }
      }
    }
    choose(
      "Run first",
      entries,
      none: { [weak self] in self?.editHost { $0.setSnippet(nil) } },
      emptyText: "Nothing matches."
    )
  }

  private func chooseTheme() {
    let entries = window.server.looks.themes.listings().map { listing in
      ListSheet.Entry(text: listing.name, row: ChooserRow(title: listing.name)) {
        [weak self] in self?.editHost { $0.setTheme(listing.name) }
      }
    }
    choose(
      "Theme",
      entries,
      none: { [weak self] in self?.editHost { $0.setTheme(nil) } },
      noneTitle: "the window's",
      emptyText: "Nothing matches."
    )
  }

  private func chooseKey() {
    guard case .identity(let identity) = editor else { return }
    let entries = contents.keys.filter { !identity.keys.contains($0.id) }.map { key in
      ListSheet.Entry(
        text: "\(key.name) \(key.comment)",
        row: ChooserRow(title: key.name, detail: KeyRecord.algorithmName(key.algorithm))
      ) { [weak self] in
        guard let self, case .identity(var identity) = editor else { return }
        identity.setKeys(identity.keys + [key.id])
        editor = .identity(identity)
      }
    }
    choose("Add a key", entries, emptyText: "There is no other key; the Keys list makes them.")
  }
}

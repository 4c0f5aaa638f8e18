import TermindApplication
import TermindDomain
import TermindPresentation

/// The lists and forms that lie over a window.
extension Window {
  /// All actions, with their keys.
  func openPalette() {
    present(ListSheet(WindowOverlay("palette"), ActionPalette.sheet, entries: actionEntries()))
  }

  /// Every binding in force.
  func openKeys() {
    let help = KeysHelp(server.looks.keymap)
    let entries = help.bindings.indices.map { place in
      let row = help.row(place)
      let action = help.bindings[place].action
      return ListSheet.Entry(text: "\(row.title) \(row.detail) \(row.trailing)", row: row) {
        [weak self] in self?.perform(action)
      }
    }
    present(ListSheet(.keys, KeysHelp.sheet, entries: entries))
  }

  /// The themes, each shown while it is the chosen row.
  func openThemes() {
    let looks = server.looks
    let listings = looks.themes.listings()
    let entries = listings.map { listing in
      ListSheet.Entry(text: listing.name, row: ChooserRow(title: listing.name)) { [weak self] in
        self?.server.chooseTheme(listing.name)
      }
    }
    present(
      ListSheet(
        .chooser,
        ChooserSheet(title: "Theme", placeholder: "type to filter"),
        entries: entries,
        selected: listings.firstIndex { $0.name == looks.theme.name },
        preview: { [weak self] place in
          if let place { looks.preview(listings[place].name) } else { looks.endPreview() }
          self?.server.looksChanged()
        }
      )
    )
  }

  // MARK: Names

  func renamePane() {
    guard let pane = focusedPane else { return }
    present(
      FormSheet(.rename("pane", current: pane.customName ?? "")) { [weak self] texts in
        let name = texts.first ?? ""
        pane.customName = name.isEmpty ? nil : String(name.prefix(Workspace.maximumNameLength))
        self?.requestFrame()
        return nil
      }
    )
  }

  func renameWorkspace() {
    guard let workspace else { return }
    present(
      FormSheet(.rename("workspace", current: workspace.isNamed ? workspace.name : "")) {
        [weak self] texts in
        guard let self else { return nil }
        let renamed = server.model.update(workspace: workspace.id) { $0.rename(texts.first ?? "") }
        server.reconcile()
        return renamed == true ? nil : "A name needs a visible character."
      }
    )
  }

  func renameWindow() {
    present(
      FormSheet(.rename("window", current: model.customName ?? "")) { [weak self] texts in
        guard let self else { return nil }
        let renamed = server.model.update(id) { $0.rename(texts.first ?? "") }
        server.reconcile()
        return renamed == true ? nil : "A name needs a visible character."
      }
    )
  }

  // MARK: Targets of moves

  func chooseWorkspaceForPane() {
    guard let workspace else { return }
    let others = model.workspaces.filter { $0.id != workspace.id }
    guard !others.isEmpty else { return show(Notice(.info, "There is no other workspace.")) }
    let entries = others.map { other in
      ListSheet.Entry(text: other.name, row: ChooserRow(title: other.name)) { [weak self] in
        self?.server.model.move(workspace.focus, to: other.id)
        self?.server.reconcile()
      }
    }
    present(ListSheet(.chooser, ChooserSheet(title: "Move the pane to"), entries: entries))
  }

  func chooseWindowForWorkspace() {
    guard let workspace else { return }
    let others = server.model.windows.filter { $0.id != id }
    guard !others.isEmpty else { return show(Notice(.info, "There is no other window.")) }
    let entries = others.map { other in
      let name = other.customName ?? "Window \(other.id.rawValue)"
      let detail = FileText.count(UInt64(other.workspaces.count), "workspace")
      let trailing = other.isAttached ? "attached" : "detached"
      return ListSheet.Entry(
        text: name,
        row: ChooserRow(title: name, detail: detail, trailing: trailing)
      ) { [weak self] in
        self?.server.model.moveWorkspace(workspace.id, to: other.id)
        self?.server.reconcile()
      }
    }
    present(ListSheet(.chooser, ChooserSheet(title: "Move the workspace to"), entries: entries))
  }

  // MARK: Entries

  private func actionEntries() -> [ListSheet.Entry] {
    let palette = ActionPalette(server.looks.keymap)
    return palette.actions.indices.map { place in
      let row = palette.row(place)
      let action = palette.actions[place]
      return ListSheet.Entry(text: "\(row.title) \(row.detail)", row: row) {
        [weak self] in self?.perform(action)
      }
    }
  }
}

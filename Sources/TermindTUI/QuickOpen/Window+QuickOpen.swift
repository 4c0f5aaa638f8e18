import TermindApplication
import TermindDomain
import TermindPresentation

/// What Quick Open lists, and what its choices do.
extension Window {
  /// Everything that can be gone to, opened or done in one list; an address that is none of them is offered
  /// to be connected to.
  ///
  /// - Parameter query: What is typed already.
  func openQuickOpen(query: String = "") {
    closeFind()
    let (entries, items) = quickOpenEntries()
    let connected = connectedHosts
    present(
      QuickOpenSheet(
        entries,
        items: items,
        revision: server.services.vault.revision,
        row: { [weak self] in self?.row(of: $0, connected) ?? ChooserRow(title: "") },
        query: query,
        isHolding: server.held != nil,
        searchText: { [weak self] in self?.openTextSearch($0) },
        chosen: { [weak self] in self?.take($0) }
      )
    )
  }

  /// Shows what was read of the vault since an open list was made.
  func refreshQuickOpen() {
    let revision = server.services.vault.revision
    for case let sheet as QuickOpenSheet in sheets where sheet.revision != revision {
      let (entries, items) = quickOpenEntries()
      sheet.replace(entries, items: items, revision: revision)
    }
  }

  private func quickOpenEntries() -> ([QuickOpenEntry], [FilteredList.Item]) {
    let listing = server.services.listing
    var entries = listing.hosts.map(QuickOpenEntry.host)
    var items = listing.items
    func add(_ entry: QuickOpenEntry, _ text: String, bonus: Int = 0, scope: Character? = nil) {
      entries.append(entry)
      items.append(FilteredList.Item(text, bonus: bonus, scope: scope))
    }
    for workspace in model.workspaces {
      let name = model.name(of: workspace)
      add(.workspace(workspace.id), name, bonus: 12, scope: "#")
      for pane in workspace.panes.compactMap({ server.panes[$0] }) {
        let text = "\(name) \(PaneText.title(pane)) pane \(pane.id.rawValue)"
        add(.pane(pane.id), text, bonus: 10, scope: "#")
      }
    }
    let palette = ActionPalette(server.looks.keymap)
    for place in palette.actions.indices {
      let row = palette.row(place)
      add(.action(palette.actions[place], row), "\(row.title) \(row.detail)", scope: ">")
    }
    for snippet in server.services.vault.contents.snippets {
      let text = ([snippet.name] + snippet.tags).joined(separator: " ")
      add(.snippet(snippet), "\(text) snippet", scope: "%")
    }
    for template in server.services.vault.contents.templates {
      add(.template(template), "\(template.name) template", bonus: 5)
    }
    for theme in server.looks.themes.listings() { add(.theme(theme.name), "theme \(theme.name)") }
    for setting in Setting.listed {
      let row = setting.row(server.looks.preferences)
      // An action of the same name comes first.
      add(.setting(setting), "\(row.title) \(row.detail) \(row.trailing) settings", bonus: -20)
    }
    return (entries, items)
  }

  private func take(_ choice: QuickOpenChoice) {
    switch choice {
    case .hosts(let hosts, .drop): drop(on: hosts.map { HostTarget.content($0, routes) })
    case .hosts(let hosts, let placement): open(hosts, placement)
    case .connect(let line, .drop):
      switch target(line: line) {
      case .found(let content): drop(on: [content])
      case .failure(let explanation): show(Notice(.problem, explanation.paragraph))
      }
    case .connect(let line, let placement): open(target(line: line), placement)
    case .dropOnPane(let id):
      if let held = server.held, let pane = server.panes[id] { drop(held, on: pane) }
    case .workspace(let id): show { $0.show(.workspace(id)) }
    case .pane(let id): focus(id)
    case .action(let action): perform(action)
    case .snippet(let snippet): insert(snippet)
    case .template(let template): server.open(template, in: id)
    case .theme(let name): server.chooseTheme(name)
    case .setting(let setting): changeSetting(setting)
    }
  }

  /// Drops what is held on hosts, one after the other.
  private func drop(on hosts: [PaneContent]) {
    guard let held = server.held else { return }
    for content in hosts {
      switch content {
      case .ssh(let host):
        drop([held], at: PaneContent.FilesTarget(host: host, directory: nil), told: nil)
      case .noRoute(let host):
        show(Notice(.problem, ErrorText.explain(host.error).paragraph))
      case .empty, .local, .files: break
      }
    }
  }

  /// The saved hosts that a pane is connected to.
  private var connectedHosts: Set<HostID> {
    Set(
      server.panes.values.compactMap { pane in
        guard case .ssh(let target) = pane.content, pane.session.state.isTyping else { return nil }
        return target.host
      }
    )
  }

  private func row(
    of entry: QuickOpenEntry,
    _ connected: Set<HostID>
  ) -> ChooserRow {
    switch entry {
    case .host(let host):
      return ChooserRow(
        title: host.name,
        detail: server.services.vault.contents.address(of: host),
        trailing: (host.tags + [host.lastUsed.map { WallClock.age(since: $0) } ?? ""])
          .filter { !$0.isEmpty }.joined(separator: " "),
        sign: connected.contains(host.id) ? "●" : "",
        color: host.color
      )
    case .workspace(let id):
      let workspace = model.workspace(id)
      let count = workspace?.panes.count ?? 0
      return ChooserRow(
        title: workspace.map(model.name(of:)) ?? "",
        detail: count == 1 ? "workspace, 1 pane" : "workspace, \(count) panes",
        trailing: "open",
        sign: "▣",
        signInk: .accent
      )
    case .pane(let id):
      let name = model.workspace(of: id).map(model.name(of:)) ?? ""
      let pane = server.panes[id]
      let title = pane.map(PaneText.title) ?? ""
      return ChooserRow(
        title: "\(name) › \(title)",
        detail: (["pane \(id.rawValue)"] + (pane?.notes ?? [])).joined(separator: "; "),
        trailing: "open",
        sign: "▣",
        signInk: .accent,
        color: pane?.color
      )
    case .action(_, let row): return row
    case .snippet(let snippet):
      return ChooserRow(
        title: snippet.name,
        detail: snippet.defaultName,
        trailing: snippet.tags.joined(separator: " "),
        sign: "%",
        signInk: .dim
      )
    case .template(let template):
      let count = template.contents.count
      return ChooserRow(
        title: template.name,
        detail: count == 1 ? "template, 1 pane" : "template, \(count) panes",
        sign: "▤",
        signInk: .dim
      )
    case .theme(let name):
      let isInForce = name == server.looks.theme.name
      return ChooserRow(title: name, detail: "theme", trailing: isInForce ? "in force" : "")
    case .setting(let setting): return setting.row(server.looks.preferences)
    case .typed: return ChooserRow(title: "")
    }
  }
}

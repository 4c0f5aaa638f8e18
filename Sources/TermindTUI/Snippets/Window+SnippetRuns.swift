import TermindApplication
import TermindDomain
import TermindPresentation

/// Snippets that run in several places.
extension Window {
  /// Asks for a snippet, for what has to be filled in, and for the hosts; then runs it.
  func chooseSnippet(toRunOn target: Action.SnippetTarget) {
    let snippets = server.services.vault.contents.snippets
    guard !snippets.isEmpty else { return chooseSnippetOnceRead(toRunOn: target) }
    if target != .hosts, panes(of: target).isEmpty {
      return show(
        Notice(
          .info,
          target == .broadcast
            ? "No pane takes part in a broadcast." : "No terminal runs in this workspace."
        )
      )
    }
    let entries = snippets.map { snippet in
      let row = ChooserRow(
        title: snippet.name,
        detail: snippet.defaultName,
        trailing: snippet.tags.joined(separator: " ")
      )
      return ListSheet.Entry(text: snippet.name, row: row) { [weak self] in
        self?.prepare(snippet, target)
      }
    }
    present(ListSheet(.chooser, ChooserSheet(title: "Run a snippet"), entries: entries))
  }

  /// Right after the start the store is still being read: only then it is known that there is none.
  private func chooseSnippetOnceRead(toRunOn target: Action.SnippetTarget) {
    Task { [weak self] in
      await self?.server.services.storeSettled()
      guard let self else { return }
      guard server.services.vault.contents.snippets.isEmpty else {
        return chooseSnippet(toRunOn: target)
      }
      show(Notice(.info, "There is no snippet yet."))
    }
  }

  private func panes(of target: Action.SnippetTarget) -> [Pane] {
    guard let workspace else { return [] }
    switch target {
    case .broadcast: return broadcastPanes(of: workspace)
    case .workspace: return shells(of: workspace).filter { !$0.isBusy }
    case .hosts: return []
    }
  }

  private func shells(of workspace: Workspace) -> [Pane] {
    workspace.panes.compactMap { server.panes[$0] }
      .filter { $0.content.kind.isTerminal && $0.session.state.isTyping }
  }

  private func prepare(_ snippet: SnippetRecord, _ target: Action.SnippetTarget) {
    var hosts: [Form.Row] = []
    if target == .hosts {
      let hint = "names and #tags, with commas between"
      hosts = [Form.Row("Hosts", text: hostsInView, placeholder: hint)]
    }
    let form = Form.filling(snippet, and: hosts, verb: "run")
    guard !form.rows.isEmpty else { return run(snippet.filled(with: [:]), in: target) }
    present(
      FormSheet(form) { [weak self] texts in
        guard let self else { return nil }
        if let problem = snippet.problem(of: texts) { return problem }
        let empty = zip(snippet.placeholders, texts).first { $0.standard.isEmpty && $1.isEmpty }
        if let empty { return "\(empty.0.name) is to be filled in." }
        let text = snippet.filled(inOrder: texts)
        guard target == .hosts else {
          run(text, in: target)
          return nil
        }
        let hosts: [HostRecord]
        switch HostWords.hosts(texts.last ?? "", among: server.services.hosts) {
        case .success(let found): hosts = found
        case .failure(let problem): return problem.sentence
        }
        start(text, named: snippet.name, on: hosts)
        return nil
      }
    )
  }

  /// The saved hosts of the panes of the workspace in front.
  private var hostsInView: String {
    var names: [String] = []
    for pane in workspace?.panes.compactMap({ server.panes[$0] }) ?? [] {
      guard let host = pane.content.host,
        let name = server.services.vault.contents.host(host)?.name,
        !names.contains(name)
      else { continue }
      names.append(name)
    }
    return names.joined(separator: ", ")
  }

  /// Pastes a text into panes, and presses Enter in each; names those that were left out, since another program has them.
  private func run(_ text: String, in target: Action.SnippetTarget) {
    let panes = panes(of: target)
    var lines = text[...]
    while lines.last?.isNewline == true { lines = lines.dropLast() }
    let bytes = Array(lines.utf8)
    let refused = panes.filter { !($0.paste(bytes) && $0.send([0x0D])) }
    guard !refused.isEmpty else {
      let busy = target == .workspace ? workspace.map { shells(of: $0).filter(\.isBusy) } : nil
      let names = (busy ?? []).map(PaneText.title).joined(separator: ", ")
      let sent = panes.count == 1 ? "Sent to 1 pane" : "Sent to \(panes.count) panes"
      return show(Notice(.done, names.isEmpty ? "\(sent)." : "\(sent); busy: \(names)."))
    }
    let names = refused.map(PaneText.title).joined(separator: ", ")
    show(Notice(.problem, "These programs take no more input just now: \(names)."))
  }

  private func start(_ text: String, named name: String, on hosts: [HostRecord]) {
    let builder = server.services.routeBuilder(directory: "")
    let run = SnippetRun(
      text,
      on: hosts.map { HostTarget.content($0, builder) },
      server.services
    )
    // Presented once the form is gone.
    Task { [weak self] in
      guard let self else { return }
      let sheet = SnippetRunSheet(run, title: name) { [weak self] in self?.requestFrame() }
      var left: [String] = []
      run.onEnd = { [weak self, weak sheet] column, _ in
        // While the sheet is there, it says so itself.
        guard sheet == nil, column.state == SnippetRun.givenUp else { return }
        left.append(column.name)
        let names = left.joined(separator: ", ")
        self?.show(Notice(.problem, "\(name) was given up and may go on: \(names)."))
      }
      present(sheet)
      run.start()
    }
  }
}

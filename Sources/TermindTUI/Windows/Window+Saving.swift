import TermindApplication
import TermindDomain
import TermindPresentation

/// Saving what is on the screen into the vault.
extension Window {
  /// Saves the focused pane's host, when it was only typed.
  func saveHost() {
    guard let pane = focusedPane, case .ssh(let target) = pane.content else {
      return show(Notice(.info, "The focused pane is no connection to a host."))
    }
    guard target.host == nil else {
      return show(Notice(.info, "\(target.name) is a saved host already."))
    }
    ask(
      "Save this host",
      ["Its account and its jump hosts are saved with it; no password is."],
      name: target.name,
      ifEmpty: "A host needs a name."
    ) { [weak pane] window, name throws(StoreError) in
      let batch = window.server.services.records(saving: target.route, as: name)
      try await window.server.services.vault.save(batch, label: "the new host \(name)")
      if let host = batch.hosts.last { pane?.wasSaved(as: host) }
      return "\(name) is saved."
    }
  }

  /// Saves the workspace in front as a template; a name that is taken is refused.
  func saveTemplate() {
    guard let workspace else { return show(Notice(.info, "No workspace is in front.")) }
    ask(
      "Save as a template",
      name: workspace.isNamed ? workspace.name : "",
      ifEmpty: "A template needs a name."
    ) {
      window,
      name throws(StoreError) in
      let template = window.server.template(of: workspace, name: name)
      try await window.server.services.vault.save(
        VaultBatch(templates: [template]),
        label: "the new template \(name)"
      )
      return "\(name) is saved; Quick Open lists it."
    }
  }

  /// Asks for the name of what is to be saved, until it can be.
  ///
  /// - Parameters:
  ///   - title: What is saved.
  ///   - lines: What there is to know about it.
  ///   - name: The name that stands there at first.
  ///   - problem: What is said when there is none.
  ///   - save: Saves it once the store is open; what it returns is said then.
  private func ask(
    _ title: String,
    _ lines: [String] = [],
    name: String,
    ifEmpty problem: String,
    save: @escaping (Window, String) async throws(StoreError) -> String
  ) {
    let form = Form(
      title: title,
      lines: lines,
      rows: [Form.Row("Name", text: name)],
      hints: [KeyHint("enter", "save"), KeyHint("esc", "close")]
    )
    let overlay = WindowOverlay("save")
    present(
      AsyncFormSheet(form, in: self, overlay: overlay, busyText: "saving …") {
        [weak self] answers in
        guard let self else { return nil }
        let name = String(decoding: answers[0], as: UTF8.self).trimmed
        guard !name.isEmpty else { return problem }
        await server.services.storeSettled()
        do throws(StoreError) {
          show(Notice(.done, try await save(self, name)))
        } catch {
          return VaultErrorText.text(error)
        }
        return nil
      }
    )
  }
}

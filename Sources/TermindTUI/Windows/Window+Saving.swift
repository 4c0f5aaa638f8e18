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
    let form = Form(
      title: "Save this host",
      lines: ["Its account and its jump hosts are saved with it; no password is."],
      rows: [Form.Row("Name", text: target.name)],
      hints: [KeyHint("enter", "save"), KeyHint("esc", "close")]
    )
    present(
      AsyncFormSheet(
        form,
        in: self,
        overlay: WindowOverlay("save-host"),
        busyText: "saving …"
      ) { [weak self, weak pane] answers in
        guard let self else { return nil }
        let name = Self.name(answers)
        guard !name.isEmpty else { return "A host needs a name." }
        let batch = server.services.records(saving: target.route, as: name)
        await server.services.storeSettled()
        do throws(StoreError) {
          try await server.services.vault.save(batch, label: "the new host \(name)")
        } catch {
          return VaultErrorText.text(error)
        }
        if let host = batch.hosts.last { pane?.wasSaved(as: host) }
        show(Notice(.done, "\(name) is saved."))
        return nil
      }
    )
  }

  /// Saves the workspace in front as a template, in the place of one with the same name.
  func saveTemplate() {
    guard let workspace else { return show(Notice(.info, "No workspace is in front.")) }
    let form = Form(
      title: "Save as a template",
      rows: [Form.Row("Name", text: workspace.name)],
      hints: [KeyHint("enter", "save"), KeyHint("esc", "close")]
    )
    present(
      AsyncFormSheet(
        form,
        in: self,
        overlay: WindowOverlay("save-template"),
        busyText: "saving …"
      ) { [weak self] answers in
        guard let self else { return nil }
        let template = server.template(of: workspace, name: Self.name(answers))
        guard !template.name.isEmpty else { return "A template needs a name." }
        await server.services.storeSettled()
        do throws(StoreError) {
          try await server.services.vault.save(
            VaultBatch(templates: [template]),
            label: "the new template \(template.name)"
          )
        } catch {
          return VaultErrorText.text(error)
        }
        show(Notice(.done, "\(template.name) is saved; Quick Open lists it."))
        return nil
      }
    )
  }

  /// The name that was typed into a form of one field.
  private static func name(_ answers: [SecretBytes]) -> String {
    String(decoding: answers[0], as: UTF8.self).trimmingBlanks
  }
}

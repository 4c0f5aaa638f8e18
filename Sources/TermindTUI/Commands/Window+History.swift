import TermindApplication
import TermindDomain
import TermindPresentation
import TermindTerminal

/// The history of commands of the focused pane's host.
extension Window {
  /// Lists the commands that were run where the focused pane is, to insert one of them.
  func openCommandHistory() {
    guard let pane = focusedPane, let place = pane.commandPlace else {
      return show(Notice(.info, "The focused pane has no history of commands."))
    }
    Task { [weak self, weak pane] in
      do throws(StoreError) {
        let commands = try await self?.server.services.commandHistory(at: place) ?? []
        guard let self, let pane else { return }
        list(commands, for: pane)
      } catch {
        self?.show(Notice(.problem, ErrorText.explain(error).detail))
      }
    }
  }

  private func list(_ commands: [CommandRecord], for pane: Pane) {
    guard !commands.isEmpty else {
      return show(
        Notice(.info, "No command is known of here; shells tell of them with shell integration.")
      )
    }
    let entries = commands.map { command in
      let time = command.milliseconds.map { CommandText.duration(.milliseconds($0)) } ?? ""
      let failure = command.status.map { $0 == 0 ? "" : "✗ \($0)" } ?? ""
      let row = ChooserRow(
        title: CommandText.row(command.text),
        detail: [failure, time].filter { !$0.isEmpty }.joined(separator: " "),
        trailing: WallClock.age(since: command.started)
      )
      return ListSheet.Entry(text: command.text, row: row) { [weak self, weak pane] in
        guard let self, let pane else { return }
        insert(command.text, into: pane)
      }
    }
    let title = "Commands: \(pane.content.hostName ?? "this machine")"
    present(
      ListSheet(
        .chooser,
        ChooserSheet(
          title: title,
          hints: [
            KeyHint("enter", "insert"), KeyHint("del", "forget them all"), KeyHint("esc", "close"),
          ]
        ),
        entries: entries,
        deleting: { [weak self, weak pane] in
          guard let self, let place = pane?.commandPlace else { return }
          askToForget(commands.count, at: place, named: title)
        }
      )
    )
  }

  /// Asks whether the commands of a place are to be forgotten.
  private func askToForget(_ count: Int, at place: CommandPlace, named title: String) {
    let question = ConfirmSheet(
      title: "Forget these commands?",
      lines: [
        "\(title): \(count == 1 ? "1 command" : "\(count) commands"). They cannot be had back."
      ],
      buttons: [
        ConfirmSheet.Button(id: "cancel", label: "Cancel", role: .cancel),
        ConfirmSheet.Button(id: "forget", label: "Forget", role: .danger),
      ]
    )
    present(
      QuestionSheet(question) { [weak self] answer in
        guard answer == "forget" else { return }
        Task { [weak self] in
          do throws(StoreError) {
            try await self?.server.services.forgetCommands(at: place)
            self?.show(Notice(.done, "They are forgotten."))
          } catch { self?.show(Notice(.problem, ErrorText.explain(error).detail)) }
        }
      }
    )
  }

  /// Puts a command where the person types; it never runs by that.
  private func insert(_ command: String, into pane: Pane) {
    guard pane.session.state.isTyping, let surface = pane.surface else {
      return show(Notice(.problem, "A command goes into a running terminal; this one is not."))
    }
    let text = CommandText.joined(command)
    let isFramed = surface.withTerminal { $0.modes.bracketedPaste }
    guard isFramed || !text.contains(where: \.isNewline) else {
      server.services.pasteBuffers.add(Array(text.utf8), appends: false)
      return show(
        Notice(
          .problem,
          "The command has several lines, which this shell would run at once; it is in the paste buffer."
        )
      )
    }
    if !pane.paste(Array(text.utf8)) {
      show(Notice(.problem, "The program takes no more input just now; nothing was inserted."))
    }
  }
}

import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindPresentation
import TermindScreen

/// What windows show of the files that are edited in copies.
extension WindowServer {
  /// An editor that ends sooner without a save has gone on by itself.
  private static let shortestEdit = Duration.seconds(2)

  /// Hears of saves and uploads.
  func watchEdits() {
    edits.onChange = { [weak self] _ in
      self?.windows.values.forEach { $0.requestFrame() }
      self?.endWhenIdle()
    }
    edits.onSave = { [weak self] in self?.editSaved($0) }
  }

  private func editSaved(_ edit: ExternalEdit) {
    for window in windows.values { window.requestFrame() }
    if edit.isInConflict {
      let what = edit.state == .gone ? "deleted" : "changed"
      window(of: edit)?.show(
        Notice(.problem, "\(edit.name) was saved here, and \(what) on the server: E decides.")
      )
    } else if looks.preferences.uploadsEdits {
      upload(edit, in: window(of: edit))
    } else {
      window(of: edit)?.show(
        Notice(.info, "\(edit.name) was saved here; E in a file pane uploads it.")
      )
    }
  }

  /// The window in which an edit is told of: that of its editor, else the last one used.
  private func window(of edit: ExternalEdit) -> Window? {
    edit.pane.flatMap { model.window(of: $0) }.flatMap { windows[$0.id] }
      ?? activeWindow.flatMap { windows[$0] }
  }

  /// An editor has ended: a copy that is as on the server goes, about another one the person decides.
  func editorEnded(in pane: PaneID) {
    guard let edit = edits.edit(in: pane) else { return }
    let window = window(of: edit)
    edit.pane = nil
    let isWell = panes[pane]?.endedWell == true
    let isShort = edit.started.map { $0.duration(to: .now) < Self.shortestEdit } ?? false
    Task { [weak self] in
      guard let self else { return }
      let isKnown = await edits.lookNow(edit)
      if isWell {
        _ = model.close(pane)
        reconcile()
      }
      if edit.isUnsaved {
        // An upload by itself tells of itself.
        if edit.state != .uploading, let window { present(edit, in: window) }
      } else if isWell, isShort, !edit.hasBeenSaved {
        edit.isElsewhere = true
        window?.show(
          Notice(.info, "\(edit.name): its editor goes on by itself; E closes the copy.")
        )
      } else if isKnown {
        edits.end(edit)
      }
    }
  }

  // MARK: The list

  /// Shows what is edited, to choose from.
  func showEdits(in window: Window) {
    guard !edits.edits.isEmpty else {
      return window.show(
        Notice(.info, "No file of a server is edited here: e in a file pane does.")
      )
    }
    let entries = edits.edits.map { edit in
      ListSheet.Entry(
        text: "\(edit.name) \(edit.path.text)",
        row: ChooserRow(
          title: edit.name,
          detail: edit.path.text,
          trailing: edit.shortState,
          sign: edit.isUnsaved ? "●" : "✓",
          signInk: edit.isUnsaved ? .warning : .accent
        )
      ) { [weak self, weak window] in
        guard let self, let window else { return }
        present(edit, in: window)
      }
    }
    window.present(
      ListSheet(
        WindowOverlay("edits"),
        ChooserSheet(
          title: "Files edited here",
          placeholder: "a file or a host",
          hints: [KeyHint("enter", "choose"), KeyHint("esc", "close")]
        ),
        entries: entries,
        selected: 0
      )
    )
  }

  /// Asks what becomes of an edit.
  func present(_ edit: ExternalEdit, in window: Window) {
    var buttons = [ConfirmSheet.Button(id: "later", label: "Later", role: .cancel)]
    if edit.state == .gone {
      buttons.append(ConfirmSheet.Button(id: "overwrite", label: "Make it anew", role: .plain))
    } else if edit.state == .conflict {
      buttons += [
        ConfirmSheet.Button(id: "differences", label: "Differences", role: .plain),
        ConfirmSheet.Button(id: "both", label: "Keep both", role: .plain),
        ConfirmSheet.Button(id: "overwrite", label: "Overwrite", role: .danger),
      ]
    } else if edit.isUnsaved {
      buttons += [
        ConfirmSheet.Button(id: "upload", label: "Upload", role: .plain),
        ConfirmSheet.Button(id: "differences", label: "Differences", role: .plain),
      ]
    }
    buttons += [
      ConfirmSheet.Button(id: "edit", label: "Edit", role: .plain),
      ConfirmSheet.Button(id: "keep", label: "Keep the copy", role: .plain),
      ConfirmSheet.Button(
        id: "discard",
        label: edit.isUnsaved ? "Discard" : "Close",
        role: edit.isUnsaved ? .danger : .plain
      ),
    ]
    let sheet = ConfirmSheet(
      title: edit.name,
      lines: ["\(edit.path.text): \(edit.stateText).", "The copy here: \(edit.file.text)"],
      buttons: buttons
    )
    window.present(
      QuestionSheet(sheet) { [weak self, weak window] answer in
        guard let self, let window else { return }
        decide(answer, edit, in: window)
      }
    )
  }

  private func decide(_ answer: String, _ edit: ExternalEdit, in window: Window) {
    switch answer {
    case "upload": upload(edit, in: window)
    case "overwrite": upload(edit, .overwrite, in: window)
    case "both": upload(edit, .keepBoth, in: window)
    case "differences": showDifferences(edit, in: window)
    case "edit": openEditor(edit, in: window)
    case "keep": keep(edit, in: window)
    case "discard": edits.end(edit)
    default: break
    }
  }

  // MARK: What is done

  private func keep(_ edit: ExternalEdit, in window: Window) {
    Task { [weak self, weak window] in
      guard let self else { return }
      do throws(CopyFailure) {
        let file = try await edits.endKeepingCopy(edit)
        window?.show(Notice(.done, "The copy stays: \(PathText.safe(file.bytes[...]))"))
      } catch {
        window?.show(Notice(.problem, ErrorText.sentence(error, copying: edit.file)))
      }
    }
  }

  private func upload(
    _ edit: ExternalEdit,
    _ conflict: ExternalEdits.Conflict = .ask,
    in window: Window?
  ) {
    Task { [weak self, weak window] in
      guard let self else { return }
      let notice = await edits.upload(edit, conflict)
      if let directory = edit.path.parent {
        filesChanged(at: edit.target.place, directory, except: nil)
      }
      window?.show(notice)
      // A closed editor leaves nothing to do once all is uploaded.
      if !edit.isUnsaved, edit.pane == nil, !edit.isElsewhere { edits.end(edit) }
      if edit.isInConflict, conflict == .ask, let window { present(edit, in: window) }
    }
  }

  private func showDifferences(_ edit: ExternalEdit, in window: Window) {
    Task { [weak self, weak window] in
      guard let self else { return }
      do throws(CopyFailure) {
        let original = try await edits.fetchOriginal(edit)
        window?.showDifferences(
          (original, "\(edit.target.name):\(edit.path.text)"),
          (edit.file, "here"),
          titled: "differences of \(edit.name)"
        ) { [weak self, weak window] isUsed in
          // It is still to be decided.
          guard isUsed, let self, let window, edit.isUnsaved,
            self.edits.edits.contains(where: { $0 === edit })
          else { return }
          self.present(edit, in: window)
        }
      } catch {
        window?.show(Notice(.problem, ErrorText.sentence(error, copying: edit.path)))
      }
    }
  }

  /// Opens the editor of a copy beside what has the focus, or goes to where it runs.
  func openEditor(_ edit: ExternalEdit, in window: Window?) {
    guard let window else { return }
    if let pane = edit.pane, panes[pane]?.isLive == true, let owner = model.window(of: pane) {
      model.update(owner.id) { $0.focusPane(pane) }
      return reconcile()
    }
    guard let file = String(validating: edit.file.bytes, as: UTF8.self) else { return }
    // Not beside a file whose name a server chose: editors take some for settings.
    let pane = window.openHelper(
      services.editorWords(for: file),
      in: services.home,
      titled: edit.name
    ) { [weak self, weak edit] _ in
      if let self, let pane = edit?.pane { editorEnded(in: pane) }
    }
    guard let pane else { return }
    edit.pane = pane
    edit.started = .now
    edit.hasBeenSaved = false
    edit.isElsewhere = false
  }
}

extension Window {
  /// Shows in which lines two files of this machine differ, in a pane beside.
  ///
  /// - Parameters:
  ///   - first: One file, and what it is called.
  ///   - second: The other one.
  ///   - title: What the pane is called.
  ///   - whenEnded: Runs when it has ended or was closed; told whether somebody has looked at it.
  /// - Returns: The pane; nil when there is none.
  @discardableResult
  func showDifferences(
    _ first: (file: RemotePath, label: String),
    _ second: (file: RemotePath, label: String),
    titled title: String,
    whenEnded: @escaping (_ isUsed: Bool) -> Void
  ) -> PaneID? {
    guard let one = String(validating: first.file.bytes, as: UTF8.self),
      let other = String(validating: second.file.bytes, as: UTF8.self)
    else {
      show(Notice(.problem, "The name of a file is no text."))
      return nil
    }
    // `diff` says by its status whether there is anything to page through.
    let script = """
      if diff -q -- "$1" "$2" >/dev/null; then echo "Both are the same: $3"; exit; fi
      diff -u --label "$3" --label "$4" -- "$1" "$2" | ${PAGER:-less}
      """
    return openHelper(
      ["/bin/sh", "-c", script, "diff", one, other, first.label, second.label],
      in: nil,
      titled: title,
      showsText: true,
      whenEnded: whenEnded
    )
  }
}

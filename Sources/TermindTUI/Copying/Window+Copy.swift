import Dispatch
import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindPresentation
import TermindScreen
import TermindTerminal

/// Copy mode, the clipboard and paste buffers.
extension Window {
  /// Most bytes that a terminal is given for its clipboard; many drop longer ones silently.
  private static let clipboardLimit = 1 << 20

  /// Lets keys move about in the focused pane's text.
  func enterCopyMode() {
    guard let pane = focusedPane else { return }
    guard let surface = pane.surface else {
      return show(Notice(.info, "There is no text in this pane to copy."))
    }
    pane.copying = CopyMode(pane, surface, keys: server.looks.preferences.copyKeys)
    requestFrame()
  }

  /// Gives a key to copy mode, or ends a selection of the mouse.
  ///
  /// - Returns: Whether the key is used up.
  func typeIntoCopyMode(_ pane: Pane, _ key: KeyEvent) -> Bool {
    guard let mode = pane.copying else { return false }
    guard mode.origin == .keys else {
      guard key.kind == .press else { return false }
      if case .modifier = key.code { return false }
      pane.copying = nil
      requestFrame()
      return key.code == .escape
    }
    switch mode.handle(key) {
    case .stay: break
    case .leave: leaveCopyMode(pane)
    case .copy(let keeps, let appends):
      if let text = mode.text { copy(Array(text.utf8), appends: appends) }
      if keeps { mode.dropSelection() } else { leaveCopyMode(pane) }
    case .pipe: if let text = mode.text { askForProgram(toRead: Array(text.utf8)) }
    case .find: pane.find.open()
    case .findAgain(let older):
      pane.find.step(older: older, from: mode.cursor)
      if let match = pane.find.current { mode.put(match.start) }
    }
    requestFrame()
    return true
  }

  private func leaveCopyMode(_ pane: Pane) {
    pane.copying = nil
    pane.find.close()
    pane.scroll(to: 0)
  }

  /// Copies what is selected in the focused pane.
  func copySelection() {
    guard let pane = focusedPane, let text = pane.copying?.text else {
      return show(Notice(.info, "Nothing is selected."))
    }
    copy(Array(text.utf8))
    if pane.copying?.origin == .mouse { pane.copying = nil }
  }

  /// Puts a text into the paste buffers and the outer terminal's clipboard; says what came of it.
  func copy(_ text: [UInt8], appends: Bool = false) {
    guard !text.isEmpty else { return show(Notice(.info, "The selection holds no text.")) }
    server.services.pasteBuffers.add(text, appends: appends)
    let whole = server.services.pasteBuffers.texts.first ?? text
    server.personCopied(whole)
    let desktop = giveToDesktop(whole)
    guard whole.count <= Self.clipboardLimit || desktop else {
      return show(
        Notice(
          .problem,
          "\(whole.count) bytes are too many for the clipboard; they are in the paste buffer."
        )
      )
    }
    let isTold =
      whole.count <= Self.clipboardLimit
      && terminal?.notify(ClipboardSequence.write(whole)) == true
    guard isTold || desktop else {
      return show(
        Notice(.problem, "The terminal takes no more just now; the text is in the paste buffer.")
      )
    }
    let lines = whole.count { $0 == 0x0A } + (whole.last == 0x0A ? 0 : 1)
    show(Notice(.done, lines == 1 ? "Copied \(whole.count) bytes." : "Copied \(lines) lines."))
  }

  /// Gives a text to the program that keeps the desktop's clipboard; whether there is one.
  private func giveToDesktop(_ text: [UInt8]) -> Bool {
    guard let words = ClipboardProgram.words(server.services.programEnvironment) else {
      return false
    }
    return feed(words, text) { end in
      // A program that lives on and is ended by the next copy has done its work.
      guard case .exited(let status) = end, status != 0 else { return nil }
      return "\(words[0]) did not take the text for the clipboard (status \(status))."
    }
  }

  /// Asks for a command of the local shell that reads the selection.
  private func askForProgram(toRead text: [UInt8]) {
    let form = Form(
      title: "Give the selection to a program",
      rows: [Form.Row("Command", text: "", placeholder: "wc -l")],
      hints: [KeyHint("enter", "run"), KeyHint("esc", "close")]
    )
    present(
      FormSheet(form) { [weak self] texts in
        guard let command = texts.first, !command.isEmpty else { return "Which command?" }
        self?.feed(["/bin/sh", "-c", command], text) { end in
          switch end {
          case .exited(0): nil
          case .exited(let status): "The command exited with status \(status)."
          case .signalled(let name): "The command was ended by \(name)."
          }
        }
        return nil
      }
    )
  }

  /// Starts a program that reads a text.
  ///
  /// - Parameters:
  ///   - words: The program and its arguments.
  ///   - text: What it reads.
  ///   - problem: What is to be said about its end.
  /// - Returns: Whether it is being started.
  @discardableResult
  func feed(
    _ words: [String],
    _ text: [UInt8],
    problem: @escaping @MainActor @Sendable (SpawnedProcess.End) -> String?
  ) -> Bool {
    do throws(EventLoopError) {
      try FedProgram.start(
        words,
        input: text,
        environment: server.services.programEnvironment,
        directory: directory
      ) { [weak self] end in
        DispatchQueue.main.async {
          MainActor.assumeIsolated {
            let text: String? =
              switch end {
              case .success(let end): problem(end)
              case .failure: "\(words[0]) could not be started."
              }
            if let text { self?.show(Notice(.problem, text)) }
          }
        }
      }
      return true
    } catch {
      show(Notice(.problem, "The system has no thread left to start \(words[0])."))
      return false
    }
  }

  // MARK: Pasting

  /// Pastes the text that was copied last.
  func pasteNewest() {
    guard let text = server.services.pasteBuffers.texts.first else {
      return show(Notice(.info, "Nothing was copied yet."))
    }
    handlePaste(text)
  }

  /// Lists what was copied, to paste one of it.
  func choosePasteBuffer() {
    let texts = server.services.pasteBuffers.texts
    guard !texts.isEmpty else { return show(Notice(.info, "Nothing was copied yet.")) }
    let entries = texts.map { text in
      let words = String(decoding: text.prefix(400), as: UTF8.self)
      let flat = words.split(whereSeparator: \.isNewline).joined(separator: " ⏎ ")
      let row = ChooserRow(title: flat, trailing: "\(text.count) bytes")
      return ListSheet.Entry(text: flat, row: row) { [weak self] in self?.handlePaste(text) }
    }
    present(ListSheet(.chooser, ChooserSheet(title: "Paste"), entries: entries))
  }

  /// Whether a paste has to be confirmed: several lines into a shell that would run them one by one.
  ///
  /// Of a local shell it is known when another program has the terminal; a remote one may always be in front.
  func mustConfirm(_ bytes: [UInt8], into pane: Pane) -> Bool {
    guard server.looks.preferences.confirmsPaste else { return false }
    let modes = pane.surface?.withTerminal { $0.modes }
    guard let modes, !modes.bracketedPaste, !modes.isAlternateScreen,
      !pane.hasForegroundJob
    else { return false }
    let text = bytes.last == 0x0A ? bytes.dropLast() : bytes[...]
    return text.contains(0x0A) || text.contains(0x0D)
  }

  /// Asks before several lines are pasted.
  func confirm(_ bytes: [UInt8], _ paste: @escaping () -> Void) {
    let lines = String(decoding: bytes.prefix(4_096), as: UTF8.self)
      .split(whereSeparator: \.isNewline)
    let count = bytes.count { $0 == 0x0A || $0 == 0x0D }
    var shown = lines.prefix(4).map { String($0.prefix(70)) }
    if lines.count > 4 { shown.append("…") }
    let question = ConfirmSheet(
      title: "Paste \(max(count, lines.count)) lines?",
      lines: ["This shell cannot tell a paste from typing, and runs each line at once."] + shown,
      buttons: [
        ConfirmSheet.Button(id: "cancel", label: "Cancel", role: .cancel),
        ConfirmSheet.Button(id: "paste", label: "Paste", role: .danger),
      ]
    )
    present(QuestionSheet(question) { answer in if answer == "paste" { paste() } })
  }
}

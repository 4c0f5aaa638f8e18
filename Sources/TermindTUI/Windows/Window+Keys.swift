import TermindApplication
import TermindDomain
import TermindPresentation
import TermindScreen
import TermindTerminal

/// The way of a key: a sheet, then the keymap, then what has the focus.
extension Window {
  /// Takes a key.
  ///
  /// - Parameter key: The key.
  /// - Returns: Whether the window may look different now; not when a program only got the key.
  func handle(_ key: KeyEvent) -> Bool {
    guard sheets.isEmpty else {
      handleOverSheet(key)
      return true
    }
    let shown = whichKey
    let outcome = resolver.feed(key, at: ContinuousClock.now)
    take(outcome)
    // Letting go of a key, such as the leader, decides nothing.
    if key.kind == .release { whichKey = shown }
    armKeyTimer()
    guard case .passThrough = outcome, shown == nil, let pane = focusedPane else { return true }
    return !pane.session.state.isTyping || pane.isFinding || pane.files != nil
      || pane.prompts.current != nil
  }

  func keyDeadlinePassed() {
    if let outcome = resolver.deadlinePassed(at: ContinuousClock.now) { take(outcome) }
    requestFrame()
    armKeyTimer()
  }

  private func take(_ outcome: KeyOutcome) {
    typedTime = nil
    if case .showChoices(let keys) = outcome { whichKey = keys } else { whichKey = nil }
    switch outcome {
    case .action(let action): perform(action)
    case .passThrough(let keys):
      for key in keys { type(key, carries: !resolver.isLeader(key)) }
    case .sendLeader(let key): type(key, carries: false)
    case .unbound(let chords):
      let text = chords.map(\.description).joined(separator: " ")
      show(Notice(.info, "\(text) is not bound; press \(helpKeys) for all keys."))
    case .pending, .showChoices, .cancelled, .consumed: break
    }
  }

  private var helpKeys: String { server.looks.keymap.keysText(for: .showKeys) ?? "?" }

  /// Gives a key to what has the focus.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - carries: Whether a broadcast takes it to other panes too.
  private func type(_ key: KeyEvent, carries: Bool) {
    guard let workspace else { return typeIntoDestination(key) }
    guard let pane = server.panes[workspace.focus] else { return }
    if let prompt = prompt(of: pane.id) { return prompt.handle(key) }
    if let files = pane.files, pane.session.state.isTyping {
      return files.handle(key, in: self)
    }
    if pane.isFinding { return pane.find.handle(key) }
    if typeIntoCopyMode(pane, key) { return }
    let bridged = KeyBridge.key(key)
    let others =
      carries && pane.isBroadcasting ? broadcastPanes(of: workspace).filter { $0 !== pane } : []
    if pane.session.state.isTyping {
      typedTime = server.services.now
      pane.type(bridged)
    } else if others.isEmpty {
      // While there are others, what is typed is meant for them, also where the focused one has died.
      typeIntoIdle(pane, key)
    }
    for other in others { other.type(bridged) }
  }

  /// The panes of a workspace that take part in a broadcast and have a live program.
  func broadcastPanes(of workspace: Workspace) -> [Pane] {
    workspace.panes.compactMap { server.panes[$0] }
      .filter { $0.isBroadcasting && $0.session.state.isTyping }
  }

  private func typeIntoDestination(_ key: KeyEvent) {
    switch model.destination {
    case .welcome: follow(welcome.handle(key))
    case .vault: vault.handle(key)
    case .metrics, .assistant, .settings, .workspace: break
    }
  }

  /// Does what the Welcome screen came to.
  func follow(_ outcome: WelcomeState.Outcome) {
    switch outcome {
    case .stay, .ignored: break
    case .local: perform(.openLocal)
    case .connect(let line): connect(line: line)
    case .open(let host): open(host)
    case .empty: if server.services.storeProblem != nil { server.services.openStore() }
    }
  }

  /// How long after the end of a program keys are still taken for its own.
  static let typeAheadTime = Duration.milliseconds(500)

  /// A pane without a live program takes a few keys of its own.
  private func typeIntoIdle(_ pane: Pane, _ key: KeyEvent) {
    // Of the chords only Ctrl-d means anything here: a person who was just deleting a word with Alt-d loses no pane.
    guard key.kind == .press, key.modifiers.isDisjoint(with: [.alt, .super]) else { return }
    // What was typed for a program that has just ended is no command to its pane.
    if let end = pane.lastEnd, server.services.now - end < Self.typeAheadTime { return }
    switch (pane.content.kind, key.code, !key.modifiers.contains(.control)) {
    case (.empty, .enter, true), (.empty, .character(0x6C), true): perform(.openLocal)
    case (.empty, .character(0x63), true): perform(.openSSH)
    case (.empty, .escape, true), (.empty, .character(0x64), false): perform(.closePane)
    case (_, .character(0x72), true), (_, .enter, true): pane.start()
    case (_, .escape, true):
      // In a pane that was up, Escape was meant for its program: the text stays, and the recovery goes on.
      if pane.session.state.isRecovering { return }
      if pane.isLive { pane.cancel() } else if !pane.hasBeenUp { perform(.closePane) }
    case (_, .character(0x64), false):
      if pane.isLive { pane.cancel() } else { perform(.closePane) }
    default: break
    }
  }

  // MARK: Pastes

  func handlePaste(_ bytes: [UInt8]) {
    typedTime = nil
    if let sheet = sheets.last { return finish(sheet.handlePaste(bytes), of: sheet) }
    guard let workspace else {
      let text = String(decoding: bytes, as: UTF8.self)
      if model.destination == .welcome { welcome.paste(text) }
      if model.destination == .vault { vault.paste(text) }
      return
    }
    guard let pane = server.panes[workspace.focus] else { return }
    if let prompt = prompt(of: pane.id) { return prompt.paste(bytes) }
    if let files = pane.files, pane.session.state.isTyping {
      return files.paste(String(decoding: bytes, as: UTF8.self))
    }
    if pane.isFinding { return pane.find.paste(bytes) }
    let live = pane.session.state.isTyping ? [pane] : []
    let targets = pane.isBroadcasting ? broadcastPanes(of: workspace) : live
    guard !targets.isEmpty else {
      return show(Notice(.problem, "The paste was not sent: no program runs in this pane yet."))
    }
    let isUpload =
      targets.count == 1
      && offerUpload(bytes, to: targets[0]) { [weak self] in self?.paste(bytes, into: targets) }
    guard !isUpload else { return }
    guard !targets.contains(where: { mustConfirm(bytes, into: $0) }) else {
      return confirm(bytes) { [weak self] in self?.paste(bytes, into: targets) }
    }
    paste(bytes, into: targets)
  }

  private func paste(_ bytes: [UInt8], into targets: [Pane]) {
    for target in targets where !target.paste(bytes) {
      show(Notice(.problem, "The paste was not sent: the program takes no more input just now."))
    }
  }

  // MARK: Sheets

  /// Shows a sheet on top.
  func present(_ sheet: any Sheet) {
    resolver.reset()
    whichKey = nil
    sheets.append(sheet)
    sheetKeys = []
    // What a key or the mouse asks for is there before the next key; this one came while a program was typed into.
    typingEnd = typedTime.map { $0 + Self.typeAheadTime }
    typedTime = nil
    server.model.update(id) { $0.present(sheet.overlay) }
    reportFocus()
    requestFrame()
  }

  /// Takes the sheet on top away without a decision.
  func dismissTopSheet() {
    guard let sheet = sheets.popLast() else { return }
    sheetKeys = []
    server.model.update(id) { _ = $0.dismiss(sheet.overlay) }
    sheet.dismissed()
    reportFocus()
    requestFrame()
  }

  func finish(_ outcome: SheetOutcome, of sheet: any Sheet) {
    requestFrame()
    guard case .stay = outcome else {
      sheets.removeAll { $0 === sheet }
      server.model.update(id) { _ = $0.dismiss(sheet.overlay) }
      if case .closeThen(let work) = outcome { work() }
      reportFocus()
      return
    }
  }
}

extension PaneSessionState {
  /// Whether a program is there to be typed into.
  var isTyping: Bool {
    if case .live = self { return true }
    return false
  }

  /// Whether a connection that was lost is being brought back without the person.
  var isRecovering: Bool {
    switch self {
    case .lost: true
    case .connecting(let progress), .waiting(_, let progress): progress.isSilent
    case .idle, .live, .failed, .ended, .closed: false
    }
  }
}

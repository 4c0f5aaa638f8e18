import Dispatch
import TermindApplication
import TermindDomain
import TermindPresentation
import TermindScreen
import TermindTerminal

/// One window: what it shows is in the server's model, what lies over it and its terminal are here.
///
/// It outlives its terminal: a detached window keeps everything but the sheets.
final class Window {
  /// What a held mouse button moves or talks to.
  enum Grip {
    /// A border between panes.
    case border(SplitBorderID)
    /// The program in a pane, which gets the motion and the release too.
    case program(PaneID)
    /// The files that are chosen in a pane, on their way to another one.
    case files(PaneID)
    /// The text of a pane, which is being selected.
    case selection(PaneID)
  }

  let id: WindowID
  unowned let server: WindowServer
  private(set) var terminal: AttachedTerminal?
  var sheets: [any Sheet] = []
  /// Keys over a sheet that may become the sequence that closes it.
  var sheetKeys: [KeyEvent] = []
  /// When the person last typed into a program, as long as nothing else was asked for since.
  var typedTime: Duration?
  /// Until when keys over a sheet that came by itself are taken for a program's.
  var typingEnd: Duration?
  var resolver: KeymapResolver
  var welcome = WelcomeState()
  private(set) lazy var vault = VaultController(self)
  var grip: Grip?
  /// The selection that is being made with the mouse.
  var selecting: MouseSelecting?
  var clicks = ClickCounter()
  /// The choices of an open key sequence, after the pause.
  var whichKey: PendingKeys?
  private(set) var notice: Notice?
  /// Workspaces in which something was printed, or a bell rang, while they were not in front.
  private(set) var activity: Set<WorkspaceID> = []
  private(set) var bells: Set<WorkspaceID> = []
  /// The open question of each pane.
  private var prompts: [PaneID: PanePromptView] = [:]
  private(set) var size = TerminalDimensions(rows: 24, columns: 80)
  private var hasFocus = true
  /// Whether its terminal is there and has the focus.
  var isLookedAt: Bool { terminal != nil && hasFocus }
  /// The pane whose program was told last that it has the focus.
  private var toldPane: PaneID?
  /// What the last frame drew where, for the mouse.
  var targets = WindowTargets()
  private var clock: FrameClock?
  private var keyTimer: Task<Void, Never>?
  private var noticeTimer: Task<Void, Never>?
  private var tick: Task<Void, Never>?
  private var hasSuitableSidebar: Bool
  private var knownLook: Appearance?
  /// Whether something lay over the panes in the last frame, so that their cells there are not theirs.
  private var hadOverlay = false
  /// The panes that the last whole frame drew.
  var shownPanes: [WindowPainter.ShownPane] = []
  /// Whether more may have changed than what `printedPanes` show.
  private var needsWholeFrame = true
  private var printedPanes: [PaneID] = []
  /// The workspaces in which the panes of the broadcast have one size.
  var evened: Set<WorkspaceID> = []
  /// The arrangement chosen last, so that the next-layout key goes on from it.
  var lastPreset: SplitPreset?

  init(id: WindowID, server: WindowServer) {
    self.id = id
    self.server = server
    hasSuitableSidebar = server.looks.preferences.sidebar == nil
    resolver = KeymapResolver(keymap: server.looks.keymap)
    clock = FrameClock { [weak self] in self?.draw() ?? false }
  }

  // MARK: The model

  /// The window's model; a closed window is an empty one.
  var model: WindowModel { server.model.window(id) ?? WindowModel(id: id) }

  /// The workspace in front.
  var workspace: Workspace? { model.activeWorkspace }

  /// The pane that has the focus; nil where no workspace is in front.
  var focusedPane: Pane? { workspace.flatMap { server.panes[$0.focus] } }

  var layout: WindowLayout {
    WindowLayout(rows: size.rows, columns: size.columns, sidebar: model.sidebar)
  }

  /// Where the panes of the workspace in front lie.
  var split: SplitLayout? { workspace?.layout(in: layout.content, titleRow: true) }

  /// The looks in this window's terminal; derived anew only when the theme or the terminal changed.
  var look: Appearance {
    let depth = terminal?.capabilities.colorDepth ?? .trueColor
    if let known = knownLook, known.theme == server.looks.theme, known.depth == depth {
      return known
    }
    let made = Appearance(theme: server.looks.theme, depth: depth)
    knownLook = made
    return made
  }

  /// The model changed: panes get their sizes, and a frame is drawn.
  func modelChanged() {
    if let front = workspace?.id {
      activity.remove(front)
      bells.remove(front)
    }
    prompts = prompts.filter { server.panes[$0.key] != nil }
    if let pane = focusedPane { pane.turns?.prefer(pane.id) }
    reportFocus()
    resizePanes()
    requestFrame()
  }

  /// Tells the programs that lose and get the focus; one under a sheet or in a terminal without focus has none.
  func reportFocus() {
    let focused = terminal != nil && hasFocus && sheets.isEmpty ? focusedPane : nil
    guard focused?.id != toldPane else { return }
    if let told = toldPane { server.panes[told]?.reportFocus(false) }
    focused?.reportFocus(true)
    toldPane = focused?.id
  }

  /// Gives every visible pane the size of its area.
  func resizePanes() {
    guard let split, terminal != nil else { return }
    let sizes = split.panes.map { (pane: $0.pane, size: dimensions(of: $0.rectangle)) }
    let common = commonSize(sizes)
    for (id, size) in sizes {
      let pane = server.panes[id]
      pane?.resize(to: pane?.isBroadcasting == true ? common ?? size : size)
    }
  }

  private func dimensions(of area: CellRectangle) -> TerminalDimensions {
    TerminalDimensions(
      rows: area.rows,
      columns: area.columns,
      pixelWidth: size.pixelWidth * area.columns / max(size.columns, 1),
      pixelHeight: size.pixelHeight * area.rows / max(size.rows, 1)
    )
  }

  // MARK: Changes of panes

  /// A program printed something: its pane is drawn again, at once when that answers a key.
  func panePrinted(_ pane: PaneID, isAnswer: Bool) {
    guard shownPanes.contains(where: { $0.face.pane == pane }) else { return paneWasActive(pane) }
    guard terminal != nil else { return }
    if !printedPanes.contains(pane) { printedPanes.append(pane) }
    clock?.requestFrame(isAnswer ? .answer : .change)
  }

  func paneWasActive(_ pane: PaneID) {
    guard let owner = model.workspace(of: pane)?.id, owner != workspace?.id else { return }
    if activity.insert(owner).inserted { requestFrame() }
  }

  func paneRang(_ pane: PaneID) {
    terminal?.ring()
    guard let owner = model.workspace(of: pane)?.id, owner != workspace?.id else { return }
    bells.insert(owner)
    requestFrame()
  }

  /// Rings the terminal's bell.
  func ring() { terminal?.ring() }

  /// Passes a text that a program put into the clipboard on to the outer terminal.
  func copied(_ bytes: [UInt8]?, from pane: PaneID) {
    guard let bytes else {
      return show(Notice(.problem, "The program's text is larger than 1 MiB and was not copied."))
    }
    guard let terminal, terminal.notify(ClipboardSequence.write(bytes)) else {
      return show(Notice(.problem, "The text was not copied: the terminal takes no more just now."))
    }
    // A program in the background may do this too, so the person is told whose text it is.
    let name = server.panes[pane].map(PaneText.title) ?? "a pane"
    show(Notice(.done, "\(name) copied \(bytes.count) bytes to the clipboard."))
  }

  /// The open question of a pane.
  func prompt(of pane: PaneID) -> PanePromptView? {
    guard let queue = server.panes[pane]?.prompts, let current = queue.current else {
      prompts[pane] = nil
      return nil
    }
    if let known = prompts[pane], known.number == current.number { return known }
    let made = PanePromptView(current.question, number: current.number, queue: queue)
    prompts[pane] = made
    return made
  }

  func servicesChanged() {
    welcome.hostsChanged(server.services)
    refreshQuickOpen()
    requestFrame()
  }

  func looksChanged() {
    resolver.keymap = server.looks.keymap
    terminal?.repaint()
    requestFrame()
  }

  // MARK: The terminal

  /// Shows the window in a terminal.
  func attach(_ terminal: AttachedTerminal) {
    self.terminal = terminal
    terminal.delegate = self
    size = terminal.size
    if hasSuitableSidebar {
      server.model.update(id) { $0.sidebar = WindowLayout.suitableSidebar(columns: size.columns) }
    }
    welcome.hostsChanged(server.services)
    if let problem = server.looks.problem { show(Notice(.problem, problem)) }
    terminal.start()
    // Drawn in the main queue's next turn, when whatever the window is opened with is in it.
    modelChanged()
    startTicking()
  }

  /// Gives the terminal back with a closing line; the window itself stays.
  func leave(text: String) {
    let old = terminal
    forgetTerminal()
    old?.close(text: text)
  }

  /// Gives the terminal to another window; this one is detached.
  func releaseTerminal() -> AttachedTerminal? {
    let released = terminal
    forgetTerminal()
    return released
  }

  private func forgetTerminal() {
    terminal = nil
    shownPanes = []
    grip = nil
    whichKey = nil
    resolver.reset()
    tick?.cancel()
    keyTimer?.cancel()
    for sheet in sheets { sheet.dismissed() }
    sheets = []
    sheetKeys = []
    hasFocus = true
    reportFocus()
  }

  /// The person chose a sidebar; no size of the terminal changes it any more.
  func keepSidebar() { hasSuitableSidebar = false }

  // MARK: Frames

  /// Draws the whole window again soon.
  func requestFrame() {
    guard terminal != nil else { return }
    needsWholeFrame = true
    clock?.requestFrame()
  }

  private func draw() -> Bool {
    guard let terminal else { return false }
    adoptProgramModes()
    let printed = printedPanes
    printedPanes.removeAll(keepingCapacity: true)
    let hasOverlay = !sheets.isEmpty || whichKey != nil
    if !needsWholeFrame, !hadOverlay, !hasOverlay, terminal.keepsFrame,
      let panes = WindowPainter.shownAlike(printed, in: self)
    {
      return terminal.redraw { canvas in
        for place in panes { PanePainter(self, look).redraw(&shownPanes[place], on: &canvas) }
      }
    }
    needsWholeFrame = false
    terminal.title = outerTitle
    let keepsPictures = !hadOverlay && server.panes.values.contains(where: \.isHoldingPicture)
    hadOverlay = hasOverlay
    return terminal.draw(keepingLast: keepsPictures) { canvas, last in
      WindowPainter(self, last: last).draw(on: &canvas)
    }
  }

  /// What the outer terminal's title says: the workspace and the focused pane.
  private var outerTitle: String {
    let parts = [
      focusedPane.map(PaneText.title), workspace.flatMap { $0.isNamed ? $0.name : nil },
      model.customName ?? "Termind",
    ].compactMap { $0 }
    return parts.joined(separator: " · ")
  }

  /// Shows a message in the status line for some seconds.
  func show(_ notice: Notice) {
    self.notice = notice
    requestFrame()
    noticeTimer?.cancel()
    noticeTimer = Task { [weak self] in
      // Cancelled by the next message.
      guard (try? await Task.sleep(for: .seconds(6))) != nil, let self else { return }
      self.notice = nil
      requestFrame()
    }
  }

  /// Shows a message that comes by itself; what is wrong stays in sight before it.
  func tell(_ notice: Notice) {
    guard let shown = self.notice, shown.kind == .problem else { return show(notice) }
    show(Notice(.problem, "\(shown.text) · \(notice.text)"))
  }

  /// Redraws when the clock in the tab bar goes on, and each second while a retry counts down.
  private func startTicking() {
    tick?.cancel()
    tick = Task { [weak self] in
      while !Task.isCancelled, let wait = self?.timeToNextTick() {
        // Cancelled when the terminal goes.
        guard (try? await Task.sleep(for: wait)) != nil else { return }
        self?.requestFrame()
      }
    }
  }

  private func timeToNextTick() -> Duration {
    isCountingDown ? .seconds(1) : WallClock.timeToNextMinute()
  }

  /// Whether a visible pane waits to be connected again.
  private var isCountingDown: Bool {
    guard let split else { return false }
    return split.panes.contains { place in
      if case .lost = server.panes[place.pane]?.session.state { return true }
      return false
    }
  }

  /// Restarts the ticking when a countdown has begun or ended.
  func adoptTicking() { startTicking() }

  // MARK: Timers of keys

  /// Runs the resolver's deadline, such as the pause before the which-key sheet.
  func armKeyTimer() {
    keyTimer?.cancel()
    guard let deadline = resolver.deadline else { return }
    keyTimer = Task { [weak self] in
      // Cancelled by the next key.
      guard (try? await Task.sleep(until: deadline, clock: .continuous)) != nil else { return }
      self?.keyDeadlinePassed()
    }
  }

  /// Asks the terminal for what the focused program asked for: motion of the mouse, more of the keys.
  private func adoptProgramModes() {
    guard let terminal else { return }
    var modes: TerminalModes?
    if let pane = focusedPane, pane.session.state.isTyping, sheets.isEmpty {
      modes = pane.surface?.withTerminal { $0.modes }
    }
    terminal.setMouse(modes?.mouseTracking == .motion ? .allMotion : .drag)
    let wanted = ScreenSession.KeyboardFlags(rawValue: modes?.kittyKeyboardFlags ?? 0)
    terminal.setKeyboard(.usual.union(wanted.intersection([.allKeys, .text])))
  }
}

extension Window: AttachedTerminalDelegate {
  func terminal(_ terminal: AttachedTerminal, received event: InputEvent) {
    server.activate(id)
    switch event {
    case .key(let key):
      // A key that only goes to a program changes nothing here; what it brings about is drawn then.
      guard handle(key) else { return }
    case .mouse(let mouse): handle(mouse)
    case .paste(let bytes): handlePaste(bytes)
    case .focus(let isFocused):
      hasFocus = isFocused
      reportFocus()
    case .colorScheme(let isDark):
      if server.looks.follow(dark: isDark) { server.looksChanged() }
    case .reply: break
    }
    requestFrame()
  }

  func terminalNeedsFrame(_ terminal: AttachedTerminal) { requestFrame() }

  func terminalResized(_ terminal: AttachedTerminal) {
    size = terminal.size
    if hasSuitableSidebar {
      server.model.update(id) { $0.sidebar = WindowLayout.suitableSidebar(columns: size.columns) }
    }
    modelChanged()
  }

  func terminalEnded(_ terminal: AttachedTerminal, _ end: TTYEnd) {
    forgetTerminal()
    server.detached(id)
  }
}

import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindPresentation
import TermindRemoteInfrastructure

/// All windows of the user's server: the model that decides, the panes behind it, and the terminals
/// that show it.
///
/// Every change goes through `model`, a pure value; `reconcile` then ends what the model no longer
/// holds and draws the rest.
final class WindowServer: ServerHandling {
  unowned let process: ServerProcess
  let services: Services
  var looks: Looks { services.looks }
  var model = ServerModel() { didSet { keeper.layoutChanged() } }
  private(set) var panes: [PaneID: Pane] = [:]
  private(set) var windows: [WindowID: Window] = [:]
  /// The window that was used last; what verbs of `termind ctl` without an id mean.
  private(set) var activeWindow: WindowID?
  private var demo: DemoSSHServer?
  /// What a program last put into the clipboard, for programs that ask for it.
  private var copiedText: [UInt8] = []
  /// What was picked up in a file pane.
  var held: HeldFiles?
  /// The directories that are worth coming back to.
  var bookmarks = FileBookmarks()
  /// Whether the bookmarks that were kept are read.
  var hasBookmarks = false
  /// Copies that belong to no window.
  let transfers: FileTransfers
  /// Files of servers that are edited in copies.
  let edits: ExternalEdits
  /// What follows the end of a pane's program, once.
  var afterEnds: [PaneID: @MainActor () -> Void] = [:]
  /// Copies that were asked for on a command line.
  let commands = RunningTransferCommands()
  /// How many runs of snippets were asked for on a command line and are not over.
  var snippetRuns = 0
  private let changes = ChangeSignal()
  private var isStopping = false
  /// Keeps what a restart brings back.
  let keeper: SessionKeeper
  /// Brings the last session back; nil when that is done.
  var restoring: Task<Void, Never>?
  /// The windows that were brought back, until a terminal shows them, with how many servers in a row showed others only.
  private(set) var restored: [WindowID: Int] = [:]
  /// Whether a terminal has shown any window; a server that only runs commands makes none less wanted.
  private var hasShownWindow = false
  /// Why the newest record of the last session was passed over, until a person was told.
  var sessionProblem: String?
  /// Ends a server that is of no more use.
  var idleEnd: Task<Void, Never>?
  /// What is to be told of transfers and edits of an earlier server, until a person was told.
  var workNotice: Notice?

  init(_ process: ServerProcess) throws(EventLoopError) {
    self.process = process
    services = try Services(paths: process.configuration.paths, log: process.logFile)
    transfers = FileTransfers(services)
    let session = SessionFile(path: process.configuration.paths.session)
    keeper = SessionKeeper(session, services.log)
    edits = ExternalEdits(services)
    services.onChange = { [weak self] in self?.servicesChanged() }
    watchTransfers()
    watchEdits()
    services.openStore()
    restoring = restore(from: session)
    // The client that it was started for may be refused, or go away.
    endWhenIdle()
    takeUpWork()
  }

  // MARK: ServerHandling

  func attach(_ request: AttachRequest, to connection: TTYConnection) {
    services.adopt(request.environment)
    let terminal = AttachedTerminal(connection)
    if let problem = terminal.problem { return connection.refuse(problem) }
    guard let restoring else { return serve(request, connection, terminal) }
    Task {
      await restoring.value
      // The client may have given up meanwhile.
      guard connection.isOffered else { return }
      serve(request, connection, terminal)
    }
  }

  private func serve(
    _ request: AttachRequest,
    _ connection: TTYConnection,
    _ terminal: AttachedTerminal
  ) {
    let id: WindowID
    switch request.kind {
    case .attach(let wanted):
      guard let found = windowToAttach(wanted, connection) else { return }
      id = found
    case .newWindow:
      if let found = takeRestored() {
        show(found, in: terminal)
        return greet(found)
      }
      id = openWindow()
    case .demo:
      // The demonstration that was detached goes on.
      if demo != nil, let found = model.windowToAttach, model.attach(found) {
        return show(found, in: terminal)
      }
      id = openWindow()
    case .run: id = openWindow()
    case .ssh(let words): return connect(words, connection, terminal)
    case .open(let opening): return attach(opening, to: connection, terminal)
    }
    show(id, in: terminal)
    begin(request, in: id)
    tellOfWork()
  }

  /// Opens a window in a terminal.
  func openWindow(in terminal: AttachedTerminal) -> WindowID {
    let id = openWindow()
    show(id, in: terminal)
    return id
  }

  private func show(_ id: WindowID, in terminal: AttachedTerminal) {
    activeWindow = id
    if !hasShownWindow { restored = restored.mapValues { $0 + 1 } }
    hasShownWindow = true
    let isRestored = restored.removeValue(forKey: id) != nil
    windows[id]?.attach(terminal)
    // A window of the last session is greeted otherwise.
    if !isRestored { tellSessionProblem(in: id) }
  }

  func endServer(force: Bool) -> String? {
    if !force,
      case .needsConfirmation(let question) = model.requestQuit(
        work: work,
        describe: describe
      )
    {
      return ConfirmSheet.quit(question).lines.joined(separator: " ")
    }
    stop()
    return nil
  }

  /// Ends every session and gives every terminal back.
  ///
  /// Remote servers are told goodbye first, so that what ran there ends now and not when a keepalive finds out;
  /// one that hangs holds this up for a moment only.
  func stop() {
    guard !isStopping else { return }
    isStopping = true
    idleEnd?.cancel()
    process.beginEnding()
    let session = keeper.takeLast()
    for pane in panes.values { pane.close() }
    for window in windows.values { window.leave(text: "[server ended]") }
    Task {
      await keeper.end(with: session)
      async let commandsEnd: Void = commands.end(within: .seconds(3))
      await transfers.end()
      await edits.writing?.value
      await commandsEnd
      await transfers.writing?.value
      await services.close()
      ended()
    }
  }

  private func ended() {
    demo?.stop()
    process.stop(text: "[server ended]")
  }

  private func windowToAttach(_ wanted: WindowID?, _ connection: TTYConnection) -> WindowID? {
    guard let id = wanted ?? model.windowToAttach else {
      connection.refuse("There is no detached window. Start one with: termind")
      return nil
    }
    guard let window = model.window(id) else {
      connection.refuse("There is no window \(id.rawValue). List them with: termind ls")
      return nil
    }
    guard !window.isAttached else {
      connection.refuse(
        "Window \(id.rawValue) is shown in another terminal. Detach it there, or with: "
          + "termind ctl detach --window \(id.rawValue)"
      )
      return nil
    }
    model.attach(id)
    return id
  }

  /// Gives a window that the model brought back what shows it.
  func adoptRestored(_ id: WindowID, unseen: Int) {
    windows[id] = Window(id: id, server: self)
    restored[id] = unseen
  }

  private func openWindow() -> WindowID {
    let id = model.openWindow()
    if let sidebar = looks.preferences.sidebar { model.update(id) { $0.sidebar = sidebar } }
    windows[id] = Window(id: id, server: self)
    return id
  }

  /// Opens what a new window is to start with.
  private func begin(_ request: AttachRequest, in id: WindowID) {
    switch request.kind {
    case .newWindow, .attach, .ssh, .open: break
    case .run(let words):
      openWorkspace(in: id, [.local(.command(words), directory: request.directory)])
    case .demo: startDemo(in: id, directory: request.directory)
    }
  }

  // MARK: Windows

  /// Notes that a person does something in a window.
  func activate(_ id: WindowID) { activeWindow = id }

  /// The terminal of a window has gone; its workspaces live on.
  func detached(_ id: WindowID) {
    model.detach(id)
    // A window that holds nothing is not worth coming back to.
    if model.window(id)?.workspaces.isEmpty == true { removeWindow(id) }
    changes.send()
  }

  private var wayBack: String {
    DemoHome.isAdopted(by: services.paths) ? "termind --demo" : "termind attach"
  }

  /// Gives a window's terminal back and keeps what is in it.
  func detach(_ id: WindowID) {
    windows[id]?.leave(
      text: "[detached from window \(id.rawValue); come back with: \(wayBack)]"
    )
    detached(id)
  }

  /// Opens a new window in the terminal of another one, which is detached.
  func openWindow(inPlaceOf old: Window) {
    guard let terminal = old.releaseTerminal() else { return }
    detached(old.id)
    let id = openWindow()
    activeWindow = id
    windows[id]?.attach(terminal)
  }

  /// Closes a window with everything that it owns.
  func closeWindow(_ id: WindowID) {
    removeWindow(id)
    reconcile()
  }

  private func removeWindow(_ id: WindowID) {
    model.closeWindow(id)
    windows.removeValue(forKey: id)?.leave(text: "[window closed]")
    if activeWindow == id { activeWindow = model.windows.last?.id }
    endWhenIdle()
  }

  // MARK: Panes

  /// Makes a workspace of new panes in a window, tiled when there are several, shows it, and starts them.
  @discardableResult
  func openWorkspace(in window: WindowID, name: String = "", _ contents: [PaneContent])
    -> Workspace?
  {
    guard let made = model.newWorkspace(in: window, name: name, panes: contents.count) else {
      return nil
    }
    for (id, content) in zip(made.panes, contents) { add(id, content) }
    start(made.panes)
    return made
  }

  /// Splits a pane and starts something in the new one.
  @discardableResult
  func split(_ pane: PaneID, at side: PaneDirection, _ content: PaneContent) -> PaneID? {
    guard let made = model.split(pane, at: side) else { return nil }
    add(made, content)
    start([made])
    return made
  }

  /// Opens panes beside another one; several are tiled together with what is there.
  func open(_ contents: [PaneContent], beside pane: PaneID) {
    var made: [PaneID] = []
    for content in contents {
      guard let new = model.split(made.last ?? pane, at: .right) else { break }
      add(new, content)
      made.append(new)
    }
    if made.count > 1, let owner = model.workspace(of: pane) {
      model.update(workspace: owner.id) {
        $0.rearrange { $0.arrange(.tiled) }
        $0.setFocus(made[0])
      }
    }
    start(made)
  }

  /// Shows new panes and starts what is in them.
  func start(_ made: [PaneID]) {
    takeTurns(made)
    reconcile()
    for id in made { panes[id]?.start() }
  }

  /// Makes panes that are started together ask one after another; the focus follows the questions.
  private func takeTurns(_ started: [PaneID]) {
    let remote = started.filter { panes[$0]?.content.kind.isRemote == true }
    guard remote.count > 1 else { return }
    let turns = PromptTurns()
    turns.onPass = { [weak self] last, next in
      guard let self, let pane = panes[next] else { return }
      follow(from: last, to: next, among: remote)
      pane.turnCame()
    }
    for id in remote { panes[id]?.turns = turns }
  }

  /// Moves the focus to the pane that asks now, unless the person is busy elsewhere.
  private func follow(from last: PaneID?, to next: PaneID, among started: [PaneID]) {
    guard let workspace = model.workspace(of: next), workspace.focus != next else { return }
    // Whoever types into another pane, or went away from the last question, is left alone.
    let isFree =
      workspace.focus == last
      || started.contains(workspace.focus)
        && panes[workspace.focus]?.session.state.isTyping == false
    guard isFree else { return }
    model.update(workspace: workspace.id) { $0.setFocus(next) }
    model.window(of: next).flatMap { windows[$0.id] }?.modelChanged()
  }

  @discardableResult
  func add(_ id: PaneID, _ content: PaneContent) -> Pane {
    let pane = Pane(id: id, content: content, services: services, observer: self)
    panes[id] = pane
    return pane
  }

  /// Ends what the model no longer holds, and draws every window anew.
  func reconcile() {
    let alive = Set(model.panes)
    for (id, pane) in panes where !alive.contains(id) {
      panes[id] = nil
      pane.close()
      afterEnds.removeValue(forKey: id)?()
    }
    for window in windows.values { window.modelChanged() }
    changes.send()
  }

  /// What a question before an end says about a pane.
  func describe(_ id: PaneID) -> PaneSummary? {
    guard let pane = panes[id] else { return nil }
    return PaneSummary(
      pane: id,
      kind: pane.content.kind,
      isLive: pane.isLive && pane.content.kind != .files,
      title: PaneText.title(pane),
      program: pane.foregroundProgram
    )
  }

  /// Suspends until something in a pane, or the set of panes, changes.
  func nextChange() async { await changes.next() }

  // MARK: Looks and services

  /// Applies another theme or keymap to every window.
  func looksChanged() {
    for pane in panes.values { pane.applyTheme() }
    for window in windows.values { window.looksChanged() }
  }

  /// Reads the configuration again, and applies it to everything that is open.
  ///
  /// What belongs to a connection counts from its next attempt on.
  func reloadConfiguration() {
    looks.reload()
    adoptConfiguration(Notice(.done, "The configuration was read again."))
  }

  /// Takes a value of a setting for good, as reading the configuration again does, and remembers it.
  func choose(_ setting: Setting, _ value: String) {
    let problem = looks.choose(setting, value)
    let now = setting.value(in: looks.preferences) ?? value
    adoptConfiguration(Notice(.done, "\(setting.rawValue) is \(now) now."), problem: problem)
  }

  /// Applies what was read of the configuration, and tells of it or of what is wrong.
  private func adoptConfiguration(_ done: Notice, problem: String? = nil) {
    for note in looks.errors { services.log.write(.warning, "\(note)") }
    for pane in panes.values { pane.applyConfiguration() }
    transfers.adoptLimits()
    looksChanged()
    let notice = (problem ?? looks.problem).map { Notice(.problem, $0) } ?? done
    for window in windows.values { window.show(notice) }
  }

  /// Takes a theme for good and remembers it.
  func chooseTheme(_ name: String) {
    let problem = looks.choose(name)
    looksChanged()
    if let problem { for window in windows.values { window.show(Notice(.problem, problem)) } }
  }

  private func servicesChanged() {
    // A host may have another theme or colour now.
    looks.forgetMissingThemes()
    for pane in panes.values where pane.content.host != nil {
      pane.applyTheme()
      pane.applyConfiguration()
    }
    for window in windows.values { window.servicesChanged() }
    changes.send()
  }

  // MARK: The demonstration

  private func startDemo(in id: WindowID, directory: String) {
    Task {
      await services.storeSettled()
      do {
        let records = try await demoHosts()
        let routes = services.routeBuilder(directory: directory)
        var contents = records.map { HostTarget.content($0, routes) }
        contents.append(.local(.loginShell, directory: directory))
        let made = openWorkspace(in: id, name: "demo", contents)
        if let made {
          model.update(workspace: made.id) { workspace in
            workspace.rearrange { $0.arrange(.mainAndStack) }
            workspace.setFocus(made.panes[0])
          }
          reconcile()
        }
      } catch {
        windows[id]?.show(Notice(.problem, "The demonstration cannot start: \(error)"))
      }
    }
  }

  private func demoHosts() async throws -> [HostRecord] {
    let server: DemoSSHServer
    if let demo {
      server = demo
    } else {
      server = try await DemoSSHServer.start(
        directory: services.paths.state,
        version: BuildVersion.current.text,
        on: services.loops.next()
      )
      demo = server
    }
    let (records, keys) = try server.records()
    try await services.save(records, trusting: keys)
    return records
  }
}

extension WindowServer: PaneObserver {
  func paneChanged(_ pane: PaneID) {
    model.window(of: pane).flatMap { windows[$0.id] }?.requestFrame()
    changes.send()
  }

  func panePrinted(_ pane: PaneID, isAnswer: Bool) {
    keeper.textChanged()
    model.window(of: pane).flatMap { windows[$0.id] }?.panePrinted(pane, isAnswer: isAnswer)
    changes.send()
  }

  func paneRang(_ pane: PaneID) {
    model.window(of: pane).flatMap { windows[$0.id] }?.paneRang(pane)
  }

  func paneWasActive(_ pane: PaneID) {
    model.window(of: pane).flatMap { windows[$0.id] }?.paneWasActive(pane)
    changes.send()
  }

  func paneRefusedInput(_ pane: PaneID) {
    let text = "The program takes no more input just now; what was typed is lost."
    model.window(of: pane).flatMap { windows[$0.id] }?.show(Notice(.problem, text))
  }

  func pane(_ pane: PaneID, stoppedRecording problem: RecordingProblem) {
    let text = PaneText.recordingStopped(problem)
    services.log.write(.warning, "pane \(pane.rawValue): \(text)")
    self.pane(pane, says: text)
  }

  func pane(_ pane: PaneID, says text: String) {
    model.window(of: pane).flatMap { windows[$0.id] }?.show(Notice(.problem, text))
  }

  func pane(_ pane: PaneID, ended command: EndedCommand) {
    model.window(of: pane).flatMap { windows[$0.id] }?.commandEnded(command, in: pane)
  }

  func paneSessionChanged(_ pane: PaneID) {
    if panes[pane]?.isLive == false { afterEnds.removeValue(forKey: pane)?() }
    model.window(of: pane).flatMap { windows[$0.id] }?.adoptTicking()
  }

  func paneAsksClipboard(_ pane: PaneID) -> [UInt8] { copiedText }

  /// Keeps what the person copied, where a program may ask for it.
  func personCopied(_ bytes: [UInt8]) {
    if mayBeAskedForClipboard { copiedText = bytes }
  }

  /// Whether a program may ask for what was copied.
  private var mayBeAskedForClipboard: Bool { panes.values.contains(where: \.mayReadClipboard) }

  func pane(_ pane: PaneID, copied bytes: [UInt8]?) {
    // Kept only where a program may ask for it.
    if let bytes, mayBeAskedForClipboard { copiedText = bytes }
    model.window(of: pane).flatMap { windows[$0.id] }?.copied(bytes, from: pane)
  }
}

import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindPresentation
import TermindRemoteInfrastructure
import TermindTerminal

/// One pane: a session, the surface under it, and the questions of its connection attempt.
///
/// The session decides, this runs what it asks for. The surface lives as long as the pane.
final class Pane {
  let id: PaneID
  private(set) var content: PaneContent
  /// A name that the person gave.
  var customName: String?
  private(set) var session: PaneSession
  let prompts = PromptQueue()
  /// The text that the server sent before authentication, for the screen of the attempt.
  private(set) var banner = ""
  /// The program's title, as it set it.
  private(set) var title = ""
  /// How many rows above the live screen the view begins.
  private(set) var scrolledBack = 0
  /// Whether what is typed elsewhere is typed here too.
  var isBroadcasting = false
  /// Whether it was opened for a program on a file of Termind's own, which no restart finds again.
  var isHelper = false
  private(set) var surface: Surface?
  /// What a pane of files shows instead of a surface.
  var files: FilesController?
  /// What is typed while a paste is looked at, which goes before it; nil while none is.
  var keysBehindPaste: [TerminalKey]?
  /// What is typed once, into the next shell that opens here.
  var firstInput: [UInt8] = []
  /// Writes the session down, while that is wanted.
  var recorder: SessionRecorder?
  /// Finding text in it.
  private(set) lazy var find = PaneFind(self, services.finding)
  /// Copy mode, or a selection; nil when neither is.
  var copying: CopyMode? { didSet { changed() } }

  private static let bannerLimit = 8_192
  unowned let services: Services
  weak var observer: (any PaneObserver)?
  /// The size of its place in the window.
  private var area = TerminalDimensions(rows: 24, columns: 80)
  /// The size of its screen: that of its place, less what says why nothing runs.
  private(set) var size = TerminalDimensions(rows: 24, columns: 80)
  var attempt: Task<Void, Never>?
  private var retryTimer: Task<Void, Never>?
  private var synchronizedTimer: Task<Void, Never>?
  private var channel: (any TerminalChannel)?
  /// What carries the connection that was opened last, and why; nil before there was one.
  var engine: ConnectionEngine?
  /// Whether a program ever ran here, whose text is worth keeping.
  var hasBeenUp = false
  /// The line of the history for the connection that is up.
  var record: ConnectionRecord?
  private var rowsScrolledOut: UInt64 = 0
  private var place = ProgramPlace()
  /// The start of the remote shell that runs, or ran last.
  var remote: RemoteStart?
  var runFirst: RunFirst?
  /// Whether anything was typed into the program that runs.
  var wasUsed = false
  /// When a program last ended here, by the services' clock.
  private(set) var lastEnd: Duration?
  /// The theme that the emulator was given.
  private var appliedTheme: Theme?
  /// Takes guesses of echoes back that did not come true.
  var echoTimer: Task<Void, Never>?
  /// The command that its shell runs, as the shell told.
  var command: RunningCommand?
  /// Whether a key was typed, and nothing was printed since.
  private var isAnswerDue = false

  init(id: PaneID, content: PaneContent, services: Services, observer: any PaneObserver) {
    self.id = id
    self.content = content
    self.services = services
    self.observer = observer
    session = PaneSession(kind: content.kind, hopCount: content.hopCount)
    prompts.onChange = { [weak self] in self?.promptsChanged() }
  }

  // MARK: Commands

  /// The host, which was only typed, is a saved one now.
  func wasSaved(as host: HostRecord) {
    guard case .ssh(var target) = content else { return }
    target.host = host.id
    target.name = host.name
    target.line = host.name
    content = .ssh(target)
    observer?.paneChanged(id)
  }

  /// Gives an empty pane something to hold.
  func fill(with content: PaneContent) {
    guard case .empty = self.content else { return }
    self.content = content
    session = PaneSession(kind: content.kind, hopCount: content.hopCount)
  }

  /// Starts, restarts or reconnects; a live program is left alone.
  func start() {
    if case .noRoute(let old) = content, session.state.canStart, let found = services.content(old) {
      content = found
      session = PaneSession(kind: content.kind, hopCount: content.hopCount)
    }
    run(session.handle(.start))
  }

  /// Stops the attempt or the retries.
  func cancel() { run(session.handle(.cancel)) }

  /// Ends everything behind the pane.
  func close() {
    stopRecording()
    echoTimer?.cancel()
    commandLost()
    run(session.handle(.close))
    prompts.refuseAll()
    copying = nil
    find.close()
  }

  /// Whether something runs that would end with the pane.
  var isLive: Bool { session.state.isLive }

  /// Whether the program that ran here has ended without an error.
  var endedWell: Bool { session.state == .ended(.exited(status: 0)) }

  /// Takes the size of the pane's area; the surface and the program follow.
  func resize(to size: TerminalDimensions) {
    area = size
    fit()
  }

  /// Gives the screen the rows that it has now: what says why nothing runs must not hide the newest text.
  func fit() {
    let size = fittingSize
    guard size != self.size else { return }
    self.size = size
    surface?.resize(to: terminalSize, dimensions: size)
    scroll(to: scrolledBack)
    find.outputCame()
  }

  private var fittingSize: TerminalDimensions {
    // The alternate screen has no rows above it to which its text could go.
    guard let surface, !surface.withTerminal({ $0.modes.isAlternateScreen }),
      let explanation = PaneText.explanation(self)
    else { return area }
    let hidden = PaneNotices.deadRows(explanation, rows: area.rows, columns: area.columns)
    let rows = max(area.rows - hidden, 1)
    return TerminalDimensions(
      rows: rows,
      columns: area.columns,
      pixelWidth: area.pixelWidth,
      pixelHeight: area.pixelHeight * rows / max(area.rows, 1)
    )
  }

  /// Types bytes into the program and goes back to the live screen.
  ///
  /// - Parameter bytes: All of them are sent, or none.
  /// - Returns: Whether they were taken; a program that does not read has a bounded queue.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    scroll(to: 0)
    wasUsed = true
    guessEcho(of: bytes)
    guard let surface, surface.send(bytes) else {
      observer?.paneRefusedInput(id)
      return false
    }
    return true
  }

  /// Something that is drawn has changed.
  func changed() { observer?.paneChanged(id) }

  /// Whether the find bar is open.
  var isFinding: Bool { surface != nil && find.isOpen }

  /// Notes that a key was typed: what the program prints next is shown without delay.
  func expectAnswer() { isAnswerDue = true }

  // MARK: Scrolling

  /// Shows the screen as it was some rows earlier; clamped to what there is.
  func scroll(to offset: Int) {
    let most = surface?.withTerminal { $0.modes.isAlternateScreen ? 0 : $0.scrollbackRows } ?? 0
    let clamped = min(max(offset, 0), most)
    guard clamped != scrolledBack else { return }
    scrolledBack = clamped
    observer?.paneChanged(id)
  }

  /// The theme of its host; nil where none is named, or there is none of that name.
  var hostTheme: Theme? { savedHost?.theme.flatMap { services.looks.theme(ofHost: $0) } }

  /// The mark of its host.
  var color: PaletteColor? { savedHost?.color }

  /// The saved host as it is now.
  var savedHost: HostRecord? { content.host.flatMap { services.vault.contents.host($0) } }

  /// Gives the emulator the colours in force here, so that it answers colour questions with them.
  func applyTheme() {
    let theme = hostTheme ?? services.looks.theme
    guard theme != appliedTheme, surface != nil else { return }
    appliedTheme = theme
    let palette = StyleBridge.palette(of: theme)
    surface?.change {
      $0.setTheme(palette)
      $0.setDarkScheme(theme.isDark)
    }
  }

  // MARK: Effects of the session

  private func run(_ effects: [PaneEffect]) {
    // A program that starts is given the whole place.
    fit()
    for effect in effects { run(effect) }
    updateTurn()
    observer?.paneSessionChanged(id)
    observer?.paneChanged(id)
  }

  private func run(_ effect: PaneEffect) {
    switch effect {
    case .open(let generation, let silent): open(generation, silent: silent)
    case .cancelOpening:
      attempt?.cancel()
      attempt = nil
    case .closeChannel:
      record?.ended()
      runFirst?.stop()
      channel?.close()
      channel = nil
      files?.close()
    case .schedule(let generation, let delay):
      retryTimer = Task { [weak self] in
        // Cancelled means that the session no longer waits.
        guard (try? await Task.sleep(for: delay)) != nil else { return }
        self?.report(.timerFired, from: generation)
      }
    case .cancelTimer:
      retryTimer?.cancel()
      retryTimer = nil
    case .resetModes:
      runFirst?.stop()
      channel = nil
    case .mark(let mark): surface?.leave(PaneText.mark(mark, in: content))
    }
  }

  func report(_ event: PaneEvent, from generation: SessionGeneration) {
    log(event)
    run(session.handle(event, from: generation, at: services.now))
  }

  /// Writes down why a connection failed or ended; what was asked and answered is never in there.
  private func log(_ event: PaneEvent) {
    let failure: ConnectionFailure
    switch event {
    case .openFailed(.connection(let cause)), .ended(.failed(let cause)): failure = cause
    default: return
    }
    services.log.write(
      .warning,
      "pane \(id.rawValue): hop \(failure.hopIndex + 1) of \(failure.hopCount) at \(failure.endpoint), "
        + "\(failure.step.rawValue): \(PaneText.logged(failure.cause))"
    )
  }

  private func open(_ generation: SessionGeneration, silent: Bool) {
    banner = ""
    if case .files(let target) = content {
      return openFiles(target, generation, silent: silent)
    }
    let surface = surface ?? makeSurface()
    switch content {
    case .empty, .files: break
    case .local(let program, let directory):
      openLocal(program, directory: directory, on: surface, generation)
    case .ssh(let target):
      let isIntegrated =
        services.shellIntegration.includesHost(target.shell.integration)
        && !services.plainAccounts.contains(target.route)
      let start = RemoteStart(target, isSilent: silent, isIntegrated: isIntegrated)
      openSSH(start, on: surface, generation)
    case .noRoute(let host):
      report(.openFailed(.noRoute(host.error, host: host.name)), from: generation)
    }
  }

  private func openLocal(
    _ program: LocalProgramRequest.Program,
    directory: String?,
    on surface: Surface,
    _ generation: SessionGeneration
  ) {
    do throws(LocalProgramError) {
      let channel = try LocalProgram(
        LocalProgramRequest(
          program,
          directory: directory,
          environment: services.localEnvironment,
          size: size,
          isIntegrated: services.shellIntegration != .off
        ),
        version: BuildVersion.current.text,
        on: services.loops.next(),
        output: surface.feedOfNextProgram()
      )
      opened(channel, on: surface, generation)
    } catch {
      report(.openFailed(PaneText.failure(error)), from: generation)
    }
  }

  private func openSSH(
    _ start: RemoteStart,
    on surface: Surface,
    _ generation: SessionGeneration
  ) {
    let target = start.target
    // A second shell on a connection that is up is no attempt of its own.
    let isSecond = start.isPlain
    let prompter = prompter(generation, silent: start.isSilent)
    let feed = surface.feedOfNextProgram()
    let record = ConnectionRecord(of: target, services)
    remote = start
    runFirst?.stop()
    attempt = Task { [weak self, services, size] in
      await services.storeSettled()
      do throws(ConnectionFailure) {
        guard let pool = services.terminals else { throw services.storeFailure(of: target.route) }
        let channel = try await start.open(services, size: size, feed: feed) {
          request,
          receiver throws(ConnectionFailure) in
          try await pool.openTerminal(
            on: target.route,
            request,
            receiver: receiver,
            prompts: prompter
          )
        }
        let engine = await pool.engine(of: target.route)
        guard let self else { return channel.close() }
        self.engine = engine
        guard opened(channel, on: surface, generation) else { return }
        begin(start, channel)
        guard !isSecond else { return }
        services.recordConnection(to: target)
        record.connected()
        self.record = record
      } catch {
        if isSecond {
          self?.report(.ended(.failed(error)), from: generation)
          return
        }
        // A silent attempt is part of a connection that is in the history already.
        if !start.isSilent { record.failed(error) }
        self?.report(.openFailed(.connection(error)), from: generation)
      }
    }
  }

  /// Who asks the person what an attempt needs; nobody, for a silent one.
  func prompter(_ generation: SessionGeneration, silent: Bool) -> PanePrompter {
    PanePrompter(
      isInteractive: !silent,
      queue: prompts,
      report: { [weak self] step, context in
        self?.report(.progressed(step, hop: context.index), from: generation)
      },
      banner: { [weak self] text in self?.take(banner: text, from: generation) }
    )
  }

  /// Keeps what a server says before the login, for as long as that attempt is the present one.
  private func take(banner text: String, from generation: SessionGeneration) {
    guard generation == session.generation, banner.utf8.count < Self.bannerLimit else { return }
    banner += text.prefix(Self.bannerLimit)
    observer?.paneChanged(id)
  }

  /// Takes a program over, unless its attempt was given up meanwhile: then it is closed.
  @discardableResult
  private func opened(
    _ channel: any TerminalChannel,
    on surface: Surface,
    _ generation: SessionGeneration
  ) -> Bool {
    guard adopt(generation) else {
      channel.close()
      return false
    }
    self.channel = channel
    wasUsed = false
    place = ProgramPlace()
    channel.resize(to: size)
    surface.predict(content.kind.isRemote ? services.looks.preferences.localEcho : .off)
    startHostRecording()
    surface.attach(channel)
    if !firstInput.isEmpty { surface.send(firstInput) }
    firstInput = []
    return true
  }

  /// Notes that an attempt has come to its end; false when it was given up meanwhile.
  func adopt(_ generation: SessionGeneration) -> Bool {
    guard session.handle(.opened, from: generation, at: services.now).isEmpty else { return false }
    hasBeenUp = true
    run([])
    return true
  }

  // MARK: The surface

  private var terminalSize: TerminalSize {
    TerminalSize(
      rows: size.rows,
      columns: size.columns,
      pixelWidth: size.pixelWidth,
      pixelHeight: size.pixelHeight
    )
  }

  func makeSurface() -> Surface {
    let made = Surface(size: terminalSize, configuration: terminalConfiguration) {
      [weak self] in
      self?.surfaceChanged()
    }
    surface = made
    applyTheme()
    return made
  }

  private func surfaceChanged() {
    guard let surface else { return }
    place.printed()
    let (events, end) = surface.takeChanges()
    let isAnswer = isAnswerDue
    isAnswerDue = false
    for event in events { take(event) }
    let (scrolledOut, isHeld) = surface.withTerminal {
      ($0.rowsScrolledOut, $0.isSynchronizedUpdateActive)
    }
    // A person who reads or selects keeps what is in view.
    if scrolledBack > 0 || copying != nil {
      scroll(to: scrolledBack + Int(clamping: scrolledOut - rowsScrolledOut))
    }
    rowsScrolledOut = scrolledOut
    shellPrinted()
    if let end { ended(end) }
    find.outputCame()
    if isHeld {
      isAnswerDue = isAnswer
      observer?.paneWasActive(id)
      return holdFrame()
    }
    endHold()
    observer?.panePrinted(id, isAnswer: isAnswer)
  }

  private func ended(_ end: TerminalChannelEnd) {
    channel = nil
    runFirst?.stop()
    let unseen = remote?.closed() ?? []
    if let remote, let surface,
      remote.wantsPlainShell(after: end, at: services.now, wasUsed: wasUsed)
    {
      services.plainAccounts.insert(remote.target.route)
      if remote.hasWishes {
        surface.change { $0.writeNotice("the server runs no command for the start directory") }
      }
      let plain = RemoteStart(remote.target, isSilent: remote.isSilent, isPlain: true)
      return openSSH(plain, on: surface, session.generation)
    }
    if !unseen.isEmpty { surface?.change { $0.feed(unseen) } }
    commandLost()
    record?.ended()
    lastEnd = services.now
    report(.ended(end), from: session.generation)
  }

  // MARK: Pictures

  /// A program that never ends its synchronized update is drawn after a while all the same.
  private func holdFrame() {
    guard synchronizedTimer == nil else { return }
    synchronizedTimer = Task { [weak self] in
      // Cancelled when the update ends.
      guard (try? await Task.sleep(for: .milliseconds(200))) != nil, let self else { return }
      surface?.withTerminal { $0.endSynchronizedUpdate() }
      releaseFrame()
    }
  }

  private func releaseFrame() {
    endHold()
    observer?.paneChanged(id)
  }

  private func endHold() {
    synchronizedTimer?.cancel()
    synchronizedTimer = nil
  }

  /// Whether the program is in the middle of a picture, so that the last whole one is to be shown.
  var isHoldingPicture: Bool { synchronizedTimer != nil }

  private func take(_ event: TerminalEvent) {
    switch event {
    case .bell: observer?.paneRang(id)
    case .title(let text): title = text
    case .clipboardWrite(_, let bytes):
      if mayWriteClipboard { observer?.pane(id, copied: bytes) } else { refuseClipboard() }
    case .clipboardTooLarge: observer?.pane(id, copied: nil)
    case .notification: observer?.paneRang(id)
    case .clipboardRead(let selection):
      let text = observer?.paneAsksClipboard(id) ?? []
      surface?.change { $0.replyClipboard(selection: selection, bytes: text) }
    case .workingDirectory: place.told(by: surface?.withTerminal { $0.workingDirectoryHost })
    case .commandStarted(let text): commandStarted(text)
    case .commandEnded(let result): commandEnded(result)
    case .iconTitle, .progress, .promptMark, .pointerShape: break
    }
  }

  // MARK: Questions

  /// Those panes that were started together with this one, and ask one after another.
  var turns: PromptTurns? {
    didSet {
      prompts.mayAsk = { [id, weak turns] in
        guard let turns else { return true }
        return turns.holder == id
      }
    }
  }

  /// Whether a question waits until others are answered.
  var waitsToAsk: Bool { prompts.isAsking && prompts.current == nil }

  /// Asks, now that it is this pane's turn.
  func turnCame() { promptsChanged() }

  private func updateTurn() {
    let isOpening =
      switch session.state {
      case .connecting, .waiting: true
      default: false
      }
    turns?.update(id, asks: prompts.isAsking, isOpening: isOpening)
  }

  private func promptsChanged() {
    updateTurn()
    switch prompts.current?.question {
    case .hostKey: report(.asked(.hostKey), from: session.generation)
    case .credentials: report(.asked(.credentials), from: session.generation)
    // Asked by a shell that is there already: the attempt is over.
    case .places: changed()
    case nil: report(.answered, from: session.generation)
    }
  }

  // MARK: Where it is

  /// Where the program is, as it told by OSC 7 or as procfs says; for a new pane beside it.
  var workingDirectory: String? {
    if let files { return files.localDirectory }
    guard content.kind == .local else { return nil }
    return place.workingDirectory(surface, channel as? LocalProgram)
  }

  /// Where the remote shell is, for a new one beside it: as it told, unless that is on yet another machine.
  var remoteDirectory: String? {
    guard case .ssh = content else { return nil }
    return place.remoteDirectory(surface)
  }

  /// Where the program is, for the frame: as it told, also on another machine, else as procfs says.
  var shownDirectory: String? { place.look(surface, channel as? LocalProgram).directory }

  /// The program in the foreground of a local shell, when it is not the shell itself.
  var foregroundProgram: String? { place.look(surface, channel as? LocalProgram).program }

  /// Whether a program other than a shell takes what is typed, as far as that is known: one that fills the screen, or has
  /// the terminal of a local shell.
  var isBusy: Bool {
    hasForegroundJob || surface?.withTerminal { $0.modes.isAlternateScreen } == true
  }

  /// Whether another program than a local shell has its terminal now, also one that has written nothing yet.
  var hasForegroundJob: Bool { (channel as? LocalProgram)?.hasForegroundJob == true }
}

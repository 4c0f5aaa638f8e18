import FoundationEssentials
import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindPersistence
import TermindPresentation
import TermindRemoteInfrastructure
import TermindTerminal

/// What the windows and panes share: event loops, connections, the store, and the person's choices.
final class Services {
  let paths: TermindPaths
  let log: LogFile
  let loops: EventLoopGroup
  /// Opens remote terminals; nil while the store is being opened, and for good when it cannot be.
  private(set) var terminals: TransportPool?
  /// The open store.
  private(set) var store: SQLiteStore?
  /// Why there is no store; shown in every window, and nothing is written anywhere.
  private(set) var storeProblem: StoreError?
  /// Every saved host, as the store had them last.
  var hosts: [HostRecord] { vault.contents.hosts }
  private var knownListing: HostListing?
  /// The saved hosts, ready to be searched; prepared when it is first asked for after a change.
  var listing: HostListing {
    if let knownListing { return knownListing }
    let made = HostListing(vault.contents)
    knownListing = made
    return made
  }
  /// The vault as all windows see it.
  let vault = VaultLibrary()
  /// The secret store.
  let secrets: SecretAccess
  /// What was connected to, the latest first.
  private(set) var history: [ConnectionHistoryEntry] = []
  /// The theme and the person's choices.
  let looks: Looks
  /// Searches the text of panes.
  let finding = FindWorker()
  /// The private directories of copies and texts.
  let scratch: ScratchFiles
  /// Files of root that are open.
  let rootFiles = RootFiles()
  /// The commands that shells tell of, on their way into the store.
  let commands = CommandLog()
  /// The texts that were copied in any window.
  var pasteBuffers = PasteBuffers()
  private let agent: AgentLink
  /// Passphrases that several attempts wait for at the same moment are asked for once.
  private let unlocking = SharedUnlocking()
  /// Accounts that ran another program than the one that would have marked prompts; they are asked for their shell alone.
  var plainAccounts: Set<Route> = []
  private let sshProgram: SSHProgramFinder
  /// Runs after hosts, history or a choice changed.
  var onChange: (() -> Void)?

  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  /// Looked up when a route first needs it: the system may ask other programs for it.
  private lazy var account = UserAccount.current()
  private let environment: [String: String]
  /// The variables of the client that attached last.
  private var session: [String: String] = [:]
  private var opening: Task<Void, Never>?

  init(paths: TermindPaths, log: LogFile) throws(EventLoopError) {
    self.paths = paths
    self.log = log
    scratch = ScratchFiles(paths)
    looks = Looks(paths: paths)
    for note in looks.errors { log.write(.warning, "\(note)") }
    agent = AgentLink(paths: paths)
    secrets = SecretAccess(dataDirectory: paths.data)
    loops = try EventLoopGroup(name: "io")
    start = clock.now
    environment = ProcessEnvironment.all()
    sshProgram = SSHProgramFinder(searchPath: environment["PATH"])
    adopt(environment)
  }

  /// Takes what concerns the desktop and the login from the client that attached last.
  func adopt(_ client: [String: String]) {
    session = client
    for name in ["DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY"] {
      if let value = client[name] { localEnvironment[name] = value }
    }
    if let problem = agent.follow(client["SSH_AUTH_SOCK"]) { log.write(.warning, problem) }
    if agent.isSet { localEnvironment["SSH_AUTH_SOCK"] = agent.path }
  }

  // MARK: The store

  /// Opens the store in the background; after a failure this tries again.
  func openStore() {
    storeProblem = nil
    OpenSSHSurroundings.removeLeftovers(in: paths.runtime)
    opening = Task {
      do throws(StoreError) {
        let store = try await SQLiteStore.open(at: paths.store)
        self.store = store
        terminals = TransportPool(opener: opener(store))
        history = try await store.recentConnections(limit: 50)
        secrets.adopt(store)
        await vault.adopt(store)
        knownListing = nil
        vault.onChange = { [weak self] kinds in self?.vaultChanged(kinds) }
      } catch {
        storeProblem = error
        log.write(.error, "the store cannot be used: \(error)")
      }
      onChange?()
    }
  }

  /// Says goodbye to remote servers, then closes the store, so that its file has everything in it.
  ///
  /// A copy of the store that is put beside a left write-ahead log would be mixed with it.
  func close() async {
    await terminals?.closeAll()
    await opening?.value
    await SessionRecorder.settle(within: .seconds(2))
    await commands.settle()
    await store?.close()
  }

  private func vaultChanged(_ kinds: Set<VaultKind>) {
    // A host's account may be that of its identity.
    if !kinds.isDisjoint(with: [.host, .identity]) { knownListing = nil }
    onChange?()
  }

  /// Suspends until the store is open, or until it is clear that it cannot be.
  func storeSettled() async { await opening?.value }

  private func opener(_ store: SQLiteStore) -> EngineChoosingOpener {
    let verifier = HostKeyVerifier(
      store: store,
      files: HostKeyVerifier.standardFiles(home: home)
    )
    let files = PrivateKeyFile.standardPaths(home: home)
    let secrets: SecretStoreSource = { [weak self] in
      guard let self else { throw StoreError.failed(diagnostic: "the server ends") }
      return try await self.secretStore()
    }
    let now: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) }
    let variables: @Sendable () async -> [String: String] = { [weak self] in
      await self?.sshEnvironment ?? [:]
    }
    let sshProgram = sshProgram
    let log = log
    return EngineChoosingOpener(
      libssh2: LibSSH2TransportOpener(
        loops: loops,
        verifier: verifier,
        agent: agentClient,
        defaultKeyFiles: files,
        secrets: secrets,
        shared: unlocking,
        now: now
      ),
      openSSH: OpenSSHTransportOpener(
        surroundings: OpenSSHSurroundings(
          ssh: { await sshProgram.program() },
          runtime: paths.runtime,
          // `ssh` looks in the home directory of the account, whatever HOME says.
          home: home == account?.home ? nil : home,
          environment: variables
        ),
        loops: loops,
        verifier: verifier,
        agent: agentClient,
        defaultKeyFiles: files,
        secrets: secrets,
        shared: unlocking,
        now: now
      ),
      memory: EngineMemory(store: store) { error in
        log.write(.warning, "what was learned about engines: \(error)")
      },
      agent: agentClient,
      environment: variables
    )
  }

  /// What concerns the desktop and the login, and so follows the client that attached last.
  private static let sessionNames = [
    "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "KRB5CCNAME", "XDG_RUNTIME_DIR",
    "DBUS_SESSION_BUS_ADDRESS", "XDG_CURRENT_DESKTOP", "XDG_SESSION_TYPE", "XDG_SESSION_DESKTOP",
    "DESKTOP_SESSION",
  ]

  /// What `ssh` is started with: the server's variables, and what concerns the login of the client that attached last.
  private var sshEnvironment: [String: String] {
    var variables = environment
    for name in Self.sessionNames {
      if let value = session[name] { variables[name] = value }
    }
    return variables
  }

  /// All variables of programs of this machine that are started without a pane.
  var programEnvironment: [String: String] { sshEnvironment.merging(localEnvironment) { $1 } }

  /// The secret store, as connections find it: by the variables of the client that attached last.
  private func secretStore() async throws -> any SecretStoring {
    try await secrets.store(environment: session)
  }

  /// The person's agent.
  var agentClient: AgentClient { AgentClient(socketPath: agent.path) }

  /// Opens a connection of its own, such as for a test; the caller closes it.
  func openTransport(
    _ route: Route,
    prompts: any ConnectionPrompting
  ) async throws(ConnectionFailure) -> any SSHTransport {
    guard let store else { throw storeFailure(of: route) }
    return try await opener(store).open(route, prompts: prompts)
  }

  /// Without the store no host key can be checked, so nothing is connected.
  func storeFailure(of route: Route) -> ConnectionFailure {
    let reason = storeProblem.map { ErrorText.explain($0).detail } ?? "the store is not open"
    return ConnectionFailure(
      hopIndex: 0,
      hopCount: route.hops.count,
      endpoint: route.hops[0].endpoint,
      step: .hostKey,
      cause: .internalError(diagnostic: reason)
    )
  }

  /// Notes a connection in the history, and on the saved host when it is one.
  func recordConnection(to target: PaneContent.SSHTarget) {
    Task {
      do throws(StoreError) {
        guard let store else { return }
        let now = Int64(Date().timeIntervalSince1970)
        try await store.recordConnection(to: target.line, host: target.host, at: now)
        history = try await store.recentConnections(limit: 50)
        // The vault hears of this by itself and reads the hosts anew.
        if let host = target.host { try await store.markUsed(host, at: now) }
      } catch .notFound {
        // The host was deleted while its connection was opened; the history keeps the line.
      } catch {
        log.write(.warning, "the history was not written: \(error)")
      }
      onChange?()
    }
  }

  /// Writes an attempt, or what became of it, into the history.
  func record(_ event: ConnectionEvent) {
    Task {
      do throws(StoreError) {
        try await store?.record(event)
      } catch {
        log.write(.warning, "the history was not written: \(error)")
      }
    }
  }

  /// Saves hosts, such as those of the demonstration.
  func save(_ records: [HostRecord], trusting keys: [KnownHostRecord]) async throws(StoreError) {
    guard let store else { throw storeProblem ?? .failed(diagnostic: "the store is not open") }
    for key in keys { try await store.add(key) }
    for record in records { try await store.save(record) }
    await vault.reload([.host])
  }

  /// What has to be saved for a route that was typed.
  func records(saving route: Route, as name: String) -> VaultBatch {
    VaultBatch.saving(
      route,
      as: name,
      hosts: hosts,
      identities: vault.contents.identities,
      localUser: account?.name ?? environment["USER"] ?? "root"
    )
  }

  // MARK: Routes

  /// The person's home directory.
  var home: String { environment["HOME"] ?? account?.home ?? "/" }

  /// Builds routes from what the person types.
  ///
  /// - Parameter directory: What relative key paths start from.
  /// - Returns: A builder that knows the saved hosts.
  func routeBuilder(directory: String) -> RouteBuilder {
    let userName = account?.name ?? environment["USER"] ?? "root"
    let machine = SSHLocalMachine(
      userName: userName,
      userNumber: account?.user ?? 0,
      home: home,
      workingDirectory: directory.isEmpty ? home : directory,
      hostName: ProcessEnvironment.hostName,
      variables: environment
    )
    return RouteBuilder(
      account: LocalAccount(
        userName: userName,
        home: home,
        workingDirectory: machine.workingDirectory
      ),
      hosts: hosts,
      identities: vault.contents.identities,
      keys: vault.contents.keys,
      aliases: SSHConfigAliases(machine: machine, reading: LocalSSHConfigFiles(home: home))
    )
  }

  /// What a pane holds whose host had no route when it was opened; nil when the host is gone.
  func content(_ old: PaneContent.NoRoute) -> PaneContent? {
    vault.contents.host(old.host).map { HostTarget.content($0, routeBuilder(directory: "")) }
  }

  // MARK: What panes are started with

  /// The reading of the clock that sessions use.
  var now: Duration { clock.now - start }

  /// Variables for local programs over those of the server.
  private(set) var localEnvironment: [String: String] = [:]

  /// How new terminals behave.
  var terminalConfiguration: TerminalConfiguration {
    TerminalConfiguration(
      scrollbackLines: looks.preferences.scrollbackLines,
      reportsTitle: looks.preferences.reportsTitle,
      allowsClipboardRead: looks.preferences.allowsClipboardRead,
      versionName: "Termind(\(BuildVersion.current.text))",
      isDarkScheme: looks.theme.isDark
    )
  }

  /// Where sessions are written to.
  var recordingDirectory: String {
    guard let chosen = looks.preferences.recordingDirectory else {
      return paths.state + "/recordings"
    }
    return chosen.hasPrefix("~/") ? home + chosen.dropFirst() : chosen
  }

  /// The person's editor for text, and a file: a plain name is started itself, everything else by a shell that reads it, as
  /// `git` does.
  func editorWords(for file: String) -> [String] {
    let editor = editor
    let isPlain = editor.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: Array("/._-+,:@".utf8).contains(byte) || byte >= 0x80
      }
    }
    return isPlain ? [editor, file] : ["/bin/sh", "-c", "\(editor) \"$@\"", editor, file]
  }

  private var editor: String {
    let found = ["VISUAL", "EDITOR"].lazy
      .compactMap { [session, environment] in session[$0] ?? environment[$0] }
    return found.first { !$0.isEmpty } ?? "vi"
  }

  /// What a remote shell is asked for.
  ///
  /// - Parameters:
  ///   - size: The first size of its terminal.
  ///   - shell: What its host wishes for; its variables win over the usual ones.
  ///   - login: How it is started otherwise than by the server.
  /// - Returns: The request.
  func shellRequest(
    size: TerminalDimensions,
    _ shell: ShellStart,
    _ login: LoginShellStart? = nil
  ) -> ShellRequest {
    let own = Set(shell.environment.map(\.name))
    var names = environment.keys.filter { $0 == "LANG" || $0.hasPrefix("LC_") }.sorted()
    names.removeAll(where: own.contains)
    var variables = names.compactMap { name in environment[name].map { (name: name, value: $0) } }
    if !own.contains("COLORTERM") { variables.append((name: "COLORTERM", value: "truecolor")) }
    var request = ShellRequest(size: size, command: shell.command ?? login?.command)
    for variable in shell.environment {
      // The terminal is told with the PTY itself; servers set the variable from that.
      if variable.name == "TERM" {
        request.terminalType = variable.value
      } else {
        variables.append((name: variable.name, value: variable.value))
      }
    }
    request.environment = variables
    return request
  }

  /// Which shells are given prompt marks where their host does not say.
  var shellIntegration: ShellIntegrationScope { looks.preferences.shellIntegration }
}

import Dispatch
import FoundationEssentials
public import TermindInfrastructure

/// Why a server cannot start.
public nonisolated enum ServerStartError: Error, Hashable, Sendable {
  /// A directory is not fit.
  case directory(DirectoryError)
  /// Another server owns the data directory; the note says which.
  case busy(note: String)
  /// The lock or the socket cannot be had; the diagnostic is the system's.
  case failed(diagnostic: String)
}

/// The server: one a data directory, on the main actor.
public final class ServerProcess {
  /// What a server is made of.
  public struct Configuration {
    /// Where everything lies.
    public var paths: TermindPaths
    /// What clients must be, too.
    public var build: BuildVersion
    /// Most clients at once, terminals included.
    public var clientLimit = 512
    /// How long a client may take to say what it wants, and to take what it is told.
    public var greetingTime: Duration
    /// Measures the deadlines.
    public var clock: any Clock<Duration>
    /// Called once everything was given back; the program exits there.
    public var whenStopped: @MainActor () -> Void

    /// Makes a configuration.
    public init(
      paths: TermindPaths,
      build: BuildVersion = .current,
      greetingTime: Duration = .seconds(5),
      clock: any Clock<Duration> = ContinuousClock(),
      whenStopped: @escaping @MainActor () -> Void
    ) {
      self.paths = paths
      self.build = build
      self.greetingTime = greetingTime
      self.clock = clock
      self.whenStopped = whenStopped
    }
  }

  /// What this server is made of.
  public let configuration: Configuration
  /// The server's log.
  public let logFile: LogFile
  private(set) var handler: (any ServerHandling)?
  private let lock: FileLock
  private var listener: LocalSocket?
  private var accepting: ReadinessSource?
  private var connections: Set<ServerConnection> = []
  private var isStopping = false
  /// The server is about to end: nobody is served any more.
  private(set) var isEnding = false
  /// Those who asked for the end; they see it when the process, and its lock, are gone.
  private var witnesses: [ServerConnection] = []
  /// Kept free so that one more client can be told when there is no descriptor left.
  private var spare = try? LocalSocket.pair()
  private var stopTask: Task<Void, Never>?

  /// Becomes the only server of the data directory and listens.
  ///
  /// - Parameters:
  ///   - configuration: What the server is made of.
  ///   - lockWaitingSeconds: How long to wait for a server that is just ending; more than 0 only
  ///     while this process has one thread.
  /// - Throws: `.busy` when another server owns the data directory.
  public init(_ configuration: Configuration, lockWaitingSeconds: UInt32 = 0)
    throws(ServerStartError)
  {
    self.configuration = configuration
    let paths = configuration.paths
    do throws(DirectoryError) { try paths.prepareAll() } catch { throw .directory(error) }
    logFile = LogFile(path: paths.log)
    do throws(FileLockError) {
      let note = "process \(ProcessEnvironment.processNumber), socket \(paths.socket)"
      lock = try FileLock(
        path: paths.serverLock,
        note: note,
        waitingSeconds: lockWaitingSeconds
      )
    } catch {
      if case .held(let note) = error { throw .busy(note: note) }
      throw .failed(diagnostic: "\(error)")
    }
    do throws(LocalSocketError) { try listen() } catch { throw .failed(diagnostic: "\(error)") }
  }

  /// Begins to serve.
  ///
  /// - Parameters:
  ///   - handler: What clients reach.
  ///   - first: A client that is already connected: the one that started this server.
  public func start(_ handler: any ServerHandling, first: LocalSocket? = nil) {
    self.handler = handler
    accepting?.setRunning(true)
    if let first { adopt(first) }
    log(.info, "serving at \(configuration.paths.socket), build \(configuration.build.text)")
  }

  /// Listens again where the socket's file was removed.
  public func listenAgain() {
    guard !isEnding else { return }
    do throws(LocalSocketError) {
      try listen()
      accepting?.setRunning(true)
    } catch { log(.error, "cannot listen again: \(error)") }
  }

  /// Refuses new clients from now on, and those whom nobody serves yet; `stop` follows.
  ///
  /// A client that comes from here on finds no server, starts one, and that one waits for the lock of this.
  public func beginEnding() {
    guard !isEnding else { return }
    isEnding = true
    log(.info, "ending")
    LocalSocket.remove(configuration.paths.socket)
    // Those who found the socket while it was there are told.
    acceptNext()
    accepting = nil
    listener = nil
    for connection in connections { connection.serverEnds() }
  }

  /// Ends the server: refuses new clients, says goodbye to each terminal that its owner has not
  /// closed, and calls `whenStopped` once they were told or the time is over.
  public func stop(text: String) {
    guard !isStopping else { return }
    beginEnding()
    isStopping = true
    for connection in connections { connection.serverStops(text) }
    if connections.isEmpty { return stopped() }
    let clock = configuration.clock
    let time = configuration.greetingTime
    stopTask = Task { [weak self] in
      // Cancelled means that every client was told in time.
      guard (try? await clock.sleep(for: time)) != nil else { return }
      self?.stopped()
    }
  }

  /// Writes a line of the log.
  public func log(_ level: LogLevel, _ text: String) { logFile.write(level, text) }

  func ended(_ connection: ServerConnection) {
    guard connections.remove(connection) != nil else { return }
    if isEnding, connection.hasAskedForEnd { witnesses.append(connection) }
    if isStopping, connections.isEmpty {
      stopTask?.cancel()
      stopped()
    }
  }

  private func stopped() {
    guard handler != nil else { return }
    handler = nil
    connections = []
    // Everything is closed; who waits for the end of this process must not find the lock taken after it, and the
    // system closes what is open in no order that could be relied on.
    lock.release()
    configuration.whenStopped()
    witnesses = []
  }

  private func listen() throws(LocalSocketError) {
    let socket = try LocalSocket.listen(at: configuration.paths.socket)
    listener = socket
    accepting = ReadinessSource(socket.descriptor, .reading) { [weak self] in self?.acceptNext() }
  }

  private func acceptNext() {
    for _ in 0..<64 {
      do throws(LocalSocketError) {
        guard let socket = try listener?.accept() else { return }
        adopt(socket)
      } catch { return refuseNext(error) }
    }
  }

  /// Tells the next client that it cannot be served, since the system gives no descriptor for it.
  private func refuseNext(_ error: LocalSocketError) {
    log(.error, "a client was refused: \(error)")
    spare = nil
    // `try?`: without the spare one either, the client stays in the queue until there is one.
    if let socket = try? listener?.accept() {
      Self.refuse(socket, "The server has no descriptor left for another client.")
    }
    spare = try? LocalSocket.pair()
    guard spare == nil else { return }
    accepting?.setRunning(false)
    Task { [weak self, clock = configuration.clock] in
      // Nobody cancels this sleep.
      try? await clock.sleep(for: .seconds(1))
      self?.spare = try? LocalSocket.pair()
      self?.accepting?.setRunning(true)
    }
  }

  private func adopt(_ socket: LocalSocket) {
    do throws(LocalSocketError) {
      try socket.checkPeer()
    } catch {
      return log(.warning, "a client was refused: \(error)")
    }
    guard connections.count < configuration.clientLimit else {
      log(.warning, "a client was refused: there are \(connections.count)")
      return Self.refuse(
        socket,
        "The server has \(connections.count) clients, and takes no more; end some of them first."
      )
    }
    let connection = ServerConnection(socket, server: self)
    connections.insert(connection)
    connection.start()
  }

  /// Tells a client in one message why it is not served; it fits into the socket, which is new.
  private static func refuse(_ socket: LocalSocket, _ text: String) {
    socket.setNonblocking()
    // A client that has gone needs no reason.
    _ = try? socket.send(ServerMessage.refused(.failed, text: text).frame[...])
  }
}

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
  private var stopTask: Task<Void, Never>?

  /// Most clients at once, terminals included.
  private static let connectionLimit = 512

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
    guard !isStopping else { return }
    do throws(LocalSocketError) {
      try listen()
      accepting?.setRunning(true)
    } catch { log(.error, "cannot listen again: \(error)") }
  }

  /// Ends the server: refuses new clients, says goodbye to each terminal that its owner has not
  /// closed, and calls `whenStopped` once they were told or the time is over.
  public func stop(text: String) {
    guard !isStopping else { return }
    isStopping = true
    log(.info, "ending")
    accepting = nil
    listener = nil
    LocalSocket.remove(configuration.paths.socket)
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
    if isStopping, connections.isEmpty {
      stopTask?.cancel()
      stopped()
    }
  }

  private func stopped() {
    guard handler != nil else { return }
    handler = nil
    connections = []
    configuration.whenStopped()
  }

  private func listen() throws(LocalSocketError) {
    let socket = try LocalSocket.listen(at: configuration.paths.socket)
    listener = socket
    accepting = ReadinessSource(socket.descriptor, .reading) { [weak self] in self?.acceptNext() }
  }

  private func acceptNext() {
    do throws(LocalSocketError) {
      for _ in 0..<16 {
        guard let socket = try listener?.accept() else { return }
        adopt(socket)
      }
    } catch { log(.error, "\(error)") }
  }

  private func adopt(_ socket: LocalSocket) {
    do throws(LocalSocketError) {
      try socket.checkPeer()
    } catch {
      return log(.warning, "a client was refused: \(error)")
    }
    guard connections.count < Self.connectionLimit else {
      return log(.warning, "a client was refused: too many")
    }
    let connection = ServerConnection(socket, server: self)
    connections.insert(connection)
    connection.start()
  }
}

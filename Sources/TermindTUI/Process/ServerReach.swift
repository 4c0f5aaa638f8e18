import TermindInfrastructure

/// Why no server could be reached.
nonisolated enum ServerReachError: Error, Hashable, Sendable {
  /// None runs, and none was to be started.
  case noServer
  /// The socket's directory, or another, is not fit.
  case directory(DirectoryError)
  /// The socket cannot be used.
  case socket(LocalSocketError)
  /// Another client has been starting a server for too long.
  case startBlocked(path: String)
  /// The server's program cannot be started.
  case start(LocalProgramError)
  /// The lock cannot be used.
  case lock(FileLockError)
}

/// Finds the user's server, and starts it where there is none.
enum ServerReach {
  /// The descriptors of a new server beyond the standard ones.
  static let firstClientDescriptor: Int32 = 3
  static let startLockDescriptor: Int32 = 4

  /// Connects to the running server.
  static func connect(_ paths: TermindPaths) throws(ServerReachError) -> LocalSocket {
    do throws(LocalSocketError) {
      let socket = try LocalSocket.connect(to: paths.socket)
      try socket.checkPeer()
      return socket
    } catch {
      throw error == .absent ? .noServer : .socket(error)
    }
  }

  /// Whether no server listens, and none has died without taking its socket away.
  static func isAbsent(_ paths: TermindPaths) -> Bool { !LocalSocket.isThere(paths.socket) }

  /// Connects to the running server, or starts one; of several clients that start at once, one
  /// starts it and the others find it.
  ///
  /// - Parameter paths: Where everything lies.
  /// - Returns: The connection, and whether it is that of the one who started the server.
  /// - Throws: Why there is neither.
  static func connectOrStart(_ paths: TermindPaths) throws(ServerReachError)
    -> (socket: LocalSocket, isFirst: Bool)
  {
    do throws(DirectoryError) { try paths.prepareRuntime() } catch { throw .directory(error) }
    if let socket = try running(paths) { return (socket, false) }
    let lock: FileLock
    do throws(FileLockError) {
      lock = try FileLock(path: paths.startLock, note: "", waitingSeconds: 10)
    } catch {
      if case .held = error { throw .startBlocked(path: paths.startLock) }
      throw .lock(error)
    }
    // Whoever held the lock may have started it.
    if let socket = try running(paths) { return (socket, false) }
    return (try start(paths, holding: lock), true)
  }

  private static func running(_ paths: TermindPaths) throws(ServerReachError) -> LocalSocket? {
    do throws(ServerReachError) { return try connect(paths) } catch {
      if error == .noServer { return nil }
      throw error
    }
  }

  /// The new server's first connection is one end of a pair, so nothing waits for it to listen; it
  /// holds the start lock until it does.
  private static func start(_ paths: TermindPaths, holding lock: FileLock)
    throws(ServerReachError) -> LocalSocket
  {
    do throws(DirectoryError) { try paths.prepareAll() } catch { throw .directory(error) }
    let pair: (LocalSocket, LocalSocket)
    do throws(LocalSocketError) { pair = try LocalSocket.pair() } catch { throw .socket(error) }
    var environment = ProcessEnvironment.all()
    if environment["TERMIND_HOME"]?.isEmpty == false {
      // The server runs elsewhere: a relative directory would be another one there.
      environment["TERMIND_HOME"] = String(paths.data.dropLast("/data".count))
    }
    let spawn = ProgramSpawn(
      program: ProcessEnvironment.executablePath(),
      arguments: ["termind", Invocation.serverWord],
      environment: environment,
      directory: "/",
      descriptors: [
        .null, .null, .appending(path: paths.log), .copy(pair.1.descriptor),
        .copy(lock.descriptor),
      ]
    )
    do throws(LocalProgramError) { _ = try spawn.start() } catch { throw .start(error) }
    return pair.0
  }
}

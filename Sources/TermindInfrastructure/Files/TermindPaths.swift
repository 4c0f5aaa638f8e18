internal import Glibc

/// Where the program keeps what belongs to it.
///
/// `TERMIND_HOME=DIR` puts everything under DIR; otherwise the XDG directories are used.
public struct TermindPaths: Hashable, Sendable {
  /// What `TERMIND_HOME` names, with everything in it; nil without one.
  public let root: String?
  /// Configuration, keymaps and themes that a person writes.
  public let config: String
  /// The store.
  public let data: String
  /// Logs, the last window size and the last session.
  public let state: String
  /// The directory of the server's socket, for this user alone.
  public let runtime: String
  /// The server's socket; always short enough for the system.
  public let socket: String
  /// Held while a server is being started, so that only one is.
  public var startLock: String { socket + ".start" }
  /// Held by the one server of the data directory as long as it lives.
  public var serverLock: String { data + "/server.lock" }
  /// The server's log.
  public var log: String { state + "/termind.log" }

  /// The store's file.
  public var store: String { data + "/termind.sqlite" }
  /// What a restart brings back.
  public var session: String { state + "/session.json" }
  /// The transfers that were not over when a server ended.
  public var transfers: String { state + "/transfers.json" }
  /// The files of servers that are edited in copies.
  public var edits: String { state + "/edits.json" }

  /// The longest path that a socket address holds, in bytes, without its closing zero.
  static let longestSocketPath = 107

  /// Finds the directories; nothing is created.
  ///
  /// - Parameters:
  ///   - environment: The variables of the process.
  ///   - user: The number of the effective user.
  ///   - homeDirectory: The home directory to use when `HOME` is absent or not absolute.
  ///   - currentDirectory: What a relative `TERMIND_HOME` is relative to.
  ///   - name: The name of the server's socket, without `.sock`.
  public init(
    environment: [String: String],
    user: UInt32,
    homeDirectory: String,
    currentDirectory: String,
    name: String = "default"
  ) {
    let home = environment["HOME"].flatMap(Self.absolute) ?? homeDirectory
    let shared = "/tmp/termind-\(user)"
    var runtime: String
    if let own = environment["TERMIND_HOME"], !own.isEmpty {
      let root = Self.trimmed(own.hasPrefix("/") ? own : "\(currentDirectory)/\(own)")
      self.root = root
      config = "\(root)/config"
      data = "\(root)/data"
      state = "\(root)/state"
      runtime = "\(root)/run"
    } else {
      root = nil
      func directory(_ variable: String, _ standard: String) -> String {
        (environment[variable].flatMap(Self.absolute) ?? "\(home)/\(standard)") + "/termind"
      }
      config = directory("XDG_CONFIG_HOME", ".config")
      data = directory("XDG_DATA_HOME", ".local/share")
      state = directory("XDG_STATE_HOME", ".local/state")
      runtime = shared
      // Left over from another user after `su`, or gone after a logout: the standard says to
      // replace it then.
      if let given = environment["XDG_RUNTIME_DIR"].flatMap(Self.absolute),
        (try? PrivateDirectory.check(given, .exclusive)) != nil
      {
        runtime = "\(given)/termind"
      }
    }
    var socket = "\(runtime)/\(name).sock"
    // The names of the locks beside the socket may be longer; only the socket's address is bounded.
    if socket.utf8.count > Self.longestSocketPath {
      runtime = shared
      socket = "\(shared)/\(Self.digest(of: socket)).sock"
    }
    self.runtime = runtime
    self.socket = socket
  }

  /// Finds the directories of this process; nothing is created.
  public static func current(name: String = "default") -> TermindPaths {
    var environment: [String: String] = [:]
    for variable in [
      "HOME", "TERMIND_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME",
      "XDG_RUNTIME_DIR",
    ] {
      environment[variable] = ProcessEnvironment.value(of: variable)
    }
    let needsAccount = environment["HOME"].flatMap(absolute) == nil
    return TermindPaths(
      environment: environment,
      user: geteuid(),
      homeDirectory: needsAccount ? UserAccount.current()?.home ?? "/" : "/",
      currentDirectory: ProcessEnvironment.currentDirectory() ?? "/",
      name: name
    )
  }

  /// Creates what a client needs to reach a server: the socket's directory.
  public func prepareRuntime() throws(DirectoryError) {
    // Whoever could write there could put another directory in the place of each of them.
    if let root { try PrivateDirectory.ensure(root, .owned) }
    try PrivateDirectory.ensure(runtime, .exclusive)
  }

  /// Creates every directory, and checks each.
  public func prepareAll() throws(DirectoryError) {
    try prepareRuntime()
    for path in [config, data, state] { try PrivateDirectory.ensure(path, .owned) }
  }

  private static func absolute(_ path: String) -> String? {
    path.hasPrefix("/") ? trimmed(path) : nil
  }

  private static func trimmed(_ path: String) -> String {
    var path = Substring(path)
    while path.count > 1, path.hasSuffix("/") { path = path.dropLast() }
    return String(path)
  }

  /// 64-bit FNV-1a in hexadecimal: two long paths rarely meet, and a meeting is caught by the lock of
  /// the data directory.
  private static func digest(of text: String) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return String(hash, radix: 16)
  }
}

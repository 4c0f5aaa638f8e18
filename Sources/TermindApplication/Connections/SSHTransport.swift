public import TermindDomain

/// What an SSH shell or command is started with.
public struct ShellRequest: Sendable {
  /// The first size of the PTY.
  public var size: TerminalDimensions
  /// The TERM value that the PTY request carries.
  public var terminalType: String
  /// Environment requests, sent in order before the shell; a server that refuses one is not an error.
  public var environment: [(name: String, value: String)]
  /// A command instead of the login shell.
  public var command: String?
  /// Whether it gets a PTY; without one its output comes as the program wrote it, and nothing is echoed.
  public var hasTerminal: Bool

  /// Makes a request for a login shell of the given size.
  public init(
    size: TerminalDimensions,
    terminalType: String = "xterm-256color",
    environment: [(name: String, value: String)] = [],
    command: String? = nil,
    hasTerminal: Bool = true
  ) {
    self.size = size
    self.terminalType = terminalType
    self.environment = environment
    self.command = command
    self.hasTerminal = hasTerminal
  }
}

/// What not every engine can do on a connection that is up.
public enum TransportAbility: String, Hashable, Sendable, CaseIterable {
  /// Sending a signal to a command.
  case signalling
  /// Asking the server to listen at a TCP port.
  case listeningOnPorts
  /// Asking the server to listen at a Unix socket.
  case listeningOnUnixSockets
  /// Choosing how many bytes a byte channel may be sent ahead.
  case choosingWindows
}

/// One authenticated connection to a host, through all hops of its route.
///
/// Owned by one event loop; every call may come from any thread or actor.
public protocol SSHTransport: AnyObject, Sendable {
  /// The route that was opened.
  var route: Route { get }
  /// Which engine carries it, with its version, for people (`libssh2 1.10.0`).
  var engineName: String { get }
  /// Why this engine carries it, for people, as the end of a sentence (`it offers only post-quantum key exchange`);
  /// nil when it is the usual one.
  var engineReason: String? { get }

  /// Whether channels are opened one after another, so that one that the server is slow to open holds up the others.
  var opensInTurn: Bool { get }

  /// Suspends until a channel could be opened without waiting for another one, or the connection has ended.
  func waitForOpening() async

  /// Says why the engine cannot do something, for people, as a sentence without its period; nil when it can.
  func obstacle(to ability: TransportAbility) -> String?

  /// Opens a session channel, with a PTY if the request wants one, and starts the login shell or the command.
  ///
  /// Cancelling closes the half-open channel. The receiver is kept until its `ended` call.
  /// - Parameters:
  ///   - request: What to start, and how large.
  ///   - receiver: Takes the output.
  /// - Returns: The running program.
  /// - Throws: A failure at step `openingChannel`; `channelRefused` when the server allows no more.
  func openTerminal(
    _ request: ShellRequest,
    receiver: any TerminalOutputReceiving
  ) async throws(ConnectionFailure) -> any TerminalChannel

  /// Opens a channel that carries plain bytes.
  ///
  /// Cancelling closes the half-open channel. The receiver is kept until its `ended` call.
  /// - Parameters:
  ///   - request: What it leads to.
  ///   - window: How many bytes the other end may send before any is taken, at least the standard; long or fast lines
  ///     want more. An engine that cannot choose keeps its own.
  ///   - receiver: Takes what the other end sends, from before the return on.
  /// - Returns: The channel.
  /// - Throws: A failure at step `openingChannel`; `channelRefused` with `session` when the server allows no more
  ///   programs, and with another name when it refuses this request.
  func openChannel(
    _ request: ByteChannelRequest,
    window: Int,
    receiver: any ByteChannelReceiving
  ) async throws(ConnectionFailure) -> any ByteChannel

  /// Asks the server to listen for us.
  ///
  /// Cancelling ends what was half begun.
  /// - Parameters:
  ///   - address: Where.
  ///   - receiver: Takes the connections, also those that come before the return.
  /// - Returns: The place, until it is closed or the connection ends.
  /// - Throws: A failure at step `openingChannel`: `channelRefused` when the server does not listen there, `unsupported`
  ///   when the engine cannot ask for it.
  func listen(
    at address: RemoteListenAddress,
    receiver: any RemoteListenReceiving
  ) async throws(ConnectionFailure) -> any RemoteListener

  /// Ends every channel and the connection, and returns once its descriptors are closed.
  func close() async

  /// Suspends until the connection has ended, and tells why; returns at once when it already has.
  func waitUntilClosed() async -> ConnectionFailure
}

extension SSHTransport {
  /// Opens a channel that carries plain bytes, with the standard window.
  public func openChannel(
    _ request: ByteChannelRequest,
    receiver: any ByteChannelReceiving
  ) async throws(ConnectionFailure) -> any ByteChannel {
    try await openChannel(
      request,
      window: ByteChannelRequest.standardWindow,
      receiver: receiver
    )
  }
}

extension SSHTransport {
  /// Most engines open as many channels at the same time as are wanted.
  public var opensInTurn: Bool { false }

  /// There is nothing to wait for.
  public func waitForOpening() async {}
}

/// Opens SSH connections; the port that the engines implement.
public protocol SSHTransportOpening: Sendable {
  /// Opens and authenticates a connection along a route.
  ///
  /// Host keys are decided inside the attempt, between key exchange and authentication.
  /// Cancellation ends the attempt at once, also while the person is being asked.
  /// - Parameters:
  ///   - route: The hops; the last one is the host.
  ///   - carrier: An open connection along the hops before the last one, which others may use too and which this
  ///     one does not close; nil opens every hop.
  ///   - prompts: Who answers; a silent attempt passes one that refuses.
  /// - Returns: The connection, authenticated at every hop.
  /// - Throws: The hop, the step and the cause.
  func open(
    _ route: Route,
    through carrier: (any SSHTransport)?,
    prompts: any ConnectionPrompting
  ) async throws(ConnectionFailure) -> any SSHTransport
}

extension SSHTransportOpening {
  /// Opens and authenticates a connection along a route, every hop of it.
  public func open(
    _ route: Route,
    prompts: any ConnectionPrompting
  ) async throws(ConnectionFailure) -> any SSHTransport {
    try await open(route, through: nil, prompts: prompts)
  }
}

public import TermindApplication
public import TermindDomain

/// The files of a server, over SFTP version 3 with OpenSSH's extensions.
///
/// Requests run beside each other on one channel; Docs/Files.md tells how many.
public final class SFTPFileSystem: RemoteFileSystem {
  /// Whose files they are.
  public let place: FilePlace
  /// What the server can do beyond the basics.
  public let abilities: FileSystemAbilities
  /// The version and extensions that the server announced, for people (`3: posix-rename@openssh.com 1, …`).
  public let announcement: String
  let connection: SFTPConnection
  /// Further conversations; nil where there can be none.
  let siblings: SFTPSiblings?

  /// Opens a channel to the server of files (the subsystem `sftp`, or a command that runs one) with the receiver.
  public typealias ChannelOpening =
    @Sendable (any ByteChannelReceiving) async throws(ConnectionFailure) -> any ByteChannel

  private init(
    _ place: FilePlace,
    _ connection: SFTPConnection,
    _ version: SFTPVersion,
    _ siblings: SFTPSiblings?
  ) {
    self.place = place
    self.connection = connection
    self.siblings = siblings
    abilities = version.abilities
    let extensions = version.extensions.sorted { $0.key < $1.key }
      .map { PathText.safe((Array("\($0.key) ".utf8) + $0.value)[...]) }
    announcement = "\(version.number): \(extensions.joined(separator: ", "))"
  }

  /// Starts SFTP over a channel.
  ///
  /// - Parameters:
  ///   - place: The account that the channel belongs to.
  ///   - limit: How long the server may take for its first answer.
  ///   - more: Opens further channels, asking nobody, when a large file is held back by the window of one; nil
  ///     where there are none.
  ///   - open: Opens the channel.
  /// - Returns: The files, once the server has answered.
  /// - Throws: `noFileAccess` when the server has no SFTP for the account, `busy` when it opens no more channels, `startUpText` when the account's shell breaks
  ///   it, `connectionLost`, `cancelled`.
  public static func start(
    place: FilePlace,
    within limit: Duration = .seconds(30),
    more: ChannelOpening? = nil,
    _ open: (any ByteChannelReceiving) async throws(ConnectionFailure) -> any ByteChannel
  ) async throws(FileError) -> SFTPFileSystem {
    let (connection, version) = try await converse(within: limit, open)
    return SFTPFileSystem(
      place,
      connection,
      version,
      more.map { SFTPSiblings(beside: connection, $0) }
    )
  }

  /// Opens a channel and exchanges versions over it.
  static func converse(
    within limit: Duration,
    _ open: (any ByteChannelReceiving) async throws(ConnectionFailure) -> any ByteChannel
  ) async throws(FileError) -> (SFTPConnection, SFTPVersion) {
    let link = SFTPLink()
    let channel: any ByteChannel
    do throws(ConnectionFailure) {
      channel = try await open(link)
    } catch {
      throw failure(error)
    }
    let connection = SFTPConnection(channel)
    return (connection, try await connection.start(link, within: limit))
  }

  /// The kind of channel whose refusal means that nobody became root.
  public static let rootChannel = "root"

  private static func failure(_ failure: ConnectionFailure) -> FileError {
    switch failure.cause {
    case .channelRefused("session", let reason): FileError(.busy, text: reason)
    case .channelRefused(Self.rootChannel, let reason): FileError(.noRootAccess(reason))
    case .channelRefused(_, let reason): FileError(.noFileAccess(reason))
    case .cancelled: FileError(.cancelled)
    case .lost(let reason), .disconnected(let reason): FileError(.connectionLost(reason))
    default: FileError(.connectionLost("\(failure.cause)"))
    }
  }

  /// Suspends until the server's files cannot be reached any more, and tells why.
  public func waitUntilClosed() async -> FileError { await connection.waitUntilOver() }

  /// Ends SFTP and its channel.
  public func close() async {
    await connection.fail(FileError(.connectionLost("closed")))
    await siblings?.close()
  }

  // MARK: Asking

  func ask(_ request: SFTPRequest, _ path: RemotePath) async throws(FileError) -> SFTPReply {
    do throws(FileError) {
      let reply = try await connection.ask(request)
      if case .status(let code, let text) = reply, code != SFTPStatus.ok {
        throw SFTPStatus.error(code: code, text: text)
      }
      return reply
    } catch { throw error.about(path) }
  }

  /// Asks for a change; where the server only says "failure", looks for the reason.
  ///
  /// - Parameters:
  ///   - request: The change.
  ///   - path: What it is about.
  ///   - isMaking: Whether it fails because something is there already.
  /// - Throws: What the server says, or why it failed.
  func perform(
    _ request: SFTPRequest,
    _ path: RemotePath,
    isMaking: Bool = false
  ) async throws(FileError) {
    do throws(FileError) {
      guard case .status = try await ask(request, path) else {
        throw await connection.broken("no status in an answer")
      }
    } catch { throw await explained(error, path, isMaking: isMaking) }
  }

  func broken(_ text: String) async -> FileError { await connection.broken(text) }
}

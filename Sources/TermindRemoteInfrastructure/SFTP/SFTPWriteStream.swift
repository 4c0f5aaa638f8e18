internal import TermindApplication
internal import TermindDomain

/// One file that is written on and on; lives on the connection.
final class SFTPWriteStream {
  /// Most bytes under way of all streams of one connection.
  static let mostUnanswered = 64 * mostLength
  /// Most bytes of one request: larger ones would leave no room for those of others in the channel.
  static let mostLength = 32_768

  private let handle: [UInt8]
  /// Bytes that were sent and not acknowledged.
  private var unanswered = 0
  private(set) var failure: FileError?
  private var waiter: CheckedContinuation<FileError?, Never>?
  private var isFinishing = false

  init(handle: [UInt8]) { self.handle = handle }

  /// Whether the next piece may be sent now.
  func hasRoom(_ connection: isolated SFTPConnection) -> Bool {
    let limit = connection.writing.limit(isBesideTyping: connection.channel.isBesideTyping)
    let share = max(2 * Self.mostLength, limit / max(1, connection.writers.count))
    return unanswered < share && !connection.isCongested
  }

  var isIdle: Bool { unanswered == 0 }

  func send(
    _ bytes: ArraySlice<UInt8>,
    at offset: UInt64,
    _ connection: isolated SFTPConnection
  ) {
    unanswered += bytes.count
    connection.post(
      .write(handle, at: offset, bytes),
      .write(self, count: bytes.count, sent: .now)
    )
  }

  func take(_ reply: SFTPReply, count: Int, _ connection: isolated SFTPConnection) {
    unanswered -= count
    switch reply {
    case .status(SFTPStatus.ok, _): break
    case .status(let code, let text):
      if failure == nil { failure = SFTPStatus.writeError(code: code, text: text) }
    case .handle, .data, .names, .attributes, .extended:
      if failure == nil {
        failure = FileError(.protocolBroken("no status in the answer to a write"))
      }
    }
    wake(connection)
  }

  /// Waits for room, or for every answer.
  func wait(_ continuation: CheckedContinuation<FileError?, Never>, isFinishing: Bool) {
    waiter = continuation
    self.isFinishing = isFinishing
  }

  /// Ends the wait once what it is for has come.
  func wake(_ connection: isolated SFTPConnection) {
    guard waiter != nil else { return }
    // A failure is told when all is answered, so that nothing is written behind the caller's back.
    let isReady = isFinishing || failure != nil ? isIdle : hasRoom(connection)
    if isReady { waiter.take()?.resume(returning: failure) }
  }

  func fail(_ error: FileError) {
    if failure == nil { failure = error }
    waiter.take()?.resume(returning: error)
  }
}

internal import TermindDomain

/// One file that is written on and on; lives on the connection.
final class SFTPWriteStream {
  /// Most requests of all streams of one connection.
  static let window = 64
  /// Most bytes of one request: larger ones would leave no room for those of others in the channel.
  static let mostLength = 32_768

  private let handle: [UInt8]
  private var offset: UInt64
  private var unanswered = 0
  private(set) var failure: FileError?
  private var waiter: CheckedContinuation<FileError?, Never>?
  private var isFinishing = false

  init(handle: [UInt8], at offset: UInt64) {
    self.handle = handle
    self.offset = offset
  }

  /// Whether the next piece may be sent now.
  func hasRoom(_ connection: isolated SFTPConnection) -> Bool {
    unanswered < max(2, Self.window / max(1, connection.writers.count)) && !connection.isCongested
  }

  var isIdle: Bool { unanswered == 0 }

  func send(_ bytes: ArraySlice<UInt8>, _ connection: isolated SFTPConnection) {
    unanswered += 1
    connection.post(.write(handle, at: offset, bytes), .write(self))
    offset += UInt64(bytes.count)
  }

  func take(_ reply: SFTPReply, _ connection: isolated SFTPConnection) {
    unanswered -= 1
    switch reply {
    case .status(SFTPStatus.ok, _): break
    case .status(let code, let text):
      if failure == nil { failure = SFTPStatus.error(code: code, text: text) }
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

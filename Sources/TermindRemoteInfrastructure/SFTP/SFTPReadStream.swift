internal import TermindApplication
internal import TermindDomain

/// One file that is read on and on; lives on the connection.
final class SFTPReadStream {
  typealias Waiter = CheckedContinuation<Result<[ArraySlice<UInt8>], FileError>, Never>

  /// Most bytes that all streams of one connection have asked for and not given out.
  static let mostHeld = 64 * SFTPLimits.mostLength
  /// Most bytes that are given out in one go.
  static let mostGiven = 4_194_304

  private let handle: [UInt8]
  private let end: UInt64
  /// Where the next request starts.
  private var nextOffset: UInt64
  /// Where the next bytes that are given out start.
  private var givenOffset: UInt64
  /// What came, by its first byte, until it is its turn.
  private var pieces: [UInt64: ArraySlice<UInt8>] = [:]
  /// Bytes that were asked for and not given out.
  private var held = 0
  /// The first byte behind the file, once a request met it.
  private var fileEnd: UInt64?
  private var failure: FileError?
  private var waiter: Waiter?

  init(handle: [UInt8], from offset: UInt64, to end: UInt64?) {
    self.handle = handle
    self.end = end ?? .max
    nextOffset = offset
    givenOffset = offset
  }

  /// Whether everything was given out.
  private var isAtEnd: Bool { givenOffset >= min(end, fileEnd ?? .max) }

  /// Sends as many requests as its share allows.
  func pump(_ connection: isolated SFTPConnection) {
    let isBesideTyping = connection.channel.isBesideTyping
    let limit = connection.reading.limit(isBesideTyping: isBesideTyping)
    // A long answer is in the way of a key as well.
    let most = isBesideTyping ? SFTPLimits.safeLength : .max
    let length = min(connection.limits.readLength, most)
    let share = max(2 * length, limit / max(1, connection.readers.count))
    while failure == nil, fileEnd == nil, nextOffset < end, held < share {
      let count = Int(min(UInt64(length), end - nextOffset))
      ask(nextOffset, count, connection)
      nextOffset += UInt64(count)
    }
  }

  private func ask(_ offset: UInt64, _ count: Int, _ connection: isolated SFTPConnection) {
    held += count
    connection.post(
      .read(handle, at: offset, count: count),
      .read(self, offset: offset, count: count, sent: .now)
    )
  }

  /// Takes an answer.
  func take(
    _ reply: SFTPReply,
    offset: UInt64,
    count: Int,
    _ connection: isolated SFTPConnection
  ) throws(SFTPFormatError) {
    held -= count
    switch reply {
    case .data(let bytes):
      guard bytes.count <= count else {
        throw SFTPFormatError(text: "more data than was asked for")
      }
      guard !bytes.isEmpty else { throw SFTPFormatError(text: "data without bytes") }
      pieces[offset] = bytes
      held += bytes.count
      // A short answer does not mean the end: the rest is asked for.
      if bytes.count < count, failure == nil {
        ask(offset + UInt64(bytes.count), count - bytes.count, connection)
      }
    case .status(SFTPStatus.endOfFile, _):
      fileEnd = min(fileEnd ?? .max, offset)
    case .status(let code, let text):
      // Behind the end of the file an error is no news.
      if failure == nil { failure = SFTPStatus.error(code: code, text: text) }
    case .handle, .names, .attributes, .extended:
      throw SFTPFormatError(text: "no data in the answer to a read")
    }
    give(connection)
  }

  /// Gives everything that is next to who waits, if some of it came; nothing at the end.
  func give(_ connection: isolated SFTPConnection) {
    guard let waiting = waiter else { return }
    let ready = takePieces()
    if !ready.isEmpty {
      waiter = nil
      pump(connection)
      return waiting.resume(returning: .success(ready))
    }
    if isAtEnd {
      waiter = nil
      return waiting.resume(returning: .success([]))
    }
    guard let failure else { return }
    waiter = nil
    waiting.resume(returning: .failure(failure))
  }

  private func takePieces() -> [ArraySlice<UInt8>] {
    var taken: [ArraySlice<UInt8>] = []
    var count = 0
    while count < Self.mostGiven, !isAtEnd, let bytes = pieces.removeValue(forKey: givenOffset) {
      givenOffset += UInt64(bytes.count)
      count += bytes.count
      held -= bytes.count
      taken.append(bytes)
    }
    return taken
  }

  func wait(_ continuation: Waiter) { waiter = continuation }

  func fail(_ error: FileError) {
    if failure == nil { failure = error }
    pieces = [:]
    waiter.take()?.resume(returning: .failure(error))
  }
}

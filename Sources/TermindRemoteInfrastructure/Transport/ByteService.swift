internal import TermindApplication
internal import TermindInfrastructure

/// The loop's side of one channel of plain bytes; touched by its connection only.
final class ByteService: ChannelService {
  let handle: SSH2ChannelHandle
  let channel: LibSSH2ByteChannel
  /// Whether a program stands behind it, with a standard error and a status, or only a connection.
  let isProgram: Bool
  private var receiver: (any ByteChannelReceiving)?
  /// What is being sent; the first piece is gone up to `position`.
  private var pieces: [[UInt8]] = []
  private var firstPiece = 0
  private var position = 0
  private var mustFinish = false
  private var hasFinished = false
  private var isAtEnd = false
  private var hasToldFinish = false
  private(set) var isBroken = false
  private(set) var delivered = 0
  private(set) var isClosedSilently = false
  private(set) var isOver = false
  /// What waits is held up by room here, not by the peer's window.
  private(set) var hasMoreToSend = false
  var silentEnd: LoopTimer?

  init(
    handle: SSH2ChannelHandle,
    channel: LibSSH2ByteChannel,
    isProgram: Bool,
    receiver: any ByteChannelReceiving
  ) {
    self.handle = handle
    self.channel = channel
    self.isProgram = isProgram
    self.receiver = receiver
    if !isProgram { handle.ignoreStandardError() }
  }

  func finish(_ end: TerminalChannelEnd) {
    guard !isOver else { return }
    isOver = true
    silentEnd?.cancel()
    silentEnd = nil
    pieces = []
    channel.end()
    receiver?.ended(end)
    receiver = nil
  }

  // MARK: Sending

  /// Carries out what was ordered, and sends as far as the slice, the peer's window and our room allow.
  func carryOutOrders(slice: Int, hasRoom: () -> Bool) {
    let orders = channel.takeOrders()
    if orders.isClosed { return finish(.closed) }
    for name in orders.signals where isProgram {
      // A refusal, or a library that cannot, changes nothing.
      _ = handle.signal(name)
    }
    if !orders.pieces.isEmpty {
      if firstPiece == pieces.count {
        pieces = orders.pieces
        firstPiece = 0
      } else {
        pieces += orders.pieces
      }
    }
    if orders.isFinished { mustFinish = true }
    write(slice: slice, hasRoom: hasRoom)
  }

  private func write(slice: Int, hasRoom: () -> Bool) {
    hasMoreToSend = false
    var sent = 0
    while firstPiece < pieces.count {
      guard sent < slice, hasRoom() else {
        hasMoreToSend = true
        break
      }
      let count = unsafe pieces[firstPiece].withUnsafeBytes { bytes in
        unsafe handle.write(UnsafeRawBufferPointer(rebasing: bytes[position...]))
      }
      guard let count else {
        // The peer takes no more; what it still sends is read to the end.
        mustFinish = false
        dropPieces()
        break
      }
      guard count > 0 else { break }
      sent += count
      position += count
      if position == pieces[firstPiece].count {
        // Gives the memory back before the rest has gone.
        pieces[firstPiece] = []
        firstPiece += 1
        position = 0
      }
    }
    if firstPiece == pieces.count {
      pieces.removeAll(keepingCapacity: true)
      firstPiece = 0
      finishIfOrdered()
    }
    if sent > 0, channel.wrote(sent) { receiver?.mayContinueSending() }
  }

  private func dropPieces() {
    var rest = -position
    for piece in pieces[firstPiece...] { rest += piece.count }
    _ = channel.wrote(rest)
    pieces = []
    firstPiece = 0
    position = 0
  }

  private func finishIfOrdered() {
    guard mustFinish, !hasFinished else { return }
    hasFinished = true
    // libssh2 only queues it; a failure means that the channel is gone, which is told by itself.
    _ = handle.sendEnd()
  }

  // MARK: Receiving

  func deliver(slice: Int, scratch: UnsafeMutableRawBufferPointer) -> Bool {
    delivered = 0
    while delivered < slice, !isOver {
      guard channel.isReceiving else {
        // Others on the connection, and the end of this one, must not wait for it.
        if !handle.takeArrived() { isBroken = true }
        if handle.isAtEnd { isAtEnd = true }
        return false
      }
      guard let output = unsafe read(scratch, isError: false) else { return false }
      guard isProgram else {
        if output > 0 { continue }
        if handle.isAtEnd { isAtEnd = true }
        return false
      }
      guard channel.isReceiving else { continue }
      guard let errors = unsafe read(scratch, isError: true) else { return false }
      guard output == 0, errors == 0 else { continue }
      if handle.isAtEnd { isAtEnd = true }
      return false
    }
    return !isOver
  }

  /// Reads once and delivers; nil when the connection is broken.
  private func read(_ scratch: UnsafeMutableRawBufferPointer, isError: Bool) -> Int? {
    guard let count = unsafe handle.read(into: scratch, isError: isError) else {
      isBroken = true
      return nil
    }
    guard count > 0 else { return 0 }
    delivered += count
    let bytes = unsafe UnsafeRawBufferPointer(rebasing: scratch[..<count])
    if isError {
      unsafe receiver?.receivedError(bytes)
    } else {
      unsafe receiver?.received(bytes)
    }
    return count
  }

  func checkEnd() {
    guard isAtEnd, !isOver, !isClosedSilently else { return }
    if !hasToldFinish {
      hasToldFinish = true
      receiver?.finishedReceiving()
    }
    // A connection that both sides have finished is over, whoever closes it first.
    if !isProgram, hasFinished { return finish(.exited(status: 0)) }
    switch handle.waitClosed() {
    case .again: return
    case .failed: isBroken = true
    case .done:
      if let end = programEnd {
        finish(end)
      } else if isProgram {
        isClosedSilently = true
      } else {
        finish(.exited(status: 0))
      }
    }
  }
}

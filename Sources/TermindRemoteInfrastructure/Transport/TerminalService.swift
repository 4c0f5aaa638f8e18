internal import TermindApplication
internal import TermindDomain
internal import TermindInfrastructure

/// The loop's side of one terminal channel; touched by its connection only.
final class TerminalService: ChannelService {
  let handle: SSH2ChannelHandle
  let channel: LibSSH2TerminalChannel
  private var receiver: (any TerminalOutputReceiving)?
  private let sending = ByteQueue(capacity: 64)
  private var wantedSize: TerminalDimensions?
  /// The size of the request under way; libssh2 sends this one whatever it is given when it is called again.
  private var sizeUnderWay: TerminalDimensions?
  private var isAtEnd = false
  private(set) var isBroken = false
  private(set) var delivered = 0
  private(set) var isClosedSilently = false
  var silentEnd: LoopTimer?
  /// Input waits for room here, not for the peer's window.
  private(set) var hasMoreToSend = false
  private(set) var isOver = false

  init(
    handle: SSH2ChannelHandle,
    channel: LibSSH2TerminalChannel,
    receiver: any TerminalOutputReceiving
  ) {
    self.handle = handle
    self.channel = channel
    self.receiver = receiver
  }

  func finish(_ end: TerminalChannelEnd) {
    guard !isOver else { return }
    isOver = true
    silentEnd?.cancel()
    silentEnd = nil
    channel.end()
    receiver?.ended(end)
    receiver = nil
  }

  /// Carries out what was ordered: size first, then input as far as the peer's window and ours allow.
  ///
  /// - Parameter hasRoom: Whether the outbound queue is below its mark.
  func carryOutOrders(hasRoom: () -> Bool) {
    let orders = channel.takeOrders()
    if orders.isClosed { return finish(.closed) }
    if let size = orders.size { wantedSize = size }
    if !orders.input.isEmpty { sending.append(orders.input) }
    resize()
    write(hasRoom: hasRoom)
  }

  private func resize() {
    while let size = sizeUnderWay ?? wantedSize {
      if sizeUnderWay == nil { wantedSize = nil }
      sizeUnderWay = size
      let result = handle.resizePTY(
        columns: size.columns,
        rows: size.rows,
        pixelWidth: size.pixelWidth,
        pixelHeight: size.pixelHeight
      )
      // A refusal means that the program is gone; its end arrives by itself.
      if result == .again { return }
      sizeUnderWay = nil
    }
  }

  private func write(hasRoom: () -> Bool) {
    hasMoreToSend = false
    while !sending.isEmpty {
      guard hasRoom() else {
        hasMoreToSend = true
        return
      }
      let count = unsafe sending.withBytes { bytes in unsafe handle.write(bytes) }
      guard let count else {
        // The peer takes no more input; what it still sends is read to the end.
        channel.wrote(sending.count)
        return sending.removeAll()
      }
      guard count > 0 else { return }
      sending.remove(first: count)
      channel.wrote(count)
    }
  }

  func deliver(slice: Int, scratch: UnsafeMutableRawBufferPointer) -> Bool {
    delivered = 0
    while delivered < slice, !isOver {
      guard let count = unsafe handle.read(into: scratch) else {
        isBroken = true
        return false
      }
      guard count > 0 else {
        if handle.isAtEnd { isAtEnd = true }
        return false
      }
      delivered += count
      unsafe receiver?.received(UnsafeRawBufferPointer(rebasing: scratch[..<count]))
    }
    return !isOver
  }

  /// Tells how the program ended, once the peer has closed the channel.
  ///
  /// Its output may end before (a program that closed its terminal and works on); then the channel stays.
  func checkEnd() {
    guard isAtEnd, !isOver, !isClosedSilently else { return }
    switch handle.waitClosed() {
    case .again: return
    case .failed: isBroken = true
    case .done:
      if let end = programEnd { finish(end) } else { isClosedSilently = true }
    }
  }
}

internal import TermindApplication
internal import TermindDomain
internal import TermindInfrastructure

/// The loop's side of one terminal channel; touched by its connection only.
final class TerminalService {
  let handle: SSH2ChannelHandle
  let channel: LibSSH2TerminalChannel
  private var receiver: (any TerminalOutputReceiving)?
  private let sending = ByteQueue(capacity: 64)
  private let sizeInterval: Duration
  /// The newest size that was ordered and not asked for yet.
  private var wantedSize: TerminalDimensions?
  /// The size that the program has, as far as it was asked for.
  private var askedSize: TerminalDimensions?
  /// When the last size was asked for.
  private var sizeTime: ContinuousClock.Instant?
  /// The size of the request under way; libssh2 sends this one whatever it is given when it is called again.
  private var sizeUnderWay: TerminalDimensions?
  private var isAtEnd = false
  private(set) var isBroken = false
  /// How much was delivered in the last turn.
  private(set) var delivered = 0
  /// The server closed the channel and did not tell how the program ended.
  private(set) var isClosedSilently = false
  /// Waits whether the connection ends as well.
  var silentEnd: LoopTimer?
  /// Waits until the next size may be asked for.
  var sizeTimer: LoopTimer?
  private(set) var isOver = false

  /// Takes over an open channel.
  ///
  /// - Parameters:
  ///   - handle: The channel.
  ///   - size: The size that it was opened with; nil when it has no terminal.
  ///   - sizeInterval: The least time between two changes of the size.
  ///   - channel: Where orders come from.
  ///   - receiver: Takes the output and the end.
  init(
    handle: SSH2ChannelHandle,
    size: TerminalDimensions?,
    sizeInterval: Duration,
    channel: LibSSH2TerminalChannel,
    receiver: any TerminalOutputReceiving
  ) {
    self.handle = handle
    askedSize = size
    self.sizeInterval = sizeInterval
    self.channel = channel
    self.receiver = receiver
  }

  /// Delivers the end, once.
  func finish(_ end: TerminalChannelEnd) {
    guard !isOver else { return }
    isOver = true
    silentEnd?.cancel()
    silentEnd = nil
    sizeTimer?.cancel()
    sizeTimer = nil
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
    while let size = sizeUnderWay ?? takeDueSize() {
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

  /// The size to ask for now, if any.
  ///
  /// A border that is dragged orders more sizes than a link is quick: the first goes at once, then the newest
  /// in each interval. What is typed meanwhile meets the newest size.
  private func takeDueSize() -> TerminalDimensions? {
    if wantedSize == askedSize { wantedSize = nil }
    guard wantedSize != nil, !sending.isEmpty || sizeDelay == nil else { return nil }
    askedSize = wantedSize
    sizeTime = .now
    return wantedSize.take()
  }

  /// How long a size that waits has to wait still; nil when none does.
  var sizeDelay: Duration? {
    guard let sizeTime, wantedSize != nil, sizeUnderWay == nil else { return nil }
    let left = ContinuousClock.now.duration(to: sizeTime.advanced(by: sizeInterval))
    return left > .zero ? left : nil
  }

  private func write(hasRoom: () -> Bool) {
    while !sending.isEmpty, hasRoom() {
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

  /// Delivers at most `slice` bytes of output; true when there may be more.
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

  /// How the program ended, as far as the server has told it.
  var programEnd: TerminalChannelEnd? {
    guard handle.knowsProgramEnd else { return nil }
    if let name = handle.exitSignal { return .signalled(name: name) }
    return .exited(status: handle.exitStatus)
  }

  /// Ends a channel that the server closed without a word, on a connection that goes on.
  func finishSilently() {
    guard isClosedSilently else { return }
    finish(.exited(status: handle.exitStatus))
  }
}

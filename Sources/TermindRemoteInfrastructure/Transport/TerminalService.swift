internal import TermindApplication
internal import TermindDomain
internal import TermindInfrastructure

/// The loop's side of one terminal channel; touched by its connection only.
final class TerminalService: ChannelService {
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
  private(set) var delivered = 0
  private(set) var isClosedSilently = false
  var silentEnd: LoopTimer?
  /// Waits until the next size may be asked for.
  var sizeTimer: LoopTimer?
  /// Input waits for room here, not for the peer's window.
  private(set) var hasMoreToSend = false
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

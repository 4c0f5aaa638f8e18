internal import Glibc
internal import TermindApplication
internal import TermindDomain
internal import TermindInfrastructure

/// A connected local socket as a byte channel: what a master connects to us, or to a hop.
///
/// Its calls leave their work to the loop that watches the socket.
final class SocketByteChannel: ByteChannel {
  private struct State {
    var queue = ByteQueueBox()
    var watch: DescriptorWatch?
    var receiver: (any ByteChannelReceiving)?
    var isReceiving = true
    var hasPeerFinished = false
    var isFinished = false
    var hasShutDown = false
    var isOver = false
    var wantsRoom = false
  }

  /// Input that waits for a slow peer, piece by piece.
  private struct ByteQueueBox {
    var pieces: [ArraySlice<UInt8>] = []
    var count = 0

    mutating func append(_ bytes: [UInt8]) {
      guard !bytes.isEmpty else { return }
      pieces.append(bytes[...])
      count += bytes.count
    }

    /// Writes what `write` takes; it returns how much that was.
    mutating func drain(_ write: (ArraySlice<UInt8>) -> Int) {
      var done = 0
      defer { pieces.removeFirst(done) }
      while done < pieces.count {
        let written = write(pieces[done])
        count -= written
        guard written == pieces[done].count else {
          pieces[done] = pieces[done].dropFirst(written)
          return
        }
        done += 1
      }
    }
  }

  /// Most bytes that wait for the peer.
  private static let bound = 4_194_304
  private static let readSize = 65_536

  private let socket: LocalSocket
  private let loop: EventLoop
  private let state = Locked(State())

  /// Takes a socket over; nothing moves before `start`.
  init(_ socket: LocalSocket, loop: EventLoop) {
    self.socket = socket
    self.loop = loop
    socket.setNonblocking()
  }

  var executor: any SerialExecutor { loop }

  var queuedByteCount: Int { state.withLock { $0.queue.count } }

  /// Begins to read; the receiver is kept until its `ended` call.
  func start(_ receiver: any ByteChannelReceiving) throws(EventLoopError) {
    state.withLock { $0.receiver = receiver }
    let watch = try loop.watch(socket.descriptor.number, for: .readable) { [self] events in
      ready(events)
    }
    let isLate = state.withLock { state in
      guard !state.isOver else { return true }
      state.watch = watch
      return false
    }
    if isLate { watch.cancel() } else { updateInterest() }
  }

  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    let isTaken = state.withLock { state in
      guard !state.isOver, !state.isFinished else { return false }
      guard state.queue.count + bytes.count <= Self.bound else {
        state.wantsRoom = true
        return false
      }
      state.queue.append(bytes)
      if state.queue.count > Self.bound / 2 { state.wantsRoom = true }
      return true
    }
    if isTaken { loop.run { [self] in flush() } }
    return isTaken
  }

  func finishSending() {
    state.withLock { $0.isFinished = true }
    loop.run { [self] in flush() }
  }

  func setReceiving(_ isOn: Bool) {
    state.withLock { $0.isReceiving = isOn }
    loop.run { [self] in updateInterest() }
  }

  /// A local socket has no program behind it that a signal could reach.
  func signal(_ name: String) {}

  func close() {
    loop.run { [self] in end(.closed) }
  }

  // MARK: On the loop

  private func ready(_ events: DescriptorEvents) {
    if events.contains(.writable) { flush() }
    if events.contains(.readable) { read() }
  }

  private func read() {
    let (receiver, mayRead) = state.withLock { state in
      (state.receiver, state.isReceiving && !state.hasPeerFinished && !state.isOver)
    }
    guard let receiver, mayRead else { return updateInterest() }
    let outcome: LocalSocketInput?
    do throws(LocalSocketError) {
      outcome = try socket.receive(limit: Self.readSize)
    } catch {
      return end(.exited(status: 0))
    }
    guard let input = outcome else { return }
    guard input.bytes.isEmpty else {
      unsafe input.bytes.withUnsafeBytes { unsafe receiver.received($0) }
      return
    }
    state.withLock { $0.hasPeerFinished = true }
    receiver.finishedReceiving()
    endIfDone()
    updateInterest()
  }

  private func flush() {
    var isBroken = false
    let (hasRoom, receiver) = state.withLock { state -> (Bool, (any ByteChannelReceiving)?) in
      guard !state.isOver else { return (false, nil) }
      state.queue.drain { bytes in
        do throws(LocalSocketError) {
          return try socket.send(bytes)
        } catch {
          isBroken = true
          return 0
        }
      }
      if state.queue.count == 0, state.isFinished, !state.hasShutDown, !isBroken {
        state.hasShutDown = true
        _ = shutdown(socket.descriptor.number, Int32(SHUT_WR))
      }
      guard state.wantsRoom, state.queue.count <= Self.bound / 2 else { return (false, nil) }
      state.wantsRoom = false
      return (true, state.receiver)
    }
    if isBroken { return end(.exited(status: 0)) }
    endIfDone()
    updateInterest()
    if hasRoom { receiver?.mayContinueSending() }
  }

  /// Both sides have said all.
  private func endIfDone() {
    let isDone = state.withLock { $0.hasPeerFinished && $0.hasShutDown }
    if isDone { end(.exited(status: 0)) }
  }

  private func updateInterest() {
    state.withLock { state in
      var interest: DescriptorEvents = []
      if state.isReceiving, !state.hasPeerFinished { interest.insert(.readable) }
      if state.queue.count > 0 { interest.insert(.writable) }
      state.watch?.setInterest(interest)
    }
  }

  private func end(_ end: TerminalChannelEnd) {
    let receiver = state.withLock { state -> (any ByteChannelReceiving)? in
      guard !state.isOver else { return nil }
      state.isOver = true
      state.watch?.cancel()
      state.watch = nil
      state.queue = ByteQueueBox()
      defer { state.receiver = nil }
      return state.receiver
    }
    _ = shutdown(socket.descriptor.number, Int32(SHUT_RDWR))
    receiver?.ended(end)
  }
}

internal import TermindApplication
internal import TermindDomain
internal import TermindInfrastructure

/// A byte channel of any engine as the pipe of a connection.
///
/// Its bytes come on the channel's own loop and wait behind a lock until the connection takes them; while many wait,
/// the channel is held back.
final class ByteChannelPipe: BytePipe {
  private let channel: any ByteChannel
  private let inlet: Inlet

  init(channel: any ByteChannel, inlet: Inlet) {
    self.channel = channel
    self.inlet = inlet
  }

  deinit { channel.close() }

  func read(
    into queue: ByteQueue,
    limit: Int,
    observe: (UnsafeRawBufferPointer) -> Void
  ) -> PipeRead {
    let (outcome, resumes) = unsafe inlet.take(into: queue, limit: limit, observe: observe)
    if resumes { channel.setReceiving(true) }
    return outcome
  }

  func write(from queue: ByteQueue) -> PipeEnd? {
    while !queue.isEmpty {
      if let end = inlet.end { return end }
      let bytes = unsafe queue.withBytes { unsafe [UInt8]($0.prefix(65_536)) }
      // After a refusal the inlet is told of new room, and wakes the connection.
      guard channel.send(bytes) else { return inlet.end }
      queue.remove(first: bytes.count)
    }
    return nil
  }

  /// The inlet wakes the connection whenever anything has come or gone, so there is nothing to register.
  func setInterest(reading: Bool, writing: Bool) {}

  func close() { channel.close() }
}

extension ByteChannelPipe {
  /// Where the bytes wait.
  final class Inlet: ByteChannelReceiving {
    private struct State {
      var bytes: [UInt8] = []
      /// How many of them were taken.
      var taken = 0
      var end: PipeEnd?
      var isHeld = false
      var channel: (any ByteChannel)?

      var waiting: Int { bytes.count - taken }
    }

    /// Above this many bytes the channel is held back.
    private static let mark = 1_048_576
    private let state = Locked(State())
    private let notify: @Sendable () -> Void

    /// Makes an empty one; `notify` wakes the connection, from any thread.
    init(notify: @escaping @Sendable () -> Void) { self.notify = notify }

    /// Learns the channel, to hold it back.
    func attach(_ channel: any ByteChannel) {
      let isHeld = state.withLock { state in
        state.channel = channel
        return state.isHeld
      }
      if isHeld { channel.setReceiving(false) }
    }

    /// How it ended, once it has.
    var end: PipeEnd? { state.withLock { $0.end } }

    /// Moves bytes on; true when the channel may send again.
    func take(
      into queue: ByteQueue,
      limit: Int,
      observe: (UnsafeRawBufferPointer) -> Void
    ) -> (PipeRead, resumes: Bool) {
      state.withLock { state in
        let count = min(limit, state.waiting)
        guard count > 0 else {
          return (limit > 0 ? state.end.map { .ended($0) } ?? .nothing : .nothing, false)
        }
        unsafe state.bytes.withUnsafeBytes { bytes in
          let part = unsafe UnsafeRawBufferPointer(
            rebasing: bytes[state.taken..<(state.taken + count)]
          )
          unsafe observe(part)
          unsafe queue.append(part)
        }
        state.taken += count
        if state.waiting == 0 {
          state.bytes.removeAll(keepingCapacity: state.bytes.count <= Self.mark)
          state.taken = 0
        }
        guard state.isHeld, state.waiting <= Self.mark / 2 else { return (.bytes(count), false) }
        state.isHeld = false
        return (.bytes(count), true)
      }
    }

    func received(_ bytes: UnsafeRawBufferPointer) {
      let held = state.withLock { state -> (any ByteChannel)? in
        unsafe state.bytes.append(contentsOf: bytes)
        guard !state.isHeld, state.waiting > Self.mark else { return nil }
        state.isHeld = true
        return state.channel
      }
      held?.setReceiving(false)
      notify()
    }

    /// A connection has none.
    func receivedError(_ bytes: UnsafeRawBufferPointer) {}

    func finishedReceiving() { finish(.closed) }

    func mayContinueSending() { notify() }

    func ended(_ end: TerminalChannelEnd) {
      if case .failed(let failure) = end {
        finish(.hopFailed(failure))
      } else {
        finish(.closed)
      }
    }

    private func finish(_ end: PipeEnd) {
      state.withLock { state in
        // A failure of the hop says more than the end that came before it.
        if case .closed? = state.end { state.end = end } else { state.end = state.end ?? end }
        state.channel = nil
      }
      notify()
    }
  }
}

internal import CLinux
internal import Dispatch
internal import Glibc

/// The main thread's wait: for the main queue of Dispatch, and for descriptors that the main actor watches.
///
/// `dispatchMain()` would hear of a descriptor on one thread of Dispatch and run its handler on another. Here the
/// main thread waits for both itself, so that a typed byte wakes the thread that reads it.
/// Docs/Decisions/0007-the-main-thread-waits.md has the details.
@safe @MainActor public final class MainLoop {
  /// What a descriptor is watched for.
  public enum Kind {
    /// A read would not block, or tells the end.
    case reading
    /// A write would not block.
    case writing
  }

  /// A watched descriptor, paused at first.
  @MainActor public final class Watch {
    fileprivate let token: UInt64
    private let descriptor: Int32
    private let kind: Kind
    private let loop: MainLoop
    private var isRunning = false

    fileprivate init(_ descriptor: Int32, _ kind: Kind, token: UInt64, loop: MainLoop) {
      self.descriptor = descriptor
      self.kind = kind
      self.token = token
      self.loop = loop
    }

    /// Starts or pauses the calls.
    public func setRunning(_ wanted: Bool) {
      guard wanted != isRunning else { return }
      isRunning = wanted
      loop.setArmed(wanted, descriptor, kind, token)
    }

    isolated deinit {
      setRunning(false)
      loop.forget(token)
      _ = close(descriptor)
    }
  }

  private struct Slot {
    /// Tells an event of an earlier watch in this place from one of the present.
    var generation: UInt32 = 0
    var handler: (() -> Void)?
  }

  /// The loop of this process; `nil` where Dispatch or a test's runner has the main thread.
  public private(set) static var current: MainLoop?

  private static let queueToken = UInt64.max
  private let epoll: Int32
  /// The main queue's descriptor, once it is served.
  private var queue: Int32?
  private var slots: [Slot] = []
  private var events = unsafe [epoll_event](repeating: epoll_event(), count: 32)

  /// Makes a loop that serves watches only.
  ///
  /// - Throws: `.system` when the process has no descriptor left.
  init() throws(EventLoopError) {
    epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard epoll >= 0 else { throw .system(operation: "epoll_create1", code: errno) }
  }

  isolated deinit { _ = close(epoll) }

  /// Makes the loop of this process, which serves the main queue too.
  ///
  /// - Returns: The loop, from now on `current`; `run` has to be called for anything to happen.
  /// - Throws: `.system` when the process has no descriptor left.
  public static func install() throws(EventLoopError) -> MainLoop {
    let loop = try MainLoop()
    let queue = tm_main_queue_descriptor()
    var event = unsafe epoll_event(
      events: EPOLLIN.rawValue,
      data: epoll_data(u64: queueToken)
    )
    guard unsafe epoll_ctl(loop.epoll, EPOLL_CTL_ADD, queue, &event) == 0 else {
      throw .system(operation: "epoll_ctl", code: errno)
    }
    loop.queue = queue
    current = loop
    return loop
  }

  /// Serves the main queue and the watches for as long as the process lives; on the main thread.
  public func run() -> Never {
    while true { turn(milliseconds: -1) }
  }

  /// Waits once, and does what there is to do.
  ///
  /// - Parameter milliseconds: How long to wait at most; without end when negative.
  func turn(milliseconds: Int32) {
    let count = unsafe epoll_wait(epoll, &events, Int32(events.count), milliseconds)
    for index in 0..<max(0, Int(count)) { dispatch(unsafe events[index].data.u64) }
  }

  private func dispatch(_ token: UInt64) {
    guard token != Self.queueToken else {
      var drained: UInt64 = 0
      if let queue { unsafe _ = read(queue, &drained, MemoryLayout<UInt64>.size) }
      return tm_run_main_queue()
    }
    let place = Int(truncatingIfNeeded: token & 0xFFFF_FFFF)
    // A watch that was dropped by a handler of the same turn hears no more.
    guard place < slots.count, slots[place].generation == UInt32(token >> 32) else { return }
    let handler = slots[place].handler
    handler?()
  }

  // MARK: Watches

  /// Watches a descriptor, by a copy of its own, from `setRunning(true)` until the watch is dropped.
  ///
  /// - Parameters:
  ///   - descriptor: What to watch.
  ///   - kind: For what.
  ///   - handler: Called once a turn while the descriptor is ready.
  /// - Returns: The watch; `nil` when no descriptor is left for it.
  public func watch(_ descriptor: OwnedDescriptor, _ kind: Kind, _ handler: @escaping () -> Void)
    -> Watch?
  {
    let copy = tm_duplicate(descriptor.number)
    guard copy >= 0 else { return nil }
    let place = slots.firstIndex { $0.handler == nil } ?? slots.count
    if place == slots.count { slots.append(Slot()) }
    slots[place].handler = handler
    let token = UInt64(slots[place].generation) << 32 | UInt64(place)
    return Watch(copy, kind, token: token, loop: self)
  }

  private func setArmed(_ isArmed: Bool, _ descriptor: Int32, _ kind: Kind, _ token: UInt64) {
    let bits = kind == .reading ? EPOLLIN.rawValue : EPOLLOUT.rawValue
    var event = unsafe epoll_event(events: bits, data: epoll_data(u64: token))
    let operation = isArmed ? EPOLL_CTL_ADD : EPOLL_CTL_DEL
    // Fails only for what is no terminal and no socket, which nobody passes here, or without memory.
    let status = unsafe epoll_ctl(epoll, operation, descriptor, &event)
    precondition(status == 0 || !isArmed, "a descriptor cannot be watched")
  }

  private func forget(_ token: UInt64) {
    let place = Int(truncatingIfNeeded: token & 0xFFFF_FFFF)
    slots[place].handler = nil
    slots[place].generation &+= 1
  }
}

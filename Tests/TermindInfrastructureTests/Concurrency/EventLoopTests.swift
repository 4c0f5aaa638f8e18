import CLinux
import Glibc
import TermindTestSupport
import Testing

@testable import TermindInfrastructure

/// A pair of connected sockets, closed at the end.
private final class SocketPair: Sendable {
  let left: Int32
  let right: Int32

  init() throws {
    var pair: [Int32] = [0, 0]
    try #require(
      unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0, &pair)
        == 0
    )
    left = pair[0]
    right = pair[1]
  }

  deinit {
    close(left)
    close(right)
  }

  func sendFromRight(_ count: Int = 1) {
    let bytes = [UInt8](repeating: 1, count: count)
    unsafe _ = write(right, bytes, bytes.count)
  }

  func readLeft() -> Int {
    var buffer = [UInt8](repeating: 0, count: 64)
    return unsafe read(left, &buffer, buffer.count)
  }
}

private actor Pinned {
  let loop: EventLoop
  private(set) var count = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

  init(_ loop: EventLoop) { self.loop = loop }

  func bump() -> Bool {
    count += 1
    return loop.isCurrent
  }

  func waitReadable(_ descriptor: Int32) async throws(EventLoopError) -> Bool {
    try await loop.readable(descriptor)
    return loop.isCurrent
  }

  nonisolated func bumpFromLoop() { assumeIsolated { $0.count += 1 } }
}

@Suite("Event loop", .timeLimit(.minutes(3))) struct EventLoopTests {
  private let loop: EventLoop

  init() throws { loop = try EventLoop(name: "test-loop") }

  private func finish() { loop.shutdown() }

  @Test("a pinned actor runs on the loop's thread, also after a wait")
  func pinning() async throws {
    defer { finish() }
    let pinned = Pinned(loop)
    let sockets = try SocketPair()
    #expect(await pinned.bump())
    #expect(!loop.isCurrent)
    sockets.sendFromRight()
    #expect(try await pinned.waitReadable(sockets.left))
    await withCheckedContinuation { done in
      loop.run {
        pinned.bumpFromLoop()
        done.resume()
      }
    }
    #expect(await pinned.count == 2)
  }

  @Test("every one of several waiters on a descriptor is resumed")
  func severalWaiters() async throws {
    defer { finish() }
    let sockets = try SocketPair()
    async let first: Void = loop.readable(sockets.left)
    async let second: Void = loop.readable(sockets.left)
    async let third: Void = loop.writable(sockets.left)
    try await third
    sockets.sendFromRight()
    try await first
    try await second
  }

  @Test("cancelling a task ends its wait at once and leaves the other waiter")
  func cancellation() async throws {
    defer { finish() }
    let sockets = try SocketPair()
    let loop = loop
    let doomed = Task { try await loop.readable(sockets.left) }
    let other = Task { try await loop.readable(sockets.left) }
    doomed.cancel()
    await #expect(throws: EventLoopError.cancelled) { try await doomed.value }
    sockets.sendFromRight()
    try await other.value
  }

  @Test("a task that is cancelled before it waits does not wait")
  func cancelledBefore() async throws {
    defer { finish() }
    let sockets = try SocketPair()
    let loop = loop
    let gate = Locked<CheckedContinuation<Void, Never>?>(nil)
    let task = Task {
      await withCheckedContinuation { continuation in gate.withLock { $0 = continuation } }
      try await loop.readable(sockets.left)
    }
    task.cancel()
    try await waitUntil("the task to wait") { gate.withLock { $0 != nil } }
    gate.withLock { $0 }?.resume()
    await #expect(throws: EventLoopError.cancelled) { try await task.value }
    await #expect(throws: EventLoopError.cancelled) {
      try await Task {
        unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
        try await loop.sleep(for: .seconds(60))
      }.value
    }
  }

  @Test("a watch is called for as long as the descriptor is ready, and never after its cancel")
  func levelTriggered() async throws {
    defer { finish() }
    let sockets = try SocketPair()
    let calls = Locked(0)
    let holder = Locked<DescriptorWatch?>(nil)
    await withCheckedContinuation { done in
      loop.run { [loop] in
        let watch = try? loop.watch(sockets.left, for: .readable) { events in
          #expect(events == .readable)
          let count = calls.withLock { count in
            count += 1
            return count
          }
          guard count == 3 else { return }
          holder.withLock { $0 }?.cancel()
          done.resume()
        }
        holder.withLock { $0 = watch }
        sockets.sendFromRight()
      }
    }
    try await loop.readable(sockets.left)
    #expect(calls.withLock { $0 } == 3)
  }

  @Test("a paused watch is silent, a second watch is refused, and a hang-up is reported")
  func pauseAndHangup() async throws {
    defer { finish() }
    var pair: [Int32] = [0, 0]
    try #require(unsafe pipe(&pair) == 0)
    let (reader, writer) = (pair[0], pair[1])
    defer { close(reader) }
    let seen = Locked<CheckedContinuation<DescriptorEvents, Never>?>(nil)
    let watch = try loop.watch(reader, for: []) { events in
      seen.withLock { waiting in
        waiting?.resume(returning: events)
        waiting = nil
      }
    }
    #expect(throws: EventLoopError.alreadyWatched(descriptor: reader)) {
      _ = try loop.watch(reader, for: .readable) { _ in }
    }
    close(writer)
    try await loop.sleep(for: .milliseconds(1))
    let events = await withCheckedContinuation { continuation in
      seen.withLock { $0 = continuation }
      watch.setInterest(.readable)
    }
    #expect(events.contains(.hangup))
    watch.cancel()
    let again = try loop.watch(reader, for: []) { _ in }
    again.cancel()
  }

  @Test("a regular file and a closed descriptor are refused with the system's code")
  func refused() async throws {
    defer { finish() }
    let null = unsafe open("/proc/self/exe", O_RDONLY)
    defer { close(null) }
    await #expect(throws: EventLoopError.system(operation: "epoll_ctl", code: EPERM)) {
      try await loop.readable(null)
    }
    await #expect(throws: EventLoopError.system(operation: "epoll_ctl", code: EBADF)) {
      try await loop.readable(9_999)
    }
    #expect(throws: EventLoopError.system(operation: "epoll_ctl", code: EPERM)) {
      _ = try loop.watch(null, for: .readable) { _ in }
    }
  }

  @Test("timers fire in order and a cancelled one does not")
  func timers() async {
    defer { finish() }
    let order = Locked<[Int]>([])
    await withCheckedContinuation { done in
      loop.schedule(after: .milliseconds(8)) {
        order.withLock { $0.append(3) }
        done.resume()
      }
      let never = loop.schedule(after: .milliseconds(4)) { order.withLock { $0.append(9) } }
      loop.schedule(after: .milliseconds(2)) { order.withLock { $0.append(2) } }
      loop.schedule(after: .zero) { order.withLock { $0.append(1) } }
      never.cancel()
    }
    #expect(order.withLock { $0 } == [1, 2, 3])
  }

  @Test("a flood of jobs does not keep a descriptor or a timer waiting")
  func fairness() async throws {
    defer { finish() }
    let sockets = try SocketPair()
    let isFlooding = Locked(true)
    let loop = loop
    @Sendable func flood() {
      guard isFlooding.withLock({ $0 }) else { return }
      loop.run { flood() }
    }
    for _ in 0..<200 { loop.run { flood() } }
    sockets.sendFromRight()
    try await loop.readable(sockets.left)
    try await loop.sleep(for: .milliseconds(1))
    isFlooding.withLock { $0 = false }
  }

  @Test("an idle loop makes no wakeups")
  func idle() async throws {
    defer { finish() }
    let thread = await withCheckedContinuation { done in
      loop.run { done.resume(returning: tm_thread_id()) }
    }
    // What is under way may settle first.
    try await waitUntil("a time without a wakeup") {
      let before = try contextSwitches(ofThread: thread)
      try await Task.sleep(for: .milliseconds(300))
      return try contextSwitches(ofThread: thread) == before
    }
  }

  private func contextSwitches(ofThread thread: Int32) throws -> Int {
    let descriptor = unsafe open("/proc/self/task/\(thread)/status", O_RDONLY)
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 8_192)
    let count = unsafe read(descriptor, &buffer, buffer.count)
    let text = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    let line = try #require(
      text.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
    )
    return try #require(line.split(separator: "\t").last.flatMap { Int($0) })
  }

  @Test("shutdown ends waits and sleeps, refuses new ones, and still runs jobs of actors")
  func shutdown() async throws {
    let sockets = try SocketPair()
    let loop = loop
    let pinned = Pinned(loop)
    let reading = Task { try await loop.readable(sockets.left) }
    let sleeping = Task { try await loop.sleep(for: .seconds(60)) }
    #expect(await pinned.bump())
    loop.shutdown()
    loop.shutdown()
    await #expect(throws: EventLoopError.shutDown) { try await reading.value }
    await #expect(throws: EventLoopError.shutDown) { try await sleeping.value }
    await #expect(throws: EventLoopError.shutDown) { try await loop.readable(sockets.left) }
    #expect(throws: EventLoopError.shutDown) {
      _ = try loop.watch(sockets.left, for: .readable) { _ in }
    }
    for _ in 0..<5 { #expect(await pinned.bump()) }
    #expect(await pinned.count == 6)
  }

  @Test("a group hands its loops out in turn and is never larger than the machine")
  func group() throws {
    let group = try EventLoopGroup(name: "group", count: 10_000)
    defer { group.shutdown() }
    #expect(group.loops.count == max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    let first = group.next()
    for _ in 1..<group.loops.count { #expect(group.next() !== first) }
    #expect(group.next() === first)
    finish()
  }
}

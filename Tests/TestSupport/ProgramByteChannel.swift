import CLinux
public import TermindApplication
import TermindDomain
public import TermindInfrastructure
import Glibc

/// A program of this machine whose standard input and output are a byte channel, such as an SFTP server.
public final class ProgramByteChannel: ByteChannel {
  private struct State {
    var queue: [[UInt8]] = []
    var offset = 0
    var queued = 0
    var isFull = false
    var isInputOver = false
    var isReceiving = true
    var isOutputOver = false
    var hasEnded = false
    var isClosed = false
    var watch: DescriptorWatch?
    var exitWatch: DescriptorWatch?
    var input: OwnedDescriptor?
  }

  /// Most bytes that wait to be written.
  public static let limit = 2 * 1024 * 1024
  private let loop: EventLoop
  private let receiver: any ByteChannelReceiving
  private let process: SpawnedProcess
  private let socket: OwnedDescriptor
  private let state = Locked(State())

  /// The loop that calls the receiver.
  public var executor: any SerialExecutor { loop }
  /// The process.
  public var processNumber: Int32 { process.number }
  /// How many bytes wait to be written.
  public var queuedByteCount: Int { state.withLock { $0.queued } }

  /// Starts a program.
  public init(
    _ program: String,
    _ arguments: [String] = [],
    directory: String? = nil,
    environment: [String: String] = ["PATH": "/usr/bin:/bin"],
    on loop: EventLoop,
    receiver: any ByteChannelReceiving
  ) throws {
    var pair: [Int32] = [0, 0]
    guard tm_stream_pair(&pair) == 0 else { throw TestFailure("socketpair: \(errno)") }
    let theirs = OwnedDescriptor(adopting: pair[1])
    socket = OwnedDescriptor(adopting: pair[0])
    _ = tm_set_nonblocking(pair[0], 1)
    self.loop = loop
    self.receiver = receiver
    process = try ProgramSpawn(
      program: program,
      arguments: [program] + arguments,
      environment: environment,
      directory: directory,
      descriptors: [.copy(theirs), .copy(theirs), .null]
    ).start()
    let watch = try loop.watch(socket.number, for: [.readable]) { [self] in ready($0) }
    let exitWatch = try loop.watch(process.descriptor.number, for: [.readable]) { [self] _ in
      exited()
    }
    state.withLock { state in
      state.watch = watch
      state.exitWatch = exitWatch
    }
  }

  deinit {
    // A loop that was shut down collects nothing any more.
    guard state.withLock({ !$0.hasEnded }) else { return }
    process.signalGroup(SIGKILL)
    while waitpid(process.number, nil, 0) < 0, errno == EINTR {}
  }

  /// Takes bytes for the other end.
  @discardableResult public func send(_ bytes: [UInt8]) -> Bool {
    state.withLock { state in
      guard !state.isClosed, !state.hasEnded, state.queued + bytes.count <= Self.limit else {
        state.isFull = true
        return false
      }
      state.queue.append(bytes)
      state.queued += bytes.count
      setInterest(&state)
      return true
    }
  }

  /// Ends the program's input once everything was written.
  public func finishSending() {
    state.withLock { $0.isInputOver = true }
    loop.run { [self] in state.withLock { flush(&$0) } }
  }

  /// Stops or resumes the reading.
  public func setReceiving(_ isOn: Bool) {
    state.withLock { state in
      state.isReceiving = isOn
      setInterest(&state)
    }
  }

  /// Asks the program to end.
  public func signal(_ name: String) { process.signalGroup(SIGTERM) }

  /// Kills the program.
  public func close() {
    let isFirst = state.withLock { state in
      defer { state.isClosed = true }
      return !state.isClosed && !state.hasEnded
    }
    guard isFirst else { return }
    process.signalGroup(SIGKILL)
    // Collected here: the loop may be shut down before it hears of the end, and a child that nobody collects stops exit tests.
    while waitpid(process.number, nil, 0) < 0, errno == EINTR {}
  }

  private func setInterest(_ state: inout State) {
    var interest: DescriptorEvents = []
    if state.isReceiving, !state.isOutputOver { interest.insert(.readable) }
    if state.queued > 0 { interest.insert(.writable) }
    state.watch?.setInterest(interest)
  }

  private func ready(_ events: DescriptorEvents) {
    if events.contains(.writable) {
      let hasRoom = state.withLock { state in
        flush(&state)
        defer { if state.queued < Self.limit / 2 { state.isFull = false } }
        return state.isFull && state.queued < Self.limit / 2
      }
      if hasRoom { receiver.mayContinueSending() }
    }
    if events.contains(.readable) { read() }
  }

  private func flush(_ state: inout State) {
    while let first = state.queue.first {
      let start = state.offset
      let count = first.withUnsafeBytes {
        Glibc.send(
          socket.number,
          $0.baseAddress?.advanced(by: start),
          first.count - start,
          Int32(MSG_NOSIGNAL)
        )
      }
      guard count > 0 else { break }
      state.queued -= count
      state.offset += count
      if state.offset == first.count {
        state.queue.removeFirst()
        state.offset = 0
      }
    }
    if state.isInputOver, state.queued == 0 { shutdown(socket.number, Int32(SHUT_WR)) }
    setInterest(&state)
  }

  private func read() {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = Glibc.read(socket.number, &buffer, buffer.count)
    if count > 0 {
      guard state.withLock({ !$0.isClosed }) else { return }
      return buffer[..<count].withUnsafeBytes { receiver.received($0) }
    }
    guard count == 0 || errno != EAGAIN && errno != EINTR else { return }
    let isFirst = state.withLock { state in
      defer {
        state.isOutputOver = true
        state.watch?.cancel()
        state.watch = nil
      }
      return !state.isOutputOver
    }
    if isFirst { receiver.finishedReceiving() }
  }

  private func exited() {
    guard let end = process.collect() else { return }
    while state.withLock({ !$0.isOutputOver }) {
      read()
      if errno == EAGAIN { break }
    }
    let isClosed = state.withLock { state in
      state.hasEnded = true
      state.exitWatch?.cancel()
      state.exitWatch = nil
      state.watch?.cancel()
      state.watch = nil
      return state.isClosed
    }
    if isClosed { return receiver.ended(.closed) }
    switch end {
    case .exited(let status): receiver.ended(.exited(status: status))
    case .signalled(let name): receiver.ended(.signalled(name: name))
    }
  }
}

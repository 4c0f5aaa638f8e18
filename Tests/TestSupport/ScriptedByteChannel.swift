public import TermindApplication
public import TermindInfrastructure

/// A byte channel whose other end is a closure of the test.
public final class ScriptedByteChannel: ByteChannel {
  private let loop: EventLoop
  private let receiver: any ByteChannelReceiving
  private let answer: @Sendable ([UInt8], ScriptedByteChannel) -> Void
  private let state = Locked((isClosed: false, accepts: true))

  /// The loop that calls the receiver.
  public var executor: any SerialExecutor { loop }
  /// Nothing waits here.
  public var queuedByteCount: Int { 0 }

  /// Makes a channel whose other end is `answer`, called on the loop with whatever is sent.
  public init(
    on loop: EventLoop,
    receiver: any ByteChannelReceiving,
    _ answer: @escaping @Sendable ([UInt8], ScriptedByteChannel) -> Void
  ) {
    self.loop = loop
    self.receiver = receiver
    self.answer = answer
  }

  /// Takes bytes for the other end.
  @discardableResult public func send(_ bytes: [UInt8]) -> Bool {
    guard state.withLock({ !$0.isClosed && $0.accepts }) else { return false }
    loop.run { [self] in answer(bytes, self) }
    return true
  }

  /// Refuses what is sent from now on, or takes it again and says so.
  public func setAccepting(_ isOn: Bool) {
    state.withLock { $0.accepts = isOn }
    if isOn { loop.run { [self] in receiver.mayContinueSending() } }
  }

  /// Gives bytes to the receiver.
  public func deliver(_ bytes: [UInt8]) {
    loop.run { [self] in
      guard state.withLock({ !$0.isClosed }) else { return }
      bytes.withUnsafeBytes { receiver.received($0) }
    }
  }

  /// Ends the channel from the other end.
  public func end(_ end: TerminalChannelEnd) {
    loop.run { [self] in
      let isFirst = state.withLock { state in
        defer { state.isClosed = true }
        return !state.isClosed
      }
      if isFirst { receiver.ended(end) }
    }
  }

  /// Ends the program's input once everything was written.
  public func finishSending() {}
  /// Stops or resumes the reading.
  public func setReceiving(_ isOn: Bool) {}
  /// Asks the program to end.
  public func signal(_ name: String) {}
  /// Ends the channel.
  public func close() { end(.closed) }
}

internal import TermindApplication
internal import TermindDomain
internal import TermindInfrastructure

/// The loop's side of one channel of an OpenSSH master; touched by its connection only.
final class ProxiedChannel {
  /// Who takes what comes.
  enum Receiver {
    /// A terminal, which takes standard error among the rest.
    case terminal(any TerminalOutputReceiving)
    /// Whoever opened a byte channel.
    case bytes(any ByteChannelReceiving)
  }

  /// What is told when a request of the start was answered.
  struct StartRequest {
    let name: String
    let content: [UInt8]
    /// Whether the channel is of no use without it.
    let isRequired: Bool
  }

  /// Most bytes of one packet that the server may send; OpenSSH's own value.
  static let maximumPacket: UInt32 = 32_768

  let id: UInt32
  let type: String
  let channel: OpenSSHChannel
  private var receiver: Receiver?
  /// What is asked for once the channel is open, in order.
  let starts: [StartRequest]
  /// The requests that the server has still to answer, in order.
  var unanswered: [StartRequest] = []
  /// Waits for the channel to be ready; nil once it is, or once nobody waits any more.
  var opening: CheckedContinuation<Result<OpenSSHChannel, ConnectionFailure>, Never>?
  var deadline: LoopTimer?
  /// Whether it stands among those whose input waits.
  var isWaiting = false
  /// Waits whether the connection ends as well.
  var silentEnd: LoopTimer?

  /// Its number at the server; nil until it is open.
  private(set) var remote: UInt32?
  private var sendWindow = 0
  private var remotePacket = 0
  private let sending = ByteQueue(capacity: 64)
  private let window: Int
  /// Bytes that were taken and not given back to the server's window.
  private var consumed = 0
  private var isFinished = false
  /// What came while nobody wanted it; the window bounds it.
  private var held: [(stream: UInt32, bytes: [UInt8])] = []
  private var hasHeldEnd = false
  private(set) var hasSentEOF = false
  private(set) var hasSentClose = false
  private(set) var hasPeerEOF = false
  private(set) var hasPeerClosed = false
  private var end: TerminalChannelEnd?
  /// The receiver has been told the end, or nobody was to be told.
  private(set) var isOver = false

  init(
    id: UInt32,
    type: String,
    channel: OpenSSHChannel,
    receiver: Receiver,
    starts: [StartRequest],
    window: Int
  ) {
    self.id = id
    self.type = type
    self.channel = channel
    self.receiver = receiver
    self.starts = starts
    self.window = window
  }

  /// Whether a person may wait at it.
  var isTerminal: Bool { if case .terminal? = receiver { true } else { false } }
  /// Whether nothing more can happen on it.
  ///
  /// One that was given up before the server answered stays, to be closed then.
  var isGone: Bool { isOver && hasPeerClosed }
  /// Whether it waits for the outbound queue to empty.
  var hasInput: Bool { !sending.isEmpty && sendWindow > 0 && !hasSentClose }

  // MARK: From here to the server

  /// Takes the server's confirmation.
  func opened(as remote: UInt32, window: UInt32, maximumPacket: UInt32) {
    self.remote = remote
    sendWindow = Int(window)
    remotePacket = min(max(Int(maximumPacket), 1), Int(Self.maximumPacket))
  }

  /// Makes the requests of the start.
  func start(_ writer: ChannelMessageWriter) {
    guard let remote else { return }
    for request in starts {
      writer.request(
        remote,
        request.name,
        wantsReply: request.isRequired,
        content: request.content
      )
      if request.isRequired { unanswered.append(request) }
    }
  }

  /// Lets more input go.
  func widen(by byteCount: UInt32) { sendWindow = min(sendWindow + Int(byteCount), 1 << 40) }

  /// Carries out what was ordered: size and signals first, then input as far as the window and the queue allow.
  ///
  /// - Parameters:
  ///   - writer: Takes the messages.
  ///   - limit: The queue takes no more input above this.
  func carryOutOrders(_ writer: ChannelMessageWriter, limit: Int) {
    let orders = channel.takeOrders()
    guard !isOver else { return }
    if orders.isClosed { return finish(.closed, writer) }
    // Also after the server has closed: what waits here is delivered, and then the end.
    if orders.isReceiving, !held.isEmpty { deliverHeld(writer) }
    guard !isOver else { return }
    if !orders.input.isEmpty { sending.append(orders.input) }
    isFinished = isFinished || orders.isFinished
    guard let remote, !hasSentClose else { return }
    if let size = orders.size {
      let content = SessionRequestContent.size(size)
      writer.request(remote, "window-change", wantsReply: false, content: content)
    }
    for name in orders.signals {
      let content = SessionRequestContent.text(name)
      writer.request(remote, "signal", wantsReply: false, content: content)
    }
    write(writer, limit: limit)
  }

  /// Sends input as far as the window and the queue allow.
  func write(_ writer: ChannelMessageWriter, limit: Int) {
    guard let remote, !hasSentClose else { return }
    if hasPeerClosed {
      _ = channel.wrote(sending.count)
      return sending.removeAll()
    }
    var count = 0
    while !sending.isEmpty, sendWindow > 0, writer.queue.count < limit {
      let size = min(sending.count, sendWindow, remotePacket)
      unsafe sending.withBytes { bytes in
        unsafe writer.data(remote, UnsafeRawBufferPointer(rebasing: bytes[..<size]))
      }
      sending.remove(first: size)
      sendWindow -= size
      count += size
    }
    if count > 0, channel.wrote(count), case .bytes(let receiver)? = receiver {
      receiver.mayContinueSending()
    }
    if sending.isEmpty, isFinished, !hasSentEOF {
      hasSentEOF = true
      writer.plain(.eof, remote)
      closeWhenBothFinished(writer)
    }
  }

  // MARK: From the server to here

  /// Takes output; it waits here while it is not wanted.
  func received(_ bytes: UnsafeRawBufferPointer, stream: UInt32, _ writer: ChannelMessageWriter) {
    guard !isOver, unsafe !bytes.isEmpty else { return }
    guard held.isEmpty, channel.isReceiving else {
      held.append((stream, unsafe [UInt8](bytes)))
      return
    }
    unsafe deliver(bytes, stream: stream)
    took(bytes.count, writer)
  }

  private func deliver(_ bytes: UnsafeRawBufferPointer, stream: UInt32) {
    switch receiver {
    case .terminal(let receiver): unsafe receiver.received(bytes)
    case .bytes(let receiver) where stream == 0: unsafe receiver.received(bytes)
    case .bytes(let receiver): unsafe receiver.receivedError(bytes)
    case nil: break
    }
  }

  private func took(_ count: Int, _ writer: ChannelMessageWriter) {
    consumed += count
    guard let remote, consumed >= window / 2, !hasPeerEOF, !hasSentClose else { return }
    writer.window(remote, byteCount: UInt32(clamping: consumed))
    consumed = 0
  }

  private func deliverHeld(_ writer: ChannelMessageWriter) {
    while !held.isEmpty, channel.isReceiving {
      let piece = held.removeFirst()
      unsafe piece.bytes.withUnsafeBytes { unsafe deliver($0, stream: piece.stream) }
      took(piece.bytes.count, writer)
    }
    guard held.isEmpty else { return }
    if hasHeldEnd {
      hasHeldEnd = false
      tellEOF()
    }
    if let end, hasPeerClosed { finish(end, writer) }
  }

  /// The server sends no more.
  func peerFinished(_ writer: ChannelMessageWriter) {
    guard !hasPeerEOF else { return }
    hasPeerEOF = true
    if held.isEmpty { tellEOF() } else { hasHeldEnd = true }
    closeWhenBothFinished(writer)
  }

  /// A connection that both sides have finished is closed here, as `ssh` itself does: some servers wait for that.
  ///
  /// A program's channel is the server's to close, once it has told how the program ended.
  private func closeWhenBothFinished(_ writer: ChannelMessageWriter) {
    if type != "session", hasSentEOF, hasPeerEOF { sendClose(writer) }
  }

  private func tellEOF() {
    if !isOver, case .bytes(let receiver)? = receiver { receiver.finishedReceiving() }
  }

  /// Notes how the program ended, as the server tells before it closes.
  func note(_ end: TerminalChannelEnd) {
    if self.end == nil { self.end = end }
  }

  /// How the program ended, as far as the server has told it.
  var programEnd: TerminalChannelEnd? { end }

  /// The server closed the channel.
  ///
  /// - Returns: Whether it did not say how the program ended.
  func peerClosed(_ writer: ChannelMessageWriter) -> Bool {
    hasPeerClosed = true
    peerFinished(writer)
    sendClose(writer)
    guard !isOver else { return false }
    if type != "session" { note(.exited(status: 0)) }
    guard let end else { return true }
    if held.isEmpty { finish(end, writer) }
    return false
  }

  /// Ends a channel that the server closed without a word, on a connection that goes on.
  func finishSilently(_ writer: ChannelMessageWriter) {
    note(.exited(status: 0))
    if held.isEmpty, let end { finish(end, writer) }
  }

  // MARK: The end

  /// Tells the end, once, and closes the channel.
  func finish(_ end: TerminalChannelEnd, _ writer: ChannelMessageWriter?) {
    guard !isOver else { return }
    isOver = true
    silentEnd?.cancel()
    deadline?.cancel()
    channel.end()
    sending.removeAll()
    held = []
    if let writer { sendClose(writer) }
    switch receiver {
    case .terminal(let receiver): receiver.ended(end)
    case .bytes(let receiver): receiver.ended(end)
    case nil: break
    }
    receiver = nil
  }

  /// Closes a channel that was opened after it had been given up.
  func closeLate(_ writer: ChannelMessageWriter) { sendClose(writer) }

  /// Gives up a channel that nobody was told of.
  func abandon(_ writer: ChannelMessageWriter?) {
    receiver = nil
    finish(.closed, writer)
  }

  private func sendClose(_ writer: ChannelMessageWriter) {
    guard let remote, !hasSentClose else { return }
    hasSentClose = true
    writer.plain(.close, remote)
  }
}

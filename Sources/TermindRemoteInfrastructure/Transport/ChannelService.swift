internal import TermindApplication
internal import TermindInfrastructure

/// The loop's side of one channel, which its connection serves in turns; touched by the connection only.
protocol ChannelService: AnyObject {
  /// The channel.
  var handle: SSH2ChannelHandle { get }
  /// How much was delivered in the last turn.
  var delivered: Int { get }
  /// A read failed in a way that ends the connection.
  var isBroken: Bool { get }
  /// The server closed the channel and did not tell how the program ended.
  var isClosedSilently: Bool { get }
  /// Waits whether the connection ends as well.
  var silentEnd: LoopTimer? { get set }
  /// Its receiver was told the end.
  var isOver: Bool { get }

  /// Delivers at most `slice` bytes; true when there may be more.
  func deliver(slice: Int, scratch: UnsafeMutableRawBufferPointer) -> Bool
  /// Tells the end, once everything before it was delivered.
  func checkEnd()
  /// Delivers the end, once.
  func finish(_ end: TerminalChannelEnd)
}

extension ChannelService {
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

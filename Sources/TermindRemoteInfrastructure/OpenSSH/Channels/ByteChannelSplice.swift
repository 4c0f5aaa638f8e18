internal import TermindApplication
internal import TermindDomain
internal import TermindInfrastructure

/// Joins two byte channels: what comes from one goes out on the other, until both have ended.
///
/// The channels may be on different loops. What one side does not take waits here, and its other side is held back.
final class ByteChannelSplice: Sendable {
  fileprivate enum Side: Int {
    case first = 0
    case second = 1

    var other: Side { self == .first ? .second : .first }
  }

  /// What is known of one side.
  private struct Half {
    var channel: (any ByteChannel)?
    /// What it did not take yet.
    var pending: [[UInt8]] = []
    /// The other side has said all.
    var isFinished = false
    var hasToldEnd = false
    var hasEnded = false
    /// Somebody is giving it what waits; whoever comes meanwhile asks for another look.
    var isPushing = false
    var needsAnotherLook = false
    /// The other side is held back.
    var holdsOther = false
  }

  private struct State {
    var halves = [Half(), Half()]
    var firstEnd: TerminalChannelEnd?
    var whenEnded: (@Sendable (TerminalChannelEnd) -> Void)?
  }

  private let state = Locked(State())

  /// The receiver of the first channel.
  var first: any ByteChannelReceiving { End(self, .first) }
  /// The receiver of the second channel.
  var second: any ByteChannelReceiving { End(self, .second) }

  /// Makes a splice without channels; what comes before both are there waits.
  ///
  /// - Parameter whenEnded: Takes the first end, once both channels have ended.
  init(whenEnded: (@Sendable (TerminalChannelEnd) -> Void)? = nil) {
    state.withLock { $0.whenEnded = whenEnded }
  }

  /// Names the first channel.
  func setFirst(_ channel: any ByteChannel) { set(channel, .first) }

  /// Names the second channel.
  func setSecond(_ channel: any ByteChannel) { set(channel, .second) }

  private func set(_ channel: any ByteChannel, _ side: Side) {
    state.withLock { state in
      if !state.halves[side.rawValue].hasEnded { state.halves[side.rawValue].channel = channel }
    }
    push(to: side)
  }

  fileprivate func received(_ bytes: [UInt8], from side: Side) {
    let target = side.other
    let isLost = state.withLock { state in
      guard !state.halves[target.rawValue].hasEnded else { return true }
      state.halves[target.rawValue].pending.append(bytes)
      return false
    }
    // Nobody is there any more who could take it.
    if isLost { channel(side)?.close() } else { push(to: target) }
  }

  fileprivate func finished(_ side: Side) {
    state.withLock { $0.halves[side.other.rawValue].isFinished = true }
    push(to: side.other)
  }

  fileprivate func ended(_ side: Side, _ end: TerminalChannelEnd) {
    typealias Outcome = (
      other: (any ByteChannel)?, whenEnded: (@Sendable (TerminalChannelEnd) -> Void)?,
      firstEnd: TerminalChannelEnd
    )
    let (other, whenEnded, firstEnd) = state.withLock { state -> Outcome in
      state.halves[side.rawValue].hasEnded = true
      state.halves[side.rawValue].channel = nil
      state.halves[side.rawValue].pending = []
      if state.firstEnd == nil { state.firstEnd = end }
      guard state.halves[side.other.rawValue].hasEnded else {
        return (state.halves[side.other.rawValue].channel, nil, end)
      }
      defer { state.whenEnded = nil }
      return (nil, state.whenEnded, state.firstEnd ?? end)
    }
    whenEnded?(firstEnd)
    guard let other else { return }
    // What was said before the end still goes out; a failed side has nothing more to say.
    if case .exited = end { finished(side) } else { other.close() }
  }

  fileprivate func push(to side: Side) {
    let isMine = state.withLock { state in
      let isBusy = state.halves[side.rawValue].isPushing
      state.halves[side.rawValue].isPushing = true
      state.halves[side.rawValue].needsAnotherLook = isBusy
      return !isBusy
    }
    guard isMine else { return }
    while pushOnce(to: side) {}
  }

  /// Gives a side what it takes; true when another look is needed.
  private func pushOnce(to side: Side) -> Bool {
    while let (channel, next) = state.withLock({ state -> (any ByteChannel, [UInt8])? in
      guard let channel = state.halves[side.rawValue].channel,
        let next = state.halves[side.rawValue].pending.first
      else { return nil }
      return (channel, next)
    }) {
      guard channel.send(next) else { break }
      state.withLock { state in
        if !state.halves[side.rawValue].pending.isEmpty {
          state.halves[side.rawValue].pending.removeFirst()
        }
      }
    }
    let (finishing, source, isHeld) = state.withLock {
      state -> ((any ByteChannel)?, (any ByteChannel)?, Bool) in
      var half = state.halves[side.rawValue]
      let isEmpty = half.pending.isEmpty
      var finishing: (any ByteChannel)?
      if isEmpty, half.isFinished, !half.hasToldEnd, half.channel != nil {
        half.hasToldEnd = true
        finishing = half.channel
      }
      let changes = half.holdsOther == isEmpty
      half.holdsOther = !isEmpty
      state.halves[side.rawValue] = half
      return (finishing, changes ? state.halves[side.other.rawValue].channel : nil, !isEmpty)
    }
    finishing?.finishSending()
    source?.setReceiving(!isHeld)
    return state.withLock { state in
      let needsMore = state.halves[side.rawValue].needsAnotherLook
      state.halves[side.rawValue].needsAnotherLook = false
      if !needsMore { state.halves[side.rawValue].isPushing = false }
      return needsMore
    }
  }

  private func channel(_ side: Side) -> (any ByteChannel)? {
    state.withLock { $0.halves[side.rawValue].channel }
  }

  /// The receiver of one side.
  private final class End: ByteChannelReceiving {
    private let splice: ByteChannelSplice
    private let side: Side

    init(_ splice: ByteChannelSplice, _ side: Side) {
      self.splice = splice
      self.side = side
    }

    func received(_ bytes: UnsafeRawBufferPointer) {
      splice.received(unsafe [UInt8](bytes), from: side)
    }

    func receivedError(_ bytes: UnsafeRawBufferPointer) {}

    func finishedReceiving() { splice.finished(side) }

    func mayContinueSending() { splice.push(to: side) }

    func ended(_ end: TerminalChannelEnd) { splice.ended(side, end) }
  }
}

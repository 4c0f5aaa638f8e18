/// Tells when a channel's window, and not the line, bounds the speed of a file.
struct SFTPWritePace: Sendable {
  /// How many bytes are looked at.
  static let span: UInt64 = 4_194_304
  /// Lines that are shorter gain nothing.
  static let shortest = Duration.milliseconds(10)
  /// How much is under way on a channel whose window, 2 MB at OpenSSH, is full most of the time.
  static let fullWindow = 1_250_000.0

  private var offset: UInt64
  private var time = ContinuousClock.now

  init(at offset: UInt64) { self.offset = offset }

  /// Whether enough was written to tell.
  func isDue(at offset: UInt64) -> Bool { offset - self.offset >= Self.span }

  /// Tells it from the time since it was last told, and starts anew.
  mutating func isHeldBack(at offset: UInt64, roundTrip: Duration?) -> Bool {
    let now = ContinuousClock.now
    defer {
      self.offset = offset
      time = now
    }
    guard let roundTrip, roundTrip >= Self.shortest else { return false }
    return Double(offset - self.offset) * (roundTrip / (now - time)) >= Self.fullWindow
  }
}

/// Turns the outer terminal's bytes into events.
public struct InputDecoder: Sendable {
  /// Makes a decoder that knows the usual keys.
  public init() {}

  /// Takes bytes in and returns the events that they complete.
  public mutating func feed(_ bytes: [UInt8]) -> [InputEvent] {
    []
  }

  /// How long to wait for more bytes before `timeout` has to be called; `nil` when nothing is pending.
  public var pendingTimeout: Duration? { nil }

  /// Ends what is pending.
  public mutating func timeout() -> [InputEvent] { [] }
}

/// Where commands were run; each place has a history of its own.
public enum CommandPlace: Hashable, Sendable {
  /// On this machine.
  case local
  /// On a saved host.
  case host(HostID)
  /// On a host that was only typed: the words that lead there.
  case target(String)
}

/// One command that a shell ran, as the shell told it.
public struct CommandRecord: Hashable, Sendable {
  /// Its line, several lines for a compound one.
  public var text: String
  /// When it was begun, seconds since 1970.
  public var started: Int64
  /// Its exit status; nil where the shell did not tell it.
  public var status: Int?
  /// How long it ran, in milliseconds; nil where the shell did not tell it.
  public var milliseconds: Int64?

  /// Makes a record.
  public init(text: String, started: Int64, status: Int? = nil, milliseconds: Int64? = nil) {
    self.text = text
    self.started = started
    self.status = status
    self.milliseconds = milliseconds
  }

  /// Whether a command is one to remember: a blank before it asks shells, and so us, to forget it.
  public static func isWorthKeeping(_ text: String) -> Bool {
    guard let first = text.first else { return false }
    return !first.isWhitespace
  }
}

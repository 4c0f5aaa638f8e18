/// How many files are copied at once.
public struct TransferLimits: Hashable, Sendable {
  /// Files in all, from 1 to 100.
  public let total: Int
  /// Files of one server, from 1 to 50 and never more than in all.
  public let perHost: Int

  /// What holds until somebody changes it.
  public static let standard = TransferLimits(total: 30, perHost: 10)

  /// What may be chosen for all files.
  public static let totals = 1...100
  /// What may be chosen for those of one server.
  public static let countsPerHost = 1...50

  /// Makes limits; numbers outside of the ranges are moved to their ends.
  public init(total: Int, perHost: Int) {
    self.total = min(max(total, 1), 100)
    self.perHost = min(max(perHost, 1), min(50, self.total))
  }
}

/// Which channel or connection carries the data of one file.
public enum TransferTopology: String, Hashable, Sendable, CaseIterable {
  /// A channel of the connection that is there.
  case channelsOnly
  /// A connection of its own, as long as one can be opened without asking anybody.
  case connectionsPreferred
  /// Channels for small files and those of unknown size, connections for large ones.
  case smart

  /// The largest file that `smart` leaves to a channel, in bytes.
  public static let smartLimit: UInt64 = 64_000_000

  /// Whether a file should get a connection of its own.
  ///
  /// - Parameters:
  ///   - size: The file's size, nil when it is not known.
  ///   - hasFailed: Whether an earlier silent attempt at a connection failed: later work then stays on channels.
  /// - Returns: True for a connection, false for a channel.
  public func wantsConnection(size: UInt64?, hasFailed: Bool) -> Bool {
    guard !hasFailed else { return false }
    switch self {
    case .channelsOnly: return false
    case .connectionsPreferred: return true
    case .smart: return (size ?? 0) > Self.smartLimit
    }
  }
}

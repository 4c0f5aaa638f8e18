public import TermindDomain
internal import TermindInfrastructure

/// Which servers libssh2 could not reach, and why; kept as long as the process lives.
public final class EngineMemory: Sendable {
  /// More servers than anyone meets; beyond it the lesson is learned anew each time.
  private static let bound = 10_000

  private let reasons = Locked<[SSHEndpoint: String]>([:])

  /// Knows nothing.
  public init() {}

  /// Why a server needs OpenSSH, as the end of a sentence; nil when nothing is known.
  public func reason(for endpoint: SSHEndpoint) -> String? {
    reasons.withLock { $0[endpoint] }
  }

  /// Every server that needs OpenSSH, with the reason, by their names.
  public var all: [(endpoint: SSHEndpoint, reason: String)] {
    reasons.withLock { $0 }.map { ($0.key, $0.value) }
      .sorted { $0.endpoint.description < $1.endpoint.description }
  }

  /// Remembers why a server needs OpenSSH.
  public func remember(_ reason: String, for endpoint: SSHEndpoint) {
    reasons.withLock { reasons in
      guard reasons.count < Self.bound || reasons[endpoint] != nil else { return }
      reasons[endpoint] = reason
    }
  }
}

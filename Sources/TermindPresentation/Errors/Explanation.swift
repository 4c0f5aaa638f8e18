/// What went wrong, in words for people.
public struct Explanation: Hashable, Sendable {
  /// A few words for a border or a badge: `refused`, `lost`, `exited 1`.
  public let state: String
  /// What failed, on what, and why; whole sentences.
  public let detail: String
  /// What to do or press next; one sentence.
  public let next: String

  /// Makes an explanation.
  public init(state: String, detail: String, next: String) {
    self.state = state
    self.detail = detail
    self.next = next
  }

  /// Everything in one paragraph.
  public var paragraph: String { "\(detail) \(next)" }
}

/// The keys that an explanation tells people to press.
public struct ExplanationKeys: Hashable, Sendable {
  /// Tries again.
  public var retry: String
  /// Closes what failed.
  public var close: String

  /// The keys of a dead pane and of a sheet.
  public init(retry: String = "r", close: String = "esc") {
    self.retry = retry
    self.close = close
  }
}

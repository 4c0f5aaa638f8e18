/// Bytes that wait for the program.
struct ReplyQueue {
  static let most = 256 * 1_024
  private var bytes: [UInt8] = []

  /// Appends a whole reply, or nothing when there is no room for it.
  mutating func append(_ reply: [UInt8]) {
    if bytes.count + reply.count <= Self.most { bytes += reply }
  }

  mutating func take() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }
}

/// Events that wait for the owner.
struct EventQueue {
  static let most = 256
  private var events: [TerminalEvent] = []
  /// Clipboard texts are large, so their bytes are bounded apart.
  private var clipboardBytes = 0

  mutating func append(_ event: TerminalEvent) {
    if let last = events.last, Self.collapses(last, event) {
      events[events.count - 1] = event
      return
    }
    if case .clipboardWrite(_, let bytes) = event {
      // Only the newest clipboard text matters.
      if clipboardBytes > 0 {
        events.removeAll { if case .clipboardWrite = $0 { true } else { false } }
      }
      clipboardBytes = bytes.count
    }
    if events.count >= Self.most { events.removeFirst(Self.most / 4) }
    events.append(event)
  }

  mutating func take() -> [TerminalEvent] {
    defer {
      events = []
      clipboardBytes = 0
    }
    return events
  }

  private static func collapses(_ last: TerminalEvent, _ next: TerminalEvent) -> Bool {
    switch (last, next) {
    case (.bell, .bell), (.title, .title), (.iconTitle, .iconTitle), (.progress, .progress),
      (.workingDirectory, .workingDirectory), (.pointerShape, .pointerShape),
      (.clipboardTooLarge, .clipboardTooLarge):
      true
    default: false
    }
  }
}

internal import TermindDomain

/// Understands what `ssh` says about its connection, line by line: a pure state machine.
///
/// Its log and the texts of others (banners of the server, words of a proxy command) come on two pipes, so that
/// a server cannot write into the log. The words are those of OpenSSH 8.7 and later in English.
struct MasterLog {
  /// What a line tells.
  enum Event: Equatable {
    /// The attempt is at this step now.
    case step(ConnectionStep)
    /// The connection is authenticated, and its control socket is there.
    case ready
    /// Words of the server within keyboard-interactive.
    case interactiveText(String)
    /// The server did not take what was sent.
    case refusedAnswer
  }

  /// The longest line that is kept, in bytes.
  static let maximumLineCount = 8192
  private static let maximumKeptLines = 32
  private static let debugPrefix = "debug1: "

  /// The line's words for the cause of the end; the first that tells one counts.
  private(set) var cause: ConnectionFailureCause?
  /// The last lines that are no debug output, of `ssh` or others.
  private(set) var lastLines: [String] = []
  /// What was tried to sign in, in order, without repeats.
  private(set) var tried: [String] = []
  /// What the server last said that it would accept.
  private(set) var offered: [String] = []
  /// The last line that others than `ssh` wrote.
  private(set) var lastForeignLine: String?
  private var banner = ""
  private var isInteractive = false
  private(set) var step = ConnectionStep.resolving
  private let limits: TransportLimits

  init(limits: TransportLimits) { self.limits = limits }

  /// Takes a line of the log.
  mutating func take(_ line: String) -> Event? {
    if line.hasPrefix("debug") {
      guard line.hasPrefix(Self.debugPrefix) else { return nil }
      return takeDebug(String(line.dropFirst(Self.debugPrefix.count)))
    }
    if line.hasPrefix("Authenticated to ") {
      isInteractive = false
      return nil
    }
    keep(line)
    if cause == nil { cause = Self.cause(in: line, self) }
    if line.hasPrefix("Permission denied, please try again.") { return .refusedAnswer }
    return isInteractive ? .interactiveText(line) : nil
  }

  /// Takes a line that others than `ssh` wrote.
  mutating func takeForeign(_ line: String) {
    let text = String(line.prefix(Self.maximumLineCount))
    lastForeignLine = text
    keep(text)
  }

  private mutating func keep(_ line: String) {
    guard !line.isEmpty else { return }
    lastLines.append(line)
    if lastLines.count > Self.maximumKeptLines { lastLines.removeFirst() }
  }

  private mutating func takeDebug(_ line: String) -> Event? {
    if line.hasPrefix("Connecting to ") || line.hasPrefix("Executing proxy") {
      return move(to: .connecting)
    }
    if line.hasPrefix("Local version string ") { return move(to: .keyExchange) }
    if line.hasPrefix("Server host ") { return move(to: .hostKey) }
    if line.hasPrefix("SSH2_MSG_SERVICE_ACCEPT received") { return move(to: .authentication) }
    if line.hasPrefix("Entering interactive session.") {
      step = .connected
      return .ready
    }
    if let list = Self.rest(of: line, after: "Authentications that can continue: ") {
      offered = list.split(separator: ",").map(String.init)
    } else if let method = Self.rest(of: line, after: "Next authentication method: ") {
      isInteractive = method == "keyboard-interactive"
      if method != "publickey" { note(tried: method) }
    } else if let key = Self.rest(of: line, after: "Offering public key: ") {
      note(tried: "publickey \(Self.keyLabel(key))")
    } else if let text = Self.rest(of: line, after: "kex_exchange_identification: banner line ") {
      if let colon = text.firstRange(of: ": "), banner.utf8.count < 4096 {
        banner += text[colon.upperBound...] + "\n"
      }
    }
    return nil
  }

  private mutating func move(to step: ConnectionStep) -> Event? {
    // A connection that is up exchanges keys anew from time to time.
    guard step != self.step, self.step != .connected else { return nil }
    self.step = step
    return .step(step)
  }

  private mutating func note(tried entry: String) {
    if !tried.contains(entry), tried.count < 64 { tried.append(entry) }
  }

  // MARK: The end

  /// Why the master ended.
  ///
  /// - Parameter end: How its process ended, in words for the log.
  /// - Returns: The cause.
  func cause(ofEnd end: String) -> ConnectionFailureCause {
    if let cause { return cause }
    let last = lastLines.last.map { Self.trimmed($0) }
    guard step != .connected else { return .lost(reason: last ?? end) }
    guard let last else { return .internalError(diagnostic: "ssh ended: \(end)") }
    // Only `ssh` itself ends before it has said what it does: its configuration or a path is at fault.
    return .internalError(diagnostic: "ssh: \(last)")
  }

  private static func cause(in line: String, _ log: MasterLog) -> ConnectionFailureCause? {
    if let text = rest(of: line, after: "ssh: Could not resolve hostname ") {
      return .unknownHost(tail(of: text))
    }
    if line.hasPrefix("ssh: connect to host ") { return causeOfConnect(tail(of: line), log) }
    if let cause = causeOfIdentification(line, log) { return cause }
    if let text = rest(of: line, after: "Unable to negotiate with ") {
      return causeOfNegotiation(text)
    }
    if line.hasSuffix(").") || line.hasSuffix(")"),
      let place = line.firstRange(of: ": Permission denied (")
    {
      let methods = line[place.upperBound...].prefix { $0 != ")" }
      return .authenticationFailed(
        tried: log.tried,
        offered: methods.split(separator: ",").map(String.init)
      )
    }
    if let text = rest(of: line, after: "Received disconnect from ") {
      // "HOST port N:CODE: TEXT"
      let words = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      return .disconnected(reason: trimmed(String(words.last ?? text[...])))
    }
    if line.hasPrefix("Timeout, server ") {
      let seconds = limitSeconds(log.limits)
      return .keepaliveTimedOut(seconds: seconds)
    }
    if let cause = causeOfLoss(line, log) { return cause }
    return nil
  }

  private static func limitSeconds(_ limits: TransportLimits) -> Int {
    limits.keepaliveInterval.wholeSeconds * max(limits.keepaliveCount, 1)
  }

  private static func causeOfConnect(
    _ text: String,
    _ log: MasterLog
  ) -> ConnectionFailureCause {
    switch text {
    case "Connection refused": return .refused
    case "Connection timed out", "Operation timed out":
      return .timedOut(seconds: log.limits.connecting.wholeSeconds)
    default: return .unreachable(text)
    }
  }

  private static func causeOfIdentification(
    _ line: String,
    _ log: MasterLog
  ) -> ConnectionFailureCause? {
    if line.hasPrefix("Connection timed out during banner exchange") {
      return log.banner.isEmpty
        ? .timedOut(seconds: log.limits.keyExchange.wholeSeconds) : .notSSH(banner: log.banner)
    }
    if line.hasPrefix("kex_exchange_identification: ")
      || line.hasPrefix("ssh_exchange_identification: ")
      || line.hasPrefix("banner exchange: Connection ")
      || line.hasPrefix("Bad remote protocol version identification")
    {
      return .notSSH(banner: log.banner)
    }
    if line.hasPrefix("Protocol major versions differ") { return .notSSH(banner: line) }
    return nil
  }

  /// `HOST port N: no matching host key type found. Their offer: a,b`.
  private static func causeOfNegotiation(_ text: String) -> ConnectionFailureCause? {
    guard let start = text.firstRange(of: "no matching "),
      let end = text.firstRange(of: " found. Their offer: ")
    else { return nil }
    let kind =
      switch text[start.upperBound..<end.lowerBound] {
      case "key exchange method": "key exchange"
      case "host key type": "host key"
      case let other: String(other)
      }
    let offered = text[end.upperBound...].split(separator: ",").map { trimmed(String($0)) }
    return MasterAlgorithms.cause(kind: kind, offered: offered)
  }

  private static func causeOfLoss(_ line: String, _ log: MasterLog) -> ConnectionFailureCause? {
    let isLoss =
      line.hasPrefix("Connection closed by ") || line.hasPrefix("Connection reset by ")
      || line.hasPrefix("client_loop: send disconnect: ")
      || line.hasPrefix("ssh_dispatch_run_fatal: ") || line.hasPrefix("ssh_packet_")
      || line.hasPrefix("Read from remote host ") || line.hasPrefix("Write failed: ")
      || line.hasPrefix("Bytes per packet corrupted") || line.hasPrefix("Corrupted MAC on input")
      || line.hasPrefix("Connection to ") && line.contains(" closed by remote host")
    guard isLoss else { return nil }
    if line.contains("closed by ") {
      let words = "the server closed the connection"
      return log.step == .connected ? .lost(reason: words) : log.causeOfClose(words)
    }
    return .lost(reason: line.contains(": ") ? tail(of: line) : trimmed(line))
  }

  /// A proxy command that fails closes the connection too, and has said why on its own.
  private func causeOfClose(_ words: String) -> ConnectionFailureCause {
    .disconnected(reason: words)
  }

  // MARK: Text

  private static func rest(of line: String, after prefix: String) -> String? {
    line.hasPrefix(prefix) ? String(line.dropFirst(prefix.count)) : nil
  }

  /// What stands after the last colon.
  private static func tail(of text: String) -> String {
    guard let place = text.lastIndex(of: ":") else { return trimmed(text) }
    return trimmed(String(text[text.index(after: place)...]))
  }

  private static func trimmed(_ text: String) -> String {
    var text = Substring(text)
    while let last = text.last, last == " " || last == "\r" || last == "\n" || last == "\t" {
      text = text.dropLast()
    }
    while text.first == " " { text = text.dropFirst() }
    return String(text)
  }

  /// `PATH TYPE FINGERPRINT [explicit|agent|token]` as people know keys here: type, fingerprint, place.
  private static func keyLabel(_ text: String) -> String {
    let words = text.split(separator: " ")
    guard let mark = words.lastIndex(where: { $0.hasPrefix("SHA256:") }), mark >= 2 else {
      return text
    }
    let place = words[..<(mark - 1)].joined(separator: " ")
    return "\(words[mark - 1]) \(words[mark]) \(place)"
  }
}

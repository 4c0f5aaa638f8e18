import TermindApplication

extension ErrorText {
  /// Says which keys were not used, and why; one line each, at most `limit` of them.
  static func lines(about unused: [UnusedKey], limit: Int = 4) -> [String] {
    let lines = unused.map { unused in
      switch unused {
      case .key(let label, let reason): "Not used: \(plain(label))\(because(reason))."
      case .agent(let reason): "The agent’s keys were not used\(because(reason))."
      case .passphrase(let reason): "The saved passphrase did not help\(because(reason))."
      case .password(let reason): "The saved password did not help\(because(reason))."
      }
    }
    guard lines.count > limit else { return lines }
    return lines.prefix(limit - 1) + ["\(lines.count - limit + 1) more keys were not used."]
  }
}

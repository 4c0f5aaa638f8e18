// What a configuration says about the session on a host, beside the way to it.
extension SSHResolvedHost {
  /// How often the host is asked for a sign of life; nil when nothing is said.
  public var keepAlive: HopKeepAlive? {
    guard let seconds = number(.serverAliveInterval) else { return nil }
    return HopKeepAlive(seconds: max(seconds, 0), count: number(.serverAliveCountMax))
  }

  /// The options that ask for algorithms that are no longer safe, with their values.
  public var oldAlgorithms: [(option: SSHOption, value: SSHConfigValue)] {
    SSHOldAlgorithms.all.compactMap { kind in
      guard let value = value(of: kind.option),
        SSHOldAlgorithms.isAsked(by: value.text, of: kind.option)
      else { return nil }
      return (kind.option, value)
    }
  }

  /// The variables that are sent: the local ones that `SendEnv` names, then those of `SetEnv`.
  ///
  /// - Parameter local: The variables of this machine.
  /// - Returns: Each name once, as `ssh` leaves it; those of `SendEnv` by name.
  public func environment(from local: [String: String]) -> [EnvironmentVariable] {
    let set = values(of: .setEnv).compactMap { value -> EnvironmentVariable? in
      guard let mark = value.text.firstIndex(of: "=") else { return nil }
      let rest = value.text[value.text.index(after: mark)...]
      return EnvironmentVariable(name: String(value.text[..<mark]), value: String(rest))
    }
    let given = Set(set.map(\.name))
    let patterns = values(of: .sendEnv).map(\.text)
    guard !patterns.isEmpty else { return set }
    let sent = local.keys.sorted().filter { name in
      // The terminal here is the pane and not the one of this process.
      name != "TERM" && !given.contains(name) && patterns.contains { SSHPattern.matches(name, $0) }
    }
    return sent.map { EnvironmentVariable(name: $0, value: local[$0] ?? "") } + set
  }
}

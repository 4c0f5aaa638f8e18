public import TermindDomain
import TermindUnicode

extension ErrorText {
  /// What is being done, as it follows “while”.
  public static func words(for step: ConnectionStep) -> String {
    switch step {
    case .resolving: "looking up its name"
    case .connecting: "connecting"
    case .keyExchange: "exchanging keys"
    case .hostKey: "checking its host key"
    case .authentication: "signing in"
    case .openingChannel: "opening the session"
    case .connected: "the connection was up"
    }
  }

  /// `web1`, or `10.0.0.11:2222 (hop 2 of 3)` on a route with jump hosts.
  public static func place(_ failure: ConnectionFailure) -> String {
    place(failure.endpoint, index: failure.hopIndex, count: failure.hopCount)
  }

  static func place(_ endpoint: SSHEndpoint, index: Int, count: Int) -> String {
    let name = plain(endpoint.description)
    return count > 1 ? "\(name) (hop \(index + 1) of \(count))" : name
  }

  static func noCommonAlgorithm(
    _ hop: String,
    kind: String,
    offered: [String],
    supported: [String],
    keys: ExplanationKeys
  ) -> Explanation {
    if !offered.isEmpty, offered.allSatisfy({ $0.contains("-cert-v0") }) {
      return Explanation(
        state: "certificates only",
        detail:
          "\(hop) shows only host certificates (\(list(offered))). Checking them, also with a "
          + "@cert-authority line, needs the OpenSSH engine.",
        next:
          "Set the host's engine to Automatic or OpenSSH, then press \(keys.retry) to try again."
      )
    }
    if supported.isEmpty {
      // OpenSSH knows old ones and uses them only where it is told to.
      let option = configurationOption(kind)
      return Explanation(
        state: "no common \(plain(kind))",
        detail:
          "\(hop) offers only \(list(offered)) as \(plain(kind)), which OpenSSH does not use by itself.",
        next:
          "Let the server offer a newer one; or add \"\(option) +\(plain(offered.first ?? ""))\" for it to "
          + "~/.ssh/config, connect by its name there, and press \(keys.retry)."
      )
    }
    return Explanation(
      state: "no common \(plain(kind))",
      detail: "\(hop) and Termind share no \(plain(kind)): it offers \(list(offered)); "
        + "Termind knows \(list(supported)).",
      next:
        "Set the host's engine to Automatic or OpenSSH, or let the server offer one of these, then "
        + "press \(keys.retry) to try again."
    )
  }

  private static func configurationOption(_ kind: String) -> String {
    switch kind {
    case "key exchange": "KexAlgorithms"
    case "host key": "HostKeyAlgorithms"
    case "cipher": "Ciphers"
    default: "MACs"
    }
  }

  static func hostKey(
    _ cause: ConnectionFailureCause,
    _ hop: String,
    _ keys: ExplanationKeys
  ) -> Explanation {
    switch cause {
    case .hostKeyChanged(let offered, let known):
      return Explanation(
        state: "host key changed",
        detail: "The host key of \(hop) is not the known one (\(list(known))): it offers "
          + "\(KeyTypeName.text(offered)). Someone may be listening in, or the server was "
          + "reinstalled. Nothing was sent.",
        next: "Press \(keys.retry) to see both keys."
      )
    case .hostKeyRevoked(let key):
      return Explanation(
        state: "host key revoked",
        detail: "\(hop) offers \(KeyTypeName.text(key)), which is marked as revoked. "
          + "It is never trusted.",
        next: "Ask who runs the server. Press \(keys.close) to close."
      )
    case .hostKeyRejected(let key):
      return Explanation(
        state: "not trusted",
        detail: "The host key of \(hop), \(KeyTypeName.text(key)), was not trusted. "
          + "Nothing was sent.",
        next: "Press \(keys.retry) to be asked again."
      )
    default:
      preconditionFailure("only causes about host keys come here")
    }
  }

  static func authentication(
    _ hop: String,
    tried: [String],
    offered: [String],
    keys: ExplanationKeys
  ) -> Explanation {
    let refused =
      tried.isEmpty
      ? "\(hop) lets nobody in with what there was to try"
      : "\(hop) did not accept \(list(tried))"
    let offers = offered.isEmpty ? "" : "; it takes \(list(offered))"
    return Explanation(
      state: "sign-in failed",
      detail: "\(refused)\(offers).",
      next: "Check the user name and the keys, then press \(keys.retry) to try again."
    )
  }

  static func meaning(ofStatus status: Int) -> String {
    switch status {
    case 126: " (the command cannot be run)"
    case 127: " (the command was not found)"
    default: ""
    }
  }

  static func meaning(ofSignal name: String) -> String {
    switch name {
    case "KILL": "killed"
    case "TERM", "INT", "QUIT": "told to end"
    case "HUP": "hung up"
    case "SEGV", "BUS", "ABRT", "ILL", "FPE": "ended by a crash"
    default: "ended by a signal"
    }
  }

  /// What a channel request is called among people.
  static func named(_ request: String) -> String {
    switch request {
    case "session": "a session"
    case "pty-req": "a terminal"
    case "shell": "a shell"
    case "exec": "a command"
    case "subsystem": "a subsystem"
    case "direct-tcpip": "the way to the next hop"
    default: quoted(request)
    }
  }

  // MARK: - Text from elsewhere

  /// `: text` without its full stop, or nothing.
  static func because(_ text: String) -> String {
    var text = plain(text)
    while text.hasSuffix(".") || text.hasSuffix(" ") { text.removeLast() }
    return text.isEmpty ? "" : ": \(text)"
  }

  /// The text when it says something; nothing when it is a bare number.
  static func wordy(_ text: String) -> String {
    text.contains(where: \.isLetter) ? text : ""
  }

  static func quoted(_ text: String) -> String {
    let text = plain(text)
    return text.isEmpty ? "" : "‘\(text)’"
  }

  static func list(_ names: [String]) -> String {
    let shown = names.prefix(6).map { plain($0) }
    let more = names.count > 6 ? " and \(names.count - 6) more" : ""
    return shown.isEmpty ? "nothing" : shown.joined(separator: ", ") + more
  }

  /// The text with everything that could act on a terminal as its visible stand-in.
  static func visible(_ text: String) -> String { DisplayText(text).text }

  /// One line of at most 300 characters, with everything that could steer a terminal or reorder text as its visible
  /// stand-in.
  static func plain(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(300) {
      switch scalar {
      case "\t", "\n", "\r", " ": if result.last != " " { result.append(" ") }
      default: result.append(scalar)
      }
    }
    return visible(String(ConfigurationLines.trim(Substring(String(result)))))
  }
}

/// Short names for SSH key types.
enum KeyTypeName {
  static func short(_ type: String) -> String {
    switch type {
    case "ssh-ed25519": "ED25519"
    case "ssh-rsa", "rsa-sha2-256", "rsa-sha2-512": "RSA"
    case "ssh-dss": "DSA"
    case "ecdsa-sha2-nistp256": "ECDSA P-256"
    case "ecdsa-sha2-nistp384": "ECDSA P-384"
    case "ecdsa-sha2-nistp521": "ECDSA P-521"
    case "sk-ssh-ed25519@openssh.com": "ED25519-SK"
    case "sk-ecdsa-sha2-nistp256@openssh.com": "ECDSA-SK"
    default: ErrorText.plain(type)
    }
  }

  static func text(_ key: HostKey) -> String {
    "\(short(key.type)) \(ErrorText.plain(key.fingerprint))"
  }
}

internal import TermindDomain

/// The command line of a master: every option that matters is given, so that no configuration changes it.
struct MasterArguments {
  /// How the master reaches its server.
  enum Way {
    /// By TCP, or by what the person's configuration says.
    case direct
    /// Through a socket that our own program hands over.
    case handedOver
  }

  /// The hop.
  let hop: Hop
  /// Where its sockets are.
  let folder: MasterFolder
  /// The path of our own program.
  let program: String
  /// How it is reached.
  let way: Way
  /// Key files that `ssh` itself has to open.
  let keyFiles: [String]
  /// Whether the attempt's own agent has the keys.
  let usesAgent: Bool
  /// Whether a password is to be sent before any key.
  let prefersPassword: Bool
  /// Whether a Kerberos ticket may be used.
  let usesTickets: Bool
  /// A configuration other than the person's and the system's, for hosts that are reached through it.
  let configuration: String?
  /// What is known of its host keys.
  let knowledge: HostKeyKnowledge
  /// The account of this machine.
  let localUser: String?
  /// The bounds.
  let limits: TransportLimits

  /// The arguments, the program's own name first.
  var words: [String] {
    var words = ["ssh", "-M", "-N", "-T", "-x", "-a", "-S", folder.control, "-E", "/dev/stdout"]
    if hop.alias == nil {
      words += ["-F", "none"]
    } else if let configuration {
      words += ["-F", configuration]
    }
    for (name, value) in options { words += ["-o", "\(name)=\(value)"] }
    // A program may decide about what is usual; what is not was given by the person.
    let isOpen = hop.onlyOpenSSH == "Match exec"
    if !isOpen || hop.credentials.username != localUser {
      words += ["-l", hop.credentials.username]
    }
    if !isOpen || hop.endpoint.port != 22 { words += ["-p", "\(hop.endpoint.port)"] }
    return words + ["--", hop.alias ?? hop.endpoint.host]
  }

  private var options: [(String, String)] {
    let common = [
      ("ControlMaster", "yes"), ("ControlPersist", "no"), ("LogLevel", "DEBUG1"),
      ("SessionType", "none"), ("StdinNull", "yes"), ("RequestTTY", "no"),
      ("ForkAfterAuthentication", "no"), ("PermitLocalCommand", "no"), ("RemoteCommand", "none"),
      ("ClearAllForwardings", "yes"), ("Tunnel", "no"), ("BatchMode", "no"),
      ("NumberOfPasswordPrompts", "3"), ("AddKeysToAgent", "no"), ("EscapeChar", "none"),
      ("VisualHostKey", "no"), ("TCPKeepAlive", "yes"),
      ("ConnectTimeout", "\(limits.connecting.wholeSeconds)"),
      ("ConnectionAttempts", "1"),
      // Zero means never, there as here.
      (
        "ServerAliveInterval",
        limits.keepaliveInterval > .zero ? "\(limits.keepaliveInterval.wholeSeconds)" : "0"
      ),
      ("ServerAliveCountMax", "\(max(limits.keepaliveCount, 1))"),
      // Trust is ours to decide.
      ("StrictHostKeyChecking", "yes"), ("CheckHostIP", "no"), ("VerifyHostKeyDNS", "no"),
      ("UpdateHostKeys", "no"), ("UserKnownHostsFile", "/dev/null"),
      ("GlobalKnownHostsFile", "/dev/null"),
      (
        "KnownHostsCommand",
        "\(Self.quoted(program)) \(OpenSSHHelper.hostKeyWord) %t %K %H %I"
      ),
    ]
    return common + algorithmOptions + routeOptions + keyOptions
  }

  /// What a person's configuration says about algorithms stays, unless old ones were allowed here.
  private var algorithmOptions: [(String, String)] {
    guard hop.alias == nil || hop.allowsOldAlgorithms else { return [] }
    return MasterAlgorithms.options(knowledge, allowsOld: hop.allowsOldAlgorithms)
  }

  private var routeOptions: [(String, String)] {
    guard way == .handedOver else {
      // A jump of the configuration is a hop of ours, which is not this one's first.
      return hop.alias == nil ? [("ProxyCommand", "none"), ("ProxyJump", "none")] : []
    }
    return [
      ("ProxyCommand", "\(Self.shellQuoted(program)) \(OpenSSHHelper.proxyWord)"),
      ("ProxyUseFdpass", "yes"),
    ]
  }

  private var keyOptions: [(String, String)] {
    guard hop.alias == nil else { return [] }
    var options = [
      ("PubkeyAuthentication", "yes"), ("PasswordAuthentication", "yes"),
      ("KbdInteractiveAuthentication", "yes"), ("HostbasedAuthentication", "no"),
      ("GSSAPIAuthentication", usesTickets ? "yes" : "no"),
      (
        "PreferredAuthentications",
        prefersPassword
          ? "gssapi-with-mic,password,publickey,keyboard-interactive"
          : "gssapi-with-mic,publickey,keyboard-interactive,password"
      ),
      ("IdentitiesOnly", "no"),
      ("IdentityAgent", usesAgent ? Self.quoted(folder.agent) : "none"),
    ]
    if keyFiles.isEmpty { options.append(("IdentityFile", "none")) }
    for file in keyFiles { options.append(("IdentityFile", Self.quoted(file))) }
    return options
  }

  /// A word of `ssh`'s configuration: percent signs begin tokens there.
  static func quoted(_ word: String) -> String {
    let text = word.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "\"\(text.replacing("%", with: "%%"))\""
  }

  /// A word of a shell's command in `ssh`'s configuration.
  static func shellQuoted(_ word: String) -> String {
    ShellQuoting.single(word).replacing("%", with: "%%")
  }
}

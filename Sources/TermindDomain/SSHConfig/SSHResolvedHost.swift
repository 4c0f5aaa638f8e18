/// What a configuration says about one alias.
public struct SSHResolvedHost: Sendable {
  /// The name that was asked for.
  public let alias: String
  /// The name or address to connect to, in lower case.
  public let hostName: String
  /// The account: the given one, else the file's, else the local one.
  public let userName: String
  /// The port: the given one, else the file's, else 22.
  public let port: UInt16
  /// Whether a line names the alias itself and not only by a pattern.
  public let isNamed: Bool
  /// What was left out.
  public let notes: [SSHConfigNote]
  /// What is wrong for this alias, beside the problems of the configuration.
  public let problems: [SSHConfigProblem]
  /// An option of its own that decides where it is and cannot be read, so that it leads elsewhere; `ssh` refuses the file.
  public let unreadable: SSHOption?
  /// Whether the account was given or set, so that it is not the local one by default.
  public let isUserSet: Bool
  private let values: [SSHOption: [SSHConfigValue]]
  private let machine: SSHLocalMachine

  init(_ pass: SSHConfigPass, hostName: String) {
    alias = pass.alias
    self.hostName = hostName
    let user = pass.user ?? pass.values[.user]?.first?.text
    userName = user ?? pass.machine.userName
    isUserSet = user != nil
    port = pass.port ?? pass.values[.port]?.first.flatMap { UInt16($0.text) } ?? 22
    isNamed = pass.isNamed
    notes = pass.notes
    problems = pass.problems
    unreadable = pass.unreadable
    values = pass.values
    machine = pass.machine
  }

  /// Where the host listens.
  public var endpoint: SSHEndpoint { SSHEndpoint(host: hostName, port: port) }

  /// The options that are set, ordered by their names.
  public var options: [SSHOption] { values.keys.sorted { $0.rawValue < $1.rawValue } }

  /// The values of an option in their order, as they were set; empty when it is not.
  ///
  /// `none` disables: a command or a jump that is `none`, and forwardings that are cleared, have no
  /// values. Tokens, variables and `~` are not expanded.
  public func values(of option: SSHOption) -> [SSHConfigValue] {
    let values = values[option] ?? []
    switch option {
    case .proxyCommand, .remoteCommand, .proxyJump:
      return values.first.map { SSHPattern.lowered($0.text) == "none" } == true ? [] : values
    case .localForward, .remoteForward, .dynamicForward:
      return flag(.clearAllForwardings) == true ? [] : values
    default:
      return values
    }
  }

  /// The first value of an option as it was set; nil when it is not.
  public func value(of option: SSHOption) -> SSHConfigValue? { values(of: option).first }

  /// A yes or no; nil when it is not set, or is something else.
  public func flag(_ option: SSHOption) -> Bool? {
    switch values[option]?.first?.text {
    case "yes", "true": true
    case "no", "false": false
    default: nil
    }
  }

  /// A number or a time in seconds; nil when it is not set, or is `none`.
  public func number(_ option: SSHOption) -> Int? {
    values[option]?.first.flatMap { Int($0.text) }
  }

  /// The jump hosts as they are written, in the order of the way; empty when there are none.
  public var jumps: [SSHJump] {
    guard let value = value(of: .proxyJump) else { return [] }
    return SSHJump.chain(value.text) { _ in nil } ?? []
  }

  /// A value with `~`, tokens and variables replaced where `ssh` replaces them for this option.
  ///
  /// - Parameters:
  ///   - value: A value of the option.
  ///   - option: The option.
  /// - Returns: The text that counts; paths of keys and certificates are absolute.
  /// - Throws: What cannot be expanded.
  public func expanded(
    _ value: SSHConfigValue,
    of option: SSHOption
  ) throws(SSHExpansionError) -> String {
    switch option {
    case .identityFile, .certificateFile:
      let path = try expandedPath(value.text)
      return path.hasPrefix("/") ? path : machine.workingDirectory + "/" + path
    case .userKnownHostsFile:
      return value.text == "none" ? value.text : try expandedPath(value.text)
    case .identityAgent:
      if value.text == "none" || value.text == "SSH_AUTH_SOCK" { return value.text }
      if value.text.hasPrefix("$"), !value.text.hasPrefix("${") {
        let name = String(value.text.dropFirst())
        guard let path = machine.variables[name] else { throw .missingVariable(name) }
        return path
      }
      return try expandedPath(value.text)
    case .forwardAgent:
      if value.text == "yes" || value.text == "no" { return value.text }
      return value.text.hasPrefix("$") && !value.text.hasPrefix("${")
        ? value.text : try expandedPath(value.text)
    case .proxyCommand, .remoteCommand:
      return try SSHExpansion.expanded(value.text, tokens: tokens, variables: nil)
    case .hostKeyAlias:
      return SSHPattern.lowered(value.text)
    case .localForward, .remoteForward, .dynamicForward:
      return value.text.contains("/")
        ? try SSHExpansion.expanded(value.text, tokens: tokens, variables: machine.variables)
        : value.text
    default:
      return value.text
    }
  }

  /// The jump hosts with their tokens replaced.
  ///
  /// - Returns: The jumps in the order of the way.
  /// - Throws: What cannot be expanded.
  public func expandedJumps() throws(SSHExpansionError) -> [SSHJump] {
    let known = tokens.filter { "hnpr".utf8.contains($0.key) }
    var result: [SSHJump] = []
    for jump in jumps {
      var user = jump.user
      if let text = user { user = try SSHExpansion.expanded(text, tokens: known, variables: nil) }
      // A scope of an address begins with the same sign as a token.
      let host =
        jump.host.contains(":")
        ? jump.host : try SSHExpansion.expanded(jump.host, tokens: known, variables: nil)
      result.append(SSHJump(user: user, host: host, port: jump.port))
    }
    return result
  }

  private func expandedPath(_ text: String) throws(SSHExpansionError) -> String {
    try SSHExpansion.expanded(
      try SSHExpansion.tilde(text, home: machine.home),
      tokens: tokens,
      variables: machine.variables
    )
  }

  private var tokens: [UInt8: String] {
    let alias = value(of: .hostKeyAlias).map { SSHPattern.lowered($0.text) } ?? self.alias
    let shortName = machine.hostName.prefix { $0 != "." }
    return [
      UInt8(ascii: "L"): String(shortName),
      UInt8(ascii: "d"): machine.home,
      UInt8(ascii: "h"): hostName,
      UInt8(ascii: "i"): "\(machine.userNumber)",
      UInt8(ascii: "k"): alias,
      UInt8(ascii: "l"): machine.hostName,
      UInt8(ascii: "n"): self.alias,
      UInt8(ascii: "p"): "\(port)",
      UInt8(ascii: "r"): userName,
      UInt8(ascii: "u"): machine.userName,
    ]
  }
}

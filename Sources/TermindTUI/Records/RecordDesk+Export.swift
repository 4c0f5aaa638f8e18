import TermindApplication
import TermindDomain

/// Records in forms that other programs read; secrets are never among them.
extension RecordDesk {
  nonisolated func export(_ kind: ExportKind) async throws(ControlError) -> RecordResult {
    switch kind {
    case .hosts:
      let vault = try await snapshot(.host)
      guard case .hosts(let rows) = vault.rows(.host) else { return .records(.hosts([])) }
      return .exported(text: HostTable.text(rows), .hosts(rows))
    case .knownHosts:
      let vault = try await snapshot(.knownHost)
      return .exported(text: files.text(of: vault.knownHosts), vault.rows(.knownHost))
    case .sshConfig:
      var vault = try await snapshot(.host)
      vault.keys = try await snapshot(.key).keys
      let leftOut = vault.hosts.filter { $0.connectionProtocol != .ssh }
      return .configured(
        SSHConfigText.rows(vault),
        leftOut: leftOut.map { RecordName(id: "\($0.id)", name: $0.name) }
      )
    }
  }
}

/// Hosts as a table with named columns, as `termind import csv` reads it.
nonisolated enum HostTable {
  static func text(_ rows: [HostRow]) -> String {
    let head = ["name", "address", "port", "user", "tags", "jump", "key", "notes"]
    let lines = rows.map { row in
      [
        row.name, row.address, "\(row.port)", row.user, row.tags.joined(separator: ","),
        row.jumps.joined(separator: ","), row.keyFiles.first ?? "", row.note,
      ]
    }
    return ([head] + lines).map { $0.map(field).joined(separator: ",") + "\r\n" }.joined()
  }

  /// A field, in quotes where it needs them (RFC 4180 section 2).
  private static func field(_ text: String) -> String {
    let isPlain = text.unicodeScalars.allSatisfy { !"\",\r\n".unicodeScalars.contains($0) }
    guard !isPlain || text.first == " " || text.last == " " else { return text }
    var quoted = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" { quoted += "\"" }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }
}

/// Hosts as a configuration of `ssh`.
nonisolated enum SSHConfigText {
  static func rows(_ vault: VaultSnapshot) -> [ConfigRow] {
    let aliases = aliases(vault.hosts)
    return vault.hosts.filter { $0.connectionProtocol == .ssh }.map { host in
      let alias = aliases[host.id] ?? ""
      return ConfigRow(
        id: "\(host.id)",
        name: host.name,
        alias: alias,
        text: block(host, alias, aliases, vault)
      )
    }
  }

  /// What is said about hosts that `ssh` does not reach.
  static func note(_ leftOut: [RecordName]) -> String {
    let names = leftOut.map { line($0.name) }.joined(separator: ", ")
    return "Left out, since ssh does not speak Telnet: \(names)"
  }

  /// What each host is called where no blanks, quotes and patterns can be.
  private static func aliases(_ hosts: [HostRecord]) -> [HostID: String] {
    var taken = Set(hosts.map(\.name))
    var result: [HostID: String] = [:]
    for host in hosts {
      let plain = String(host.name.map { $0.isWhitespace || "*?!,\"'#=\\".contains($0) ? "-" : $0 })
      let alias = plain.hasPrefix("-") ? "host" + plain : plain
      var free = alias
      var number = 2
      while free != host.name, !taken.insert(free).inserted {
        free = "\(alias)-\(number)"
        number += 1
      }
      result[host.id] = free
    }
    return result
  }

  private static func block(
    _ host: HostRecord,
    _ alias: String,
    _ aliases: [HostID: String],
    _ vault: VaultSnapshot
  ) -> String {
    var lines: [String] = []
    if alias != host.name { lines.append("# \(line(host.name))") }
    lines.append("Host \(alias)")
    lines.append("  HostName \(escaped(host.endpoint.host))")
    if host.endpoint.port != 22 { lines.append("  Port \(host.endpoint.port)") }
    let identity = host.identity.flatMap { id in vault.identities.first { $0.id == id } }
    let user = host.username.isEmpty ? identity?.username ?? "" : host.username
    if !user.isEmpty { lines.append("  User \(quoted(user))") }
    var files = host.keyFiles
    if files.isEmpty {
      files = (identity?.keys ?? []).compactMap { id in
        guard case .file(let path)? = vault.keys.first(where: { $0.id == id })?.location else {
          return nil
        }
        return path
      }
    }
    lines += files.map { "  IdentityFile \(quoted($0))" }
    if !host.usesAgent || identity?.usesAgent == false { lines.append("  IdentityAgent none") }
    if !host.jumps.isEmpty {
      let jumps = host.jumps.map { jump -> String in
        switch jump {
        case .saved(let id): return aliases[id] ?? "\(id)"
        case .text(let text):
          let known = vault.hosts.first { $0.name == text }
          return known.flatMap { aliases[$0.id] } ?? line(text)
        }
      }
      lines.append("  ProxyJump \(jumps.joined(separator: ","))")
    }
    if let seconds = host.keepAliveSeconds { lines.append("  ServerAliveInterval \(seconds)") }
    if host.allowsOldAlgorithms {
      lines += SSHOldAlgorithms.all.map { kind in
        "  \(kind.option.rawValue) +\(kind.names.joined(separator: ","))"
      }
    }
    if !host.environment.isEmpty {
      let variables = host.environment.filter { !$0.value.contains(where: \.isNewline) }
        .map { quoted("\($0.name)=\($0.value)", isExpanded: false) }
      if !variables.isEmpty { lines.append("  SetEnv \(variables.joined(separator: " "))") }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A value in which `ssh` would expand what begins with a percent sign.
  private static func escaped(_ text: String) -> String {
    line(text).split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%%")
  }

  private static func quoted(_ text: String, isExpanded: Bool = true) -> String {
    let text = isExpanded ? escaped(text) : line(text)
    let isPlain = text.allSatisfy { !$0.isWhitespace && !"\"'\\#".contains($0) } && !text.isEmpty
    guard !isPlain else { return text }
    var result = "\""
    for character in text {
      if character == "\"" || character == "\\" { result.append("\\") }
      result.append(character)
    }
    return result + "\""
  }

  /// The text without line breaks, which would begin a line of their own.
  private static func line(_ text: String) -> String {
    String(text.map { $0.isNewline ? " " : $0 })
  }
}

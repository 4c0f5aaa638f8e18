extension ConnectTarget {
  /// The target as it is typed: `user@host`, `user@host:port`, `user@[address]:port`.
  public var line: String {
    let isAddress = host.contains(":")
    let place =
      switch port {
      case .some(let port): isAddress ? "[\(host)]:\(port)" : "\(host):\(port)"
      case nil: host
      }
    return user.map { "\($0)@\(place)" } ?? place
  }
}

extension ConnectCommand {
  /// The line that gives this command again in the connect bar, without `ssh` in front.
  ///
  /// A saved host whose name is no target on its own takes account and port as options.
  public var line: String {
    var words: [String] = []
    if (try? ConnectTarget(parsing: target.host)) == ConnectTarget(host: target.host) {
      words.append(target.line)
    } else {
      // Not readable as a target, so it can only be the name of a saved host.
      if let user = target.user { words += ["-l", user] }
      if let port = target.port { words += ["-p", "\(port)"] }
      words.append(target.host)
    }
    for file in keyFiles { words += ["-i", file] }
    if let jumps {
      words += ["-J", jumps.isEmpty ? "none" : jumps.map(\.line).joined(separator: ",")]
    }
    // A lone `ssh` is taken for the command's name.
    if words.first == "ssh" { words.insert("ssh", at: 0) }
    return words.map(Self.quoted).joined(separator: " ")
  }

  private static func quoted(_ word: String) -> String {
    let isPlain = word.unicodeScalars.allSatisfy {
      $0 != " " && $0 != "\"" && $0 != "'" && $0 != "\\" && $0 != "\t"
    }
    guard !isPlain || word.isEmpty else { return word }
    return "\""
      + word.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}

import TermindTestSupport

/// Makes configurations at random: blocks, includes, every style of writing a line.
struct RandomSSHConfig {
  private var random: SeededGenerator
  private let folder: TemporaryFolder
  private let seed: UInt64
  private var includes = 0

  init(seed: UInt64, folder: TemporaryFolder) {
    random = SeededGenerator(seed: seed)
    self.seed = seed
    self.folder = folder
  }

  private static let names = ["web1", "web2", "Db", "10.0.0.7", "a.example", "box"]
  private static let patterns =
    names + ["*", "web*", "!web1", "?b", "*.example", "w?b2", "!*", "10.*", "b*x"]

  mutating func questions() -> [SSHOracle.Question] {
    (0..<2).map { _ in
      SSHOracle.Question(
        alias: pick(Self.names),
        user: chance(5) ? "kim" : nil,
        port: chance(8) ? 2022 : nil
      )
    }
  }

  /// Writes a file with what it includes.
  mutating func write(_ round: Int) throws -> (path: String, text: String) {
    let text = try body(depth: 0)
    return (try folder.write("random-\(seed)-\(round)", text), text)
  }

  private mutating func body(depth: Int) throws -> String {
    var text = ""
    for _ in 0..<Int.random(in: 3...14, using: &random) {
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<4:
        text += line(
          "Host",
          (0..<Int.random(in: 1...3, using: &random)).map { _ in pick(Self.patterns) }
        )
      case 4..<7: text += match()
      case 7 where depth < 3: text += try include(depth)
      case 8: text += pick(["\n", "# comment\n", "   \t\n", "\r\n", "#User x\n"])
      default: text += option()
      }
    }
    return text
  }

  private mutating func include(_ depth: Int) throws -> String {
    includes += 1
    let name = "inc-\(seed)-\(includes)"
    let inner = try body(depth: depth + 1)
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      try folder.write(".ssh/\(name)", inner)
      return "Include \(name) missing-*\n"
    case 1:
      try folder.write("\(name).a.conf", inner)
      try folder.write("\(name).b.conf", try body(depth: depth + 1))
      return "Include \(folder.path)/\(name).*.conf\n"
    default:
      try folder.write(name, inner)
      return "Include ~/\(name)\n"
    }
  }

  private mutating func match() -> String {
    var words: [String] = []
    for _ in 0..<Int.random(in: 1...2, using: &random) {
      let not = chance(5) ? "!" : ""
      switch Int.random(in: 0..<7, using: &random) {
      case 0: words += [not + "host", list()]
      case 1: words += [not + "originalhost", list()]
      case 2: words += [not + "user", pick(["root", "kim", "k*", "!kim,*", "*"])]
      case 3: words += [not + "localuser", pick(["root", "nobody"])]
      case 4: words += [not + "final"]
      case 5: words += [not + "canonical"]
      default: if words.isEmpty { return "Match all\n" }
      }
    }
    return "Match " + words.joined(separator: " ") + "\n"
  }

  private mutating func list() -> String {
    (0..<Int.random(in: 1...2, using: &random)).map { _ in pick(Self.patterns) }
      .joined(separator: ",")
  }

  private mutating func option() -> String {
    let number = "\(Int.random(in: 1...9999, using: &random))"
    switch Int.random(in: 0..<30, using: &random) {
    case 0: return line("User", [pick(["kim", "lee", "a b", "x#y"])])
    case 1: return line("Port", [number])
    case 2:
      return line("HostName", [pick(["%h.example", "10.0.0.7", "Real.Host", "127.1", "box"])])
    case 3, 4: return line("IdentityFile", [pick(["~/.ssh/a", "~/b c", "%d/k", "none", "rel"])])
    case 5: return line("CertificateFile", [pick(["~/.ssh/a-cert.pub", "x y"])])
    case 6: return line("IdentitiesOnly", [pick(["yes", "no", "TRUE"])])
    case 7:
      return raw("ProxyJump", pick(["none", "a,b", "u@b:23", "ssh://u@h:9", "[::1]:4", "Bast"]))
    case 8: return raw("ProxyCommand", pick(["none", "nc %h %p", "ssh -W \"%h:%p\" x # y"]))
    case 9: return line("ServerAliveInterval", [pick(["5", "1m", "1h30m", "0"])])
    case 10: return line("ServerAliveCountMax", [number])
    case 11: return line("ConnectTimeout", [pick(["7", "none", "2M"])])
    case 12: return line("ForwardAgent", [pick(["yes", "no", "true"])])
    case 13: return line("SetEnv", [pick(["A=1", "B=x y"]), pick(["A=2", "C=3"])])
    case 14: return line("SendEnv", [pick(["LC_*", "-LC_*", "A"]), pick(["B", "-A"])])
    case 15: return line("HostKeyAlias", [pick(["Alias", "alias2"])])
    case 16: return line("UserKnownHostsFile", pick([["~/kh", "/x y"], ["none"], ["/%h-%r-%p"]]))
    case 17: return line("StrictHostKeyChecking", [pick(["yes", "off", "ask", "accept-new"])])
    case 18: return line("PreferredAuthentications", [pick(["publickey", "password,publickey"])])
    case 19: return line("PubkeyAuthentication", [pick(["yes", "no"])])
    case 20: return line("IdentityAgent", [pick(["none", "SSH_AUTH_SOCK", "${HOME}/s", "$NAME"])])
    case 21: return line("AddressFamily", [pick(["any", "inet", "inet6"])])
    case 22: return line("Compression", [pick(["yes", "no"])])
    case 23: return line("RequestTTY", [pick(["yes", "no", "force", "auto"])])
    case 24: return raw("RemoteCommand", pick(["top", "echo %n \"a b\"", "none"]))
    case 25: return line("LocalForward", [number, pick(["h:80", "[::1]:81"])])
    case 26: return line("RemoteForward", [number] + pick([[], ["h:80"], ["/sock"]]))
    case 27: return line("DynamicForward", [pick([number, "[::1]:\(number)", "*:\(number)"])])
    case 28: return line("BindAddress", ["1.2.3.4"])
    default: return line("CanonicalizeHostname", [pick(["yes", "no"])])
    }
  }

  // MARK: - Styles

  private mutating func line(_ keyword: String, _ words: [String]) -> String {
    let written = words.map { word in
      if word.contains(" ") {
        return pick(["\"\(word)\"", word.replacing(" ", with: "\\ "), "'\(word)'"])
      }
      return chance(6) ? "\"\(word)\"" : word
    }
    let gap = pick([" ", "\t", "  "])
    return styled(keyword) + written.joined(separator: gap) + pick(["", "", "", " # note", " "])
      + pick(["\n", "\n", "\r\n"])
  }

  private mutating func raw(_ keyword: String, _ value: String) -> String {
    styled(keyword) + value + pick(["\n", " \n", "\r\n"])
  }

  private mutating func styled(_ keyword: String) -> String {
    pick(["", "  ", "\t"]) + pick([keyword, keyword.lowercased(), keyword.uppercased()])
      + pick([" ", " ", "\t", "=", " = ", "  "])
  }

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &random)]
  }

  private mutating func chance(_ sides: Int) -> Bool {
    Int.random(in: 0..<sides, using: &random) == 0
  }
}

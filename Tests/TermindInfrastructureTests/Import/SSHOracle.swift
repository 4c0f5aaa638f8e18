import Glibc
import TermindDomain
import TermindInfrastructure
import TermindTestSupport

/// Asks the installed `ssh` what a configuration says, and asks ours the same.
struct SSHOracle {
  let folder: TemporaryFolder
  let machine: SSHLocalMachine

  init() throws {
    folder = try TemporaryFolder()
    guard var machine = SSHLocalMachine.current() else { throw TestFailure("no account") }
    machine.variables = ["HOME": folder.path, "PORT": "4711", "NAME": "value", "PATH": "/usr/bin"]
    self.machine = machine
    guard mkdir(folder.file(".ssh"), 0o700) == 0 else { throw TestFailure("mkdir") }
  }

  /// One question.
  struct Question {
    var alias: String
    var user: String?
    var port: UInt16?
  }

  /// What `ssh -G` prints, each keyword with its lines; nil when it refuses the file.
  func expected(_ path: String, _ question: Question) async throws -> (
    options: [String: [String]]?, text: String
  ) {
    var arguments = ["-G", "-F", path]
    if let user = question.user { arguments += ["-l", user] }
    if let port = question.port { arguments += ["-p", "\(port)"] }
    let program = try TestProgram(
      "/usr/bin/ssh",
      arguments + ["--", question.alias],
      environment: machine.variables
    )
    let status = try await program.waitForExit()
    guard status == 0 else { return (nil, program.text) }
    var options: [String: [String]] = [:]
    for line in program.text.split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
      options[String(parts[0]), default: []].append(parts.count > 1 ? String(parts[1]) : "")
    }
    return (options, program.text)
  }

  /// What ours says, in the same words; nil when something is refused.
  func actual(_ path: String, _ question: Question) throws -> (
    options: [String: [String]]?, problems: [SSHConfigProblem]
  ) {
    var loader = SSHConfigLoader(
      machine: machine,
      reading: LocalSSHConfigFiles(home: folder.path)
    )
    let config = try loader.load([SSHConfigSource(path: path)])
    let host = SSHConfigResolver(config: config, machine: machine).resolve(
      alias: question.alias,
      user: question.user,
      port: question.port
    )
    let problems = config.problems + host.problems
    guard problems.isEmpty else { return (nil, problems) }
    do {
      return (try words(host), [])
    } catch let error as SSHExpansionError {
      let place = SourcePlace(path: path, line: 0)
      return (nil, [SSHConfigProblem(.expansion(keyword: "", error), at: place)])
    }
  }

  private func words(_ host: SSHResolvedHost) throws -> [String: [String]] {
    var words: [String: [String]] = [:]
    for option in Self.compared {
      let values = host.values(of: option)
      guard !values.isEmpty else { continue }
      switch option {
      case .hostName, .user, .port, .tag, .ignoreUnknown: break
      case .userKnownHostsFile:
        words[option.rawValue] = [
          try values.map { try host.expanded($0, of: option) }.joined(separator: " ")
        ]
      case .globalKnownHostsFile:
        words[option.rawValue] = [values.map(\.text).joined(separator: " ")]
      case .identityFile, .certificateFile, .proxyCommand:
        words[option.rawValue] = values.map(\.text)
      case .serverAliveInterval: words[option.rawValue] = ["\(host.number(option) ?? 0)"]
      case .identityAgent where values[0].text.hasPrefix("$"):
        // Printed as it stands; our form is the variable's value.
        words[option.rawValue] = [
          values[0].text.hasPrefix("${") ? try host.expanded(values[0], of: option) : values[0].text
        ]
      default: words[option.rawValue] = try values.map { try host.expanded($0, of: option) }
      }
    }
    words["hostname"] = [host.hostName]
    words["user"] = [host.userName]
    words["port"] = ["\(host.port)"]
    words["remoteforward"] = words["remoteforward"]?.map {
      $0.contains(" ") ? $0 : $0 + " [socks]:0"
    }
    // `ssh` prints local forwardings with a socket among the dynamic ones, too.
    let sockets = (words["localforward"] ?? []).filter { line in
      line.split(separator: " ").contains { $0.contains("/") }
    }
    let extra = sockets.map { String($0.prefix { $0 != " " }) }
    if !extra.isEmpty { words["dynamicforward", default: []] += extra }
    return words
  }

  /// The options whose values are compared; of lists of algorithms only counts whether old ones are asked for.
  static let compared = SSHOption.allCases.filter {
    $0 != .ignoreUnknown && $0 != .tag && !SSHOldAlgorithms.options.contains($0)
  }

  /// Where the two differ, in words; nil when they agree.
  func difference(_ path: String, _ question: Question, baseline: [String: [String]]) async throws
    -> String?
  {
    let expected = try await expected(path, question)
    let actual = try actual(path, question)
    guard let theirs = expected.options, let ours = actual.options else {
      if expected.options == nil, actual.options == nil { return nil }
      return "\(question): ssh: \(expected.text.suffix(400)) ours: \(actual.problems)"
    }
    var lines: [String] = []
    for option in Self.compared {
      let name = option.rawValue
      let left = theirs[name] ?? []
      let right = ours[name] ?? (name.hasSuffix("forward") ? [] : baseline[name] ?? [])
      let isSame = name.hasSuffix("forward") ? left.sorted() == right.sorted() : left == right
      if !isSame { lines.append("\(name): ssh \(left), ours \(right)") }
    }
    return lines.isEmpty ? nil : "\(question): " + lines.joined(separator: "; ")
  }

  /// What `ssh -G` prints for a configuration that says nothing.
  func baseline() async throws -> [String: [String]] {
    let path = try folder.write("empty", "")
    guard let options = try await expected(path, Question(alias: "x")).options else {
      throw TestFailure("ssh -G does not work")
    }
    return options
  }
}

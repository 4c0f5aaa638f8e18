/// Finds what a configuration says about one alias, as `ssh -G` does.
public struct SSHConfigResolver: Sendable {
  /// The configuration.
  public let config: SSHConfig
  /// The machine that it is read on.
  public let machine: SSHLocalMachine

  /// Makes a resolver.
  public init(config: SSHConfig, machine: SSHLocalMachine) {
    self.config = config
    self.machine = machine
  }

  /// Resolves an alias.
  ///
  /// - Parameters:
  ///   - alias: The name as a person types it.
  ///   - user: An account that was given with it, which wins over the file.
  ///   - port: A port that was given with it, which wins over the file.
  /// - Returns: The effective options.
  public func resolve(alias: String, user: String? = nil, port: UInt16? = nil) -> SSHResolvedHost {
    var pass = SSHConfigPass(machine: machine, alias: alias, user: user, port: port)
    pass.read(config)
    var name = alias
    if let value = pass.values[.hostName]?.first {
      do throws(SSHExpansionError) {
        name = try SSHExpansion.expanded(
          value.text,
          tokens: [UInt8(ascii: "h"): alias],
          variables: nil
        )
      } catch {
        pass.problem(.expansion(keyword: "hostname", error), value.place)
      }
    }
    name = usualForm(name, family: pass.values[.addressFamily]?.first?.text)
    if let canonical = pass.values[.canonicalizeHostname]?.first, canonical.text != "false" {
      pass.wantsFinal = true
      if NumericAddress.canonical(name) == nil { pass.note(.notCanonicalized, canonical.place) }
    }
    if pass.wantsFinal { pass.readAgain(config, host: name) }
    return SSHResolvedHost(pass, hostName: name)
  }

  /// A name in lower case, or an address as the system prints it; one of a family that is not wanted
  /// stays as it is.
  private func usualForm(_ name: String, family: String?) -> String {
    guard let address = NumericAddress.canonical(name) else { return SSHPattern.lowered(name) }
    let isWanted = family == nil || family == "any" || (family == "inet6") == address.contains(":")
    return isWanted ? address : name
  }
}

/// One reading of a configuration for one alias; the first value of an option stays.
struct SSHConfigPass {
  let machine: SSHLocalMachine
  let alias: String
  private(set) var user: String?
  private(set) var port: UInt16?
  private(set) var values: [SSHOption: [SSHConfigValue]] = [:]
  private(set) var notes: [SSHConfigNote] = []
  private(set) var problems: [SSHConfigProblem] = []
  /// Whether a Host line, or an `originalhost` criterion, names the alias literally and applies.
  private(set) var isNamed = false
  /// The first option that decides where the host is and cannot be read.
  private(set) var unreadable: SSHOption?
  /// Whether something asks for a second reading.
  var wantsFinal = false
  /// What Host lines are compared with.
  private var host: String
  private var isFinal = false
  private var noted: Set<SSHConfigNote> = []

  init(machine: SSHLocalMachine, alias: String, user: String?, port: UInt16?) {
    self.machine = machine
    self.alias = alias
    self.user = user
    self.port = port
    host = alias
  }

  mutating func read(_ config: SSHConfig) {
    for file in config.files {
      var isActive = true
      read(file, &isActive, isDead: false)
    }
  }

  /// Reads everything once more under the name that the first reading led to.
  mutating func readAgain(_ config: SSHConfig, host: String) {
    self.host = host
    isFinal = true
    if let place = values[.hostName]?.first?.place {
      values[.hostName] = [SSHConfigValue(host, at: place)]
    } else {
      // Set as if a line had: later lines cannot change the name any more.
      values[.hostName] = [SSHConfigValue(host, at: SourcePlace(path: "", line: 0))]
    }
    read(config)
  }

  mutating func note(_ kind: SSHConfigNote.Kind, _ place: SourcePlace) {
    let note = SSHConfigNote(kind, at: place)
    if noted.insert(note).inserted { notes.append(note) }
  }

  mutating func problem(_ reason: SSHConfigProblem.Reason, _ place: SourcePlace) {
    let problem = SSHConfigProblem(reason, at: place)
    if !problems.contains(problem) { problems.append(problem) }
  }

  /// Reads a file; `isDead` inside an include of a block that does not apply.
  private mutating func read(_ file: SSHConfig.File, _ isActive: inout Bool, isDead: Bool) {
    for statement in file.statements {
      switch statement.body {
      case .host(let patterns):
        isActive = !isDead && matches(patterns)
      case .match(let criteria):
        let isMatch = matches(criteria, statement.place, isDead: isDead)
        isActive = !isDead && isMatch
      case .include(let files):
        let outer = isActive
        for inner in files {
          var isActive = outer
          read(inner, &isActive, isDead: isDead || !outer)
        }
      case .option(let option, let texts):
        if isActive { apply(option, texts, statement.place, isOwn: file.isOwn) }
      case .unreadable(let option, let reason):
        if isActive, values[option] == nil {
          unreadable = unreadable ?? option
          problem(reason, statement.place)
        }
      case .unused(let keyword):
        if isActive { note(.unusedOption(keyword: keyword), statement.place) }
      case .unknown(let keyword):
        guard isActive else { continue }
        let list = values[.ignoreUnknown]?.first?.text ?? ""
        let isExpected = SSHPattern.matches(
          SSHPattern.lowered(keyword),
          list: list,
          ignoresCase: true
        )
        note(.unknownOption(keyword: keyword, isExpected: isExpected), statement.place)
      }
    }
  }

  private mutating func matches(_ patterns: [SSHConfig.HostPattern]) -> Bool {
    var isMatch = false
    var isNamed = false
    for pattern in patterns where pattern.matches(host) {
      if pattern.isException { return false }
      isMatch = true
      if pattern.text == alias { isNamed = true }
    }
    if isNamed { self.isNamed = true }
    return isMatch
  }

  // MARK: - Match

  private mutating func matches(
    _ criteria: [SSHMatchCriterion],
    _ place: SourcePlace,
    isDead: Bool
  ) -> Bool {
    var isMatch = true
    var isNamed = false
    // Criteria that are not judged: the block does not apply, and that is worth a note only when
    // nothing else keeps it from applying.
    var open: [SSHConfigNote.Kind] = []
    let target = SSHPattern.lowered(hostForMatch(place))
    for criterion in criteria {
      let result: Bool
      switch criterion.kind {
      case .all: result = true
      case .canonical: result = isFinal
      case .final:
        wantsFinal = true
        result = isFinal
      case .host(let list): result = SSHPattern.matches(target, list: list, ignoresCase: true)
      case .originalHost(let list):
        result = SSHPattern.matches(SSHPattern.lowered(alias), list: list, ignoresCase: true)
        if list.split(separator: ",").contains(where: { $0 == alias }) { isNamed = true }
      case .user(let list): result = SSHPattern.matches(user ?? userOfFile, list: list)
      case .localUser(let list): result = SSHPattern.matches(machine.userName, list: list)
      case .tagged(let list):
        result = SSHPattern.matches(values[.tag]?.first?.text ?? "", list: list)
      case .exec(let command):
        open.append(.matchExec(command: command))
        continue
      case .other(let name):
        open.append(.matchNotJudged(criterion: name))
        continue
      }
      if result == criterion.isNegated { isMatch = false }
    }
    guard isMatch, !isDead else { return false }
    guard open.isEmpty else {
      for kind in open { note(kind, place) }
      return false
    }
    if isNamed { self.isNamed = true }
    return true
  }

  private var userOfFile: String { values[.user]?.first?.text ?? machine.userName }

  private mutating func hostForMatch(_ place: SourcePlace) -> String {
    guard let value = values[.hostName]?.first else { return host }
    if isFinal { return value.text }
    do throws(SSHExpansionError) {
      return try SSHExpansion.expanded(
        value.text,
        tokens: [UInt8(ascii: "h"): host],
        variables: nil
      )
    } catch {
      problem(.expansion(keyword: "hostname", error), value.place)
      return host
    }
  }

  // MARK: - Options

  private static let maximumFiles = 100
  private static let maximumKnownHostsFiles = 32

  private mutating func apply(
    _ option: SSHOption,
    _ texts: [String],
    _ place: SourcePlace,
    isOwn: Bool
  ) {
    let new = texts.map { SSHConfigValue($0, at: place) }
    let old = values[option] ?? []
    switch option {
    case .identityFile, .certificateFile:
      guard old.count < Self.maximumFiles else {
        problem(.tooManyValues(keyword: option.rawValue), place)
        return
      }
      values[option] = old + new.filter { value in !old.contains { $0.text == value.text } }
    case .localForward, .remoteForward, .dynamicForward:
      values[option] = old + new.filter { value in !old.contains { $0.text == value.text } }
    case .sendEnv:
      var list = old
      for value in new {
        if value.text.hasPrefix("-") {
          let pattern = String(value.text.dropFirst())
          list.removeAll { SSHPattern.matches($0.text, pattern) }
        } else {
          list.append(value)
        }
      }
      values[option] = list.isEmpty ? nil : list
    case .setEnv:
      guard old.isEmpty else { return }
      var names: Set<Substring> = []
      values[option] = new.filter { names.insert($0.text.prefix { $0 != "=" }).inserted }
    case .userKnownHostsFile, .globalKnownHostsFile:
      guard old.isEmpty else { return }
      guard new.count <= Self.maximumKnownHostsFiles else {
        problem(.tooManyValues(keyword: option.rawValue), place)
        return
      }
      values[option] = new
    case .proxyCommand:
      // A jump host that was set before wins; `none` in its place does not.
      if let jump = values[.proxyJump]?.first, jump.text != "none" { return }
      if old.isEmpty { values[option] = new }
    case .canonicalizeHostname:
      // Settled by the first reading.
      if old.isEmpty, !isFinal { values[option] = new }
    case .proxyJump:
      if old.isEmpty, values[.proxyCommand] == nil { values[option] = new }
    case .connectTimeout, .serverAliveInterval:
      // `none` leaves the option open for a later line.
      if old.isEmpty, texts != ["none"] { values[option] = new }
    default:
      if old.isEmpty { values[option] = new }
    }
  }
}

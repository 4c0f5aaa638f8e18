/// A configuration that was read: its files with everything they include, checked line by line.
public struct SSHConfig: Sendable {
  /// The files in the order in which they count.
  let files: [File]
  /// Lines that `ssh` would refuse, in the order of the text, at most `SSHConfigLimits.problems`.
  public let problems: [SSHConfigProblem]
  /// Every file that was read, in the order of reading.
  public let paths: [String]

  /// One file.
  struct File: Sendable {
    /// Whether it is the person's own and not the system's.
    let isOwn: Bool
    let statements: [Statement]
  }

  /// One line that means something.
  struct Statement: Sendable {
    let place: SourcePlace
    let body: Body
  }

  /// What a line says.
  enum Body: Sendable {
    case host([HostPattern])
    case match([SSHMatchCriterion])
    case include([File])
    case option(SSHOption, [String])
    /// A line that decides where a host is, and cannot be read.
    case unreadable(SSHOption, SSHConfigProblem.Reason)
    case unused(keyword: String)
    case unknown(keyword: String)
  }

  /// One word of a Host line.
  struct HostPattern: Sendable {
    let text: String
    let isException: Bool
    /// Whether it has no sign with a meaning, so that it is compared and not matched.
    let isLiteral: Bool

    init(_ word: String) {
      isException = word.hasPrefix("!")
      text = isException ? String(word.dropFirst()) : word
      isLiteral = !text.utf8.contains { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") }
    }

    func matches(_ host: String) -> Bool {
      guard isLiteral else { return SSHPattern.matches(host, text) }
      return text.utf8.count == host.utf8.count && text.utf8.elementsEqual(host.utf8)
    }
  }
}

/// One condition of a Match line.
struct SSHMatchCriterion: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case all
    case canonical
    case final
    case exec(command: String)
    case host(String)
    case originalHost(String)
    case user(String)
    case localUser(String)
    case tagged(String)
    /// One that only a running `ssh` can judge.
    case other(String)
  }

  let kind: Kind
  let isNegated: Bool

  /// Reads the words of a Match line.
  static func list(_ words: [String]) throws(SSHConfigFault) -> [SSHMatchCriterion] {
    var list: [SSHMatchCriterion] = []
    var rest = words[...]
    while let word = rest.popFirst(), !word.isEmpty {
      let isNegated = word.hasPrefix("!")
      let name = SSHPattern.lowered(String(isNegated ? word.dropFirst() : word[...]))
      func add(_ kind: Kind) { list.append(SSHMatchCriterion(kind: kind, isNegated: isNegated)) }
      switch name {
      case "all":
        guard list.count < 2, rest.isEmpty else { throw .init(.allCombined) }
        add(.all)
        return list
      case "canonical":
        add(.canonical)
        continue
      case "final":
        add(.final)
        continue
      default: break
      }
      let kind: (String) -> Kind
      switch name {
      case "exec": kind = { .exec(command: $0) }
      case "host": kind = { .host($0) }
      case "originalhost": kind = { .originalHost($0) }
      case "user": kind = { .user($0) }
      case "localuser": kind = { .localUser($0) }
      case "tagged": kind = { .tagged($0) }
      case "localnetwork", "sessiontype", "version", "command":
        kind = { _ in .other(name) }
      default: throw .init(.unknownCriterion(word))
      }
      guard let argument = rest.popFirst(), !argument.isEmpty else {
        throw .init(.missingCriterion(word))
      }
      add(kind(argument))
    }
    guard !list.isEmpty else { throw .init(.missingCriterion("match")) }
    return list
  }
}

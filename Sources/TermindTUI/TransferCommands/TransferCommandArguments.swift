import TermindInfrastructure

/// The command line of `termind cp`, `get`, `put` and `mirror`, understood.
nonisolated struct TransferCommandArguments: Hashable, Sendable {
  /// How much is told.
  enum Telling: Hashable, Sendable {
    /// Problems only.
    case quiet
    /// How far it is, at a terminal, and problems.
    case usual
    /// Each file as well.
    case verbose
    /// Everything, an object a line.
    case json
  }

  var request: TransferCommandRequest
  var telling = Telling.usual

  private static let anywhere = [
    "--overwrite", "--skip", "--newer", "--keep-both", "--json", "--quiet", "--verbose",
  ]
  private static let copying = ["--recursive"] + anywhere
  private static let mirroring = ["--delete", "--dry-run", "--contents"] + anywhere
  private static let short: [Character: String] = [
    "r": "--recursive", "R": "--recursive", "q": "--quiet", "v": "--verbose", "n": "--dry-run",
  ]

  /// Understands the words after the verb.
  ///
  /// - Parameters:
  ///   - verb: Which command it is.
  ///   - words: The words as text, for options.
  ///   - bytes: The same words by their bytes: the name of a file need not be text.
  /// - Throws: Which word cannot be understood, and why.
  init(
    _ verb: TransferCommandVerb,
    _ words: ArraySlice<String>,
    bytes: ArraySlice<[UInt8]>
  ) throws(UsageError) {
    var reader = ArgumentReader(words)
    var places: [TransferCommandPlace] = []
    var options: Set<String> = []
    let known = verb == .mirror ? Self.mirroring : Self.copying
    while let word = reader.next() {
      switch word {
      case .plain:
        places.append(try TransferCommandPlace(bytes[bytes.endIndex - reader.count - 1]))
      case .option(let name, let given):
        try ArgumentReader.refuseValue(of: name, given)
        for option in try Self.options(name) {
          guard known.contains(option) else {
            let text = "\(verb.rawValue) has no option '\(name)'"
            throw UsageError(NearName.sentence(text, name, among: known))
          }
          options.insert(option)
        }
      }
    }
    request = try Self.request(verb, places)
    request.isRecursive = verb == .mirror || options.contains("--recursive")
    request.deletes = options.contains("--delete")
    request.isDryRun = options.contains("--dry-run")
    request.comparesContents = options.contains("--contents")
    request.conflicts = try Self.conflicts(verb, options)
    telling = try Self.telling(options)
    request.isDetailed = telling == .json || telling == .verbose || request.isDryRun
  }

  /// One option for each letter behind a single dash.
  private static func options(_ name: String) throws(UsageError) -> [String] {
    guard !name.hasPrefix("--") else { return [name] }
    var options: [String] = []
    for letter in name.dropFirst() {
      guard let option = short[letter] else { throw UsageError("there is no option '-\(letter)'") }
      options.append(option)
    }
    return options
  }

  private static func conflicts(
    _ verb: TransferCommandVerb,
    _ options: Set<String>
  ) throws(UsageError) -> TransferCommandConflicts? {
    let chosen = TransferCommandConflicts.allCases.filter { options.contains("--\($0.rawValue)") }
    guard chosen.count < 2 else {
      throw UsageError("only one of --overwrite, --skip, --newer and --keep-both can be given")
    }
    if verb == .mirror, chosen == [.keepBoth] {
      throw UsageError("mirror makes both sides the same; --keep-both is for cp")
    }
    return chosen.first
  }

  private static func telling(_ options: Set<String>) throws(UsageError) -> Telling {
    let chosen = ["--quiet", "--verbose", "--json"].filter(options.contains)
    guard chosen.count < 2 else {
      throw UsageError("only one of \(chosen.joined(separator: " and ")) can be given")
    }
    switch chosen.first {
    case "--quiet": return .quiet
    case "--verbose": return .verbose
    case "--json": return .json
    default: return .usual
    }
  }

  private static func request(
    _ verb: TransferCommandVerb,
    _ places: [TransferCommandPlace]
  ) throws(UsageError) -> TransferCommandRequest {
    var sources = places
    let target: TransferCommandPlace
    switch verb {
    case .get where places.count == 1 || places.last?.host != nil && !places.isEmpty:
      target = TransferCommandPlace(path: [UInt8(ascii: ".")])
    default:
      guard let last = sources.popLast(), !sources.isEmpty else {
        throw UsageError("\(verb.rawValue) needs \(missing(verb))")
      }
      target = last
    }
    let hosts = sources.count { $0.host != nil }
    switch verb {
    case .get where hosts < sources.count:
      throw UsageError("get copies from a host: write host:path, or use put or cp")
    case .put where hosts > 0 || target.host == nil:
      throw UsageError("put copies from here to a host: write host: last, or use get or cp")
    case .mirror where sources.count > 1:
      throw UsageError("mirror takes one directory and where it is mirrored to")
    default: return TransferCommandRequest(verb, sources, to: target)
    }
  }

  private static func missing(_ verb: TransferCommandVerb) -> String {
    switch verb {
    case .copy: "something to copy, and where to"
    case .get: "something to copy, as host:path"
    case .put: "something to copy, and where to, as host: or host:path"
    case .mirror: "a directory, and where it is mirrored to"
    }
  }
}

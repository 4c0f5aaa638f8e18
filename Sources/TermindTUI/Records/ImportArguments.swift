/// The command line of `termind import`.
nonisolated struct ImportArguments: Hashable, Sendable {
  /// What is done after the preview was printed.
  enum Mode: Hashable, Sendable {
    /// A person at a terminal is asked; elsewhere nothing is imported.
    case ask
    /// It is imported.
    case commit
    /// Nothing is imported.
    case preview
  }

  /// The path as it was typed; relative ones are the client's.
  var job: ImportJob
  var mode = Mode.ask
  var isJSON = false
  static let kinds = ImportJob.Kind.allCases.map(\.rawValue)

  init(job: ImportJob, mode: Mode = .ask, isJSON: Bool = false) {
    self.job = job
    self.mode = mode
    self.isJSON = isJSON
  }

  /// The words after `termind import`.
  init(_ words: ArraySlice<String>) throws(UsageError) {
    guard let word = words.first else {
      throw UsageError("import needs one of \(Self.kinds.joined(separator: ", "))")
    }
    guard let kind = ImportJob.Kind(rawValue: word) else {
      throw UsageError(
        NearName.sentence("'\(word)' cannot be imported", word, among: Self.kinds)
      )
    }
    job = ImportJob(kind: kind)
    var reader = ArgumentReader(words.dropFirst())
    var paths: [String] = []
    let isHosts = kind != .knownHosts
    let known =
      ["--yes", "--preview", "--json"]
      + (isHosts ? ["--select", "--rename", "--no-keys"] : ["--differing"])
    while let word = reader.next() {
      switch word {
      case .plain(let path): paths.append(path)
      case .option("--select", let given) where isHosts:
        let names = try reader.value(of: "--select", given).split(separator: ",").map(String.init)
        job.names = (job.names ?? []) + names
      case .option(let name, let given) where known.contains(name):
        try ArgumentReader.refuseValue(of: name, given)
        try take(name)
      case .option(let name, _):
        throw UsageError(
          NearName.sentence("import \(kind.rawValue) has no option '\(name)'", name, among: known)
        )
      }
    }
    if job.names != nil, mode == .ask { mode = .commit }
    if paths.count > 1 { throw UsageError("import \(kind.rawValue) does not take '\(paths[1])'") }
    job.path = paths.first ?? ""
    if job.path.isEmpty, kind == .putty || kind == .csv {
      throw UsageError("import \(kind.rawValue) needs a file")
    }
  }

  private mutating func take(_ flag: String) throws(UsageError) {
    switch flag {
    case "--yes", "--preview":
      let wanted = flag == "--yes" ? Mode.commit : .preview
      guard mode == .ask || mode == wanted else {
        throw UsageError("import takes either --yes or --preview, not both")
      }
      mode = wanted
    case "--json": isJSON = true
    case "--rename": job.renamesTaken = true
    case "--no-keys": job.takesKeys = false
    default: job.takesDiffering = true
    }
  }
}

/// The command line of `termind export`.
nonisolated enum ExportArguments {
  static func read(_ words: ArraySlice<String>) throws(UsageError) -> RecordArguments {
    let kinds = ExportKind.allCases.map(\.rawValue)
    guard let word = words.first else {
      throw UsageError("export needs one of \(kinds.joined(separator: ", "))")
    }
    guard let kind = ExportKind(rawValue: word) else {
      throw UsageError(NearName.sentence("'\(word)' cannot be exported", word, among: kinds))
    }
    var isJSON = false
    for extra in words.dropFirst() {
      guard extra == "--json" else {
        let what = extra.hasPrefix("-") ? "has no option" : "does not take"
        throw UsageError("export \(word) \(what) '\(extra)'")
      }
      isJSON = true
    }
    return RecordArguments(request: .export(kind), isJSON: isJSON)
  }
}

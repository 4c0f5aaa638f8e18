/// The command line of `termind host`, `identity`, `key`, `known-host`, `snippet` and `template`.
nonisolated struct RecordArguments: Hashable, Sendable {
  var request: RecordRequest
  var isJSON: Bool
  /// Where secrets come from, by field.
  var secrets: [String: SecretSource] = [:]

  /// The verbs, in the order of the usage text.
  static let verbs = ["list", "show", "add", "edit", "rm"]
  /// The most values of one command line.
  static let maximumWords = 10_000

  init(request: RecordRequest, isJSON: Bool, secrets: [String: SecretSource] = [:]) {
    self.request = request
    self.isJSON = isJSON
    self.secrets = secrets
  }

  /// The words after the kind.
  init(_ kind: RecordKind, _ words: ArraySlice<String>) throws(UsageError) {
    guard words.count <= Self.maximumWords else { throw UsageError("there are too many words") }
    guard let verb = words.first else {
      throw UsageError("\(kind.rawValue) needs one of \(kind.verbs.joined(separator: ", "))")
    }
    guard Self.verbs.contains(verb) else {
      throw UsageError(
        NearName.sentence("\(kind.rawValue) has no verb '\(verb)'", verb, among: kind.verbs)
      )
    }
    var collector = Collector(kind: kind, verb: verb)
    try collector.read(words.dropFirst())
    isJSON = collector.isJSON
    secrets = collector.secrets
    request = try collector.request()
  }
}

extension RecordKind {
  /// Everything that can be done with records of the kind; `run` is read apart from the others.
  fileprivate nonisolated var verbs: [String] {
    RecordArguments.verbs + (self == .snippet ? ["run"] : [])
  }
}

/// Reads the words of one command.
private nonisolated struct Collector {
  let kind: RecordKind
  let verb: String
  var isJSON = false
  var plain: [String] = []
  var changes: [RecordChange] = []
  var flags: Set<String> = []
  var secrets: [String: SecretSource] = [:]

  init(kind: RecordKind, verb: String) {
    self.kind = kind
    self.verb = verb
  }

  private var title: String { "\(kind.rawValue) \(verb)" }
  private var takesFields: Bool { verb == "add" || verb == "edit" }

  /// Options of the verb that are no fields.
  private var ownOptions: [String] {
    switch verb {
    case "list": ["--tag"]
    case "add": ["--set", "--add"]
    case "edit":
      ["--set", "--unset", "--add", "--remove"]
        + (SecretSource.fields(of: kind).isEmpty ? [] : ["--force"])
    case "rm": ["--force", "--all"]
    default: []
    }
  }

  /// Secrets that the verb may need; `unlock` opens the secret store.
  private var secretFields: [String] {
    let fields = SecretSource.fields(of: kind)
    guard !fields.isEmpty, takesFields || verb == "rm" else { return [] }
    return (takesFields ? fields : []) + ["unlock"]
  }

  mutating func read(_ words: ArraySlice<String>) throws(UsageError) {
    var reader = ArgumentReader(words)
    while let word = reader.next() {
      switch word {
      case .plain(let text): plain.append(text)
      case .option("--json", let given):
        try ArgumentReader.refuseValue(of: "--json", given)
        isJSON = true
      case .option(let name, let given): try take(name, given, &reader)
      }
    }
  }

  private mutating func take(_ option: String, _ given: String?, _ reader: inout ArgumentReader)
    throws(UsageError)
  {
    try SecretSource.refuseSpokenSecret(option)
    if ownOptions.contains(option) { return try takeOwn(option, given, &reader) }
    let name = String(option.drop { $0 == "-" })
    if let (field, source) = try SecretSource.read(option, given, secretFields, &reader) {
      secrets[field] = source
      return
    }
    guard takesFields, option.hasPrefix("--"), let field = RecordField.named(name, of: kind) else {
      throw UsageError(
        NearName.sentence("\(title) has no option '\(option)'", option, among: known)
      )
    }
    if field.shape == .flag {
      // Alone it means yes; a record that is called so can still be named before it.
      let isAnswered = ["yes", "no"].contains(reader.rest.first ?? "")
      let answer = given == nil && isAnswered ? try reader.value(of: option, nil) : given
      return set(field, answer ?? "yes")
    }
    set(field, try reader.value(of: option, given))
  }

  private var known: [String] {
    var names = ownOptions + ["--json"]
    if takesFields { names += RecordField.fields(of: kind).map { "--\($0.name)" } }
    return names + secretFields.flatMap { ["--ask-\($0)", "--\($0)-fd"] }
  }

  private mutating func takeOwn(_ option: String, _ given: String?, _ reader: inout ArgumentReader)
    throws(UsageError)
  {
    switch option {
    case "--force", "--all":
      try ArgumentReader.refuseValue(of: option, given)
      flags.insert(option)
    case "--tag": changes.append(.add("tag", [try reader.value(of: option, given)]))
    case "--unset":
      let name = try reader.value(of: option, given)
      if SecretSource.fields(of: kind).contains(name) { return changes.append(.unset(name)) }
      changes.append(.unset(try field(name).name))
    default:
      let text = try reader.value(of: option, given)
      guard let equals = text.firstIndex(of: "=") else {
        throw UsageError("\(option) needs FIELD=VALUE, not '\(text)'")
      }
      let name = String(text[..<equals])
      try SecretSource.refuseSpokenSecret("--" + name)
      let field = try field(name)
      let value = String(text[text.index(after: equals)...])
      if option == "--set" { return set(field, value) }
      guard field.shape == .list else {
        throw UsageError("\(option) is for lists; '\(field.name)' has one value, so use --set")
      }
      changes.append(option == "--add" ? .add(field.name, [value]) : .remove(field.name, [value]))
    }
  }

  private func field(_ name: String) throws(UsageError) -> RecordField {
    guard let found = RecordField.named(name, of: kind) else {
      throw UsageError(RecordField.unknown(name, of: kind))
    }
    return found
  }

  /// Repeated options of a list make it up together; of other fields the last one counts.
  private mutating func set(_ field: RecordField, _ value: String) {
    for (index, change) in changes.enumerated() {
      guard case .set(field.name, let values) = change else { continue }
      changes[index] = .set(field.name, field.shape == .list ? values + [value] : [value])
      return
    }
    changes.append(.set(field.name, [value]))
  }

  func request() throws(UsageError) -> RecordRequest {
    switch verb {
    case "list":
      let tags = changes.flatMap { change -> [String] in
        if case .add(_, let values) = change { values } else { [] }
      }
      if !tags.isEmpty, kind != .host, kind != .snippet {
        throw UsageError("\(kind.plural) have no tags")
      }
      return .list(kind, words: plain, tags: tags)
    case "show":
      try needNames()
      return .show(kind, plain)
    case "rm":
      try needNames()
      return .remove(
        kind,
        plain,
        options: RemoveOptions(
          isForced: flags.contains("--force"),
          takesAll: flags.contains("--all")
        )
      )
    case "add": return .add(kind, try addition())
    default: return try edit()
    }
  }

  private func needNames() throws(UsageError) {
    if plain.isEmpty { throw UsageError("\(title) needs the name or id of a \(kind.noun)") }
  }

  private func addition() throws(UsageError) -> [RecordChange] {
    if plain.count > 1 { throw UsageError("\(title) does not take '\(plain[1])'") }
    let leading = RecordField.leading(of: kind)
    guard let name = plain.first else { return changes }
    if changes.contains(where: { $0.field == leading }) {
      throw UsageError("\(title) takes either '\(name)' or --\(leading), not both")
    }
    return [.set(leading, [name])] + changes
  }

  private func edit() throws(UsageError) -> RecordRequest {
    if kind == .knownHost {
      throw UsageError("a known host cannot be edited; remove it and add the right one")
    }
    try needNames()
    guard !changes.isEmpty || !secrets.isEmpty else {
      let own = ownOptions.filter { $0 != "--force" }
      let names = RecordField.fields(of: kind).map { "--\($0.name)" } + own
      throw UsageError("\(title) needs what to change: \(names.joined(separator: ", "))")
    }
    if plain.count > 1, changes.contains(where: { $0 == .unset("name") || $0.isName }) {
      throw UsageError("one name cannot be given to \(plain.count) \(kind.plural)")
    }
    return .edit(kind, plain, changes, isForced: flags.contains("--force"))
  }
}

extension RecordChange {
  fileprivate nonisolated var isName: Bool {
    if case .set("name", _) = self { true } else { false }
  }
}

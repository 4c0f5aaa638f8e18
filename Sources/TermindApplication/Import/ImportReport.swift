internal import FoundationEssentials
internal import TermindDomain

/// An import in words, for the command line: the same as text and as JSON.
///
/// The names of the fields and their order do not change between versions; fields may be added.
public struct ImportReport: Codable, Hashable, Sendable {
  /// One host.
  public struct Host: Codable, Hashable, Sendable {
    /// The name in the file.
    public var name: String
    /// `add`, `rename`, `skip`, `conflict` or `invalid`.
    public var action: String
    /// The name that it is saved under; nil when it is skipped.
    public var savedName: String?
    /// `path:line` of the first line about it.
    public var from: String
    /// The address, without a port.
    public var address: String
    /// The port.
    public var port: UInt16
    /// The account; empty when the file names none.
    public var user: String
    /// Key files.
    public var keys: [String]
    /// The jump hosts, the nearest first.
    public var jumps: [String]
    /// Tags.
    public var tags: [String]
    /// What is taken.
    public var taken: [Option]
    /// What is left out.
    public var dropped: [Option]
    /// What keeps it from being saved, or what to look at first.
    public var remarks: [String]
  }

  /// One option of a host.
  public struct Option: Codable, Hashable, Sendable {
    /// What it is called in the file.
    public var option: String
    /// Its value; of variables only the name.
    public var value: String
    /// `path:line`.
    public var from: String
    /// Why it is left out; nil when it is taken.
    public var reason: String?
  }

  /// One key file.
  public struct Key: Codable, Hashable, Sendable {
    /// The file.
    public var path: String
    /// `add`, `known`, `leave` or `unusable`.
    public var action: String
    /// The kind of key; nil when it is unusable.
    public var algorithm: String?
    /// The fingerprint; nil when it is unusable.
    public var fingerprint: String?
    /// Why it is unusable.
    public var reason: String?
  }

  /// Where the import comes from.
  public var source: String
  /// The hosts.
  public var hosts: [Host]
  /// The key files.
  public var keys: [Key]
  /// What is wrong or odd about the file, each with its place.
  public var notes: [String]

  /// Describes a preview.
  public init(_ preview: HostImportPreview) {
    source = preview.path
    hosts = preview.hosts.map(Host.init)
    keys = preview.keys.map(Key.init)
    notes = preview.notes.map { "\($0.place): \(ImportWords.text($0.kind))" }
  }

  /// The report as lines; nothing in it is raw, so that it may be shown.
  ///
  /// - Parameter isDetailed: Whether what is taken is listed, too, and not only what is left out.
  /// - Returns: The lines.
  public func lines(isDetailed: Bool = false) -> [String] {
    var lines = [summary]
    for host in hosts { lines += text(host, isDetailed) }
    if !keys.isEmpty { lines += ["", "Keys"] + keys.map(text) }
    if !notes.isEmpty { lines += ["", "Notes"] + notes.map { "  \($0)" } }
    return lines.map(ImportWords.visible)
  }

  /// The report as JSON: keys in alphabetical order, UTF-8, on several lines.
  public func json() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(self))
  }

  private var summary: String {
    let added = hosts.count { $0.savedName != nil }
    return "\(source): \(hosts.count) \(hosts.count == 1 ? "host" : "hosts"), \(added) to import"
  }

  private func text(_ host: Host, _ isDetailed: Bool) -> [String] {
    var head = "  \(Self.mark(host.action)) \(host.name)"
    if let name = host.savedName, name != host.name { head += " as \(name)" }
    let endpoint = SSHEndpoint(host: host.address, port: host.port)
    head += "  \(host.user.isEmpty ? "" : host.user + "@")\(endpoint)"
    if !host.jumps.isEmpty { head += " via \(host.jumps.joined(separator: ", "))" }
    var lines = [head]
    lines += host.remarks.map { "      \($0)" }
    if isDetailed {
      lines += host.taken.map { "      + \($0.option) \($0.value)  (\($0.from))" }
    }
    lines += host.dropped.map { option in
      let name = option.value.isEmpty ? option.option : "\(option.option) \(option.value)"
      return "      - \(name)  (\(option.from)): \(option.reason ?? "")"
    }
    return lines
  }

  private func text(_ key: Key) -> String {
    let what = [key.algorithm, key.fingerprint, key.reason].compactMap { $0 }
    return "  \(Self.mark(key.action)) \(key.path)  \(what.joined(separator: "  "))"
  }

  private static func mark(_ action: String) -> String {
    switch action {
    case "add", "rename": "+"
    case "known": "="
    case "conflict", "invalid", "unusable": "!"
    default: "-"
    }
  }
}

extension ImportReport.Host {
  init(_ host: HostImportPreview.Host) {
    let draft = host.draft
    name = draft.name
    savedName = host.chosenName
    from = "\(draft.place)"
    address = draft.endpoint.host
    port = draft.endpoint.port
    user = draft.username
    keys = draft.keyFiles
    jumps = draft.jumps.map { $0.name == nil ? $0.targets.joined(separator: ", ") : "\($0.jump)" }
    tags = draft.tags
    taken = draft.taken.map {
      ImportReport.Option(option: $0.option, value: $0.value, from: "\($0.place)", reason: nil)
    }
    dropped = draft.dropped.map {
      ImportReport.Option(
        option: $0.option,
        value: $0.value,
        from: "\($0.place)",
        reason: ImportWords.text($0.reason)
      )
    }
    remarks = host.problems.map { ImportWords.text($0) }
    if host.isNameTaken {
      remarks.append(
        host.existing == nil
          ? "the name stands in this file before" : "a host of this name is saved already"
      )
    }
    if draft.losesItsWay { remarks.append("the way to it cannot be imported") }
    switch host.choice {
    case .add: action = "add"
    case .rename: action = "rename"
    case .skip:
      action = !host.canBeSaved ? "invalid" : host.isNameTaken ? "conflict" : "skip"
    }
  }
}

extension ImportReport.Key {
  init(_ key: HostImportPreview.Key) {
    path = key.path
    switch key.result {
    case .success(let summary):
      action = key.existing != nil ? "known" : key.isSelected ? "add" : "leave"
      algorithm = KeyRecord.algorithmName(summary.algorithm)
      fingerprint = summary.fingerprint
    case .failure(let problem):
      action = "unusable"
      reason = ImportWords.text(problem)
    }
  }
}

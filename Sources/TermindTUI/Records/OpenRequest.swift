public import TermindDomain

/// What `termind open` and `termind ctl open` open together in one new workspace.
public nonisolated struct OpenRequest: Hashable, Sendable, Codable {
  /// Hosts: saved names, or `[user@]host[:port]`.
  public var hosts: [String]
  /// Tags whose saved hosts are opened.
  public var tags: [String]
  /// A template, by name or id; nothing else is opened with one.
  public var template: String?
  /// Whether the files of the hosts are shown, in place of terminals on them.
  public var showsFiles = false
  /// How the panes are arranged; nil for tiled, or as the template says.
  public var layout: SplitPreset?
  /// The name of the workspace; nil for that of what is opened.
  public var name: String?

  /// The most panes that are opened at once.
  public static let maximumPanes = 100

  /// Makes a request.
  public init(
    hosts: [String],
    tags: [String] = [],
    template: String? = nil,
    layout: SplitPreset? = nil,
    name: String? = nil,
    showsFiles: Bool = false
  ) {
    self.hosts = hosts
    self.tags = tags
    self.template = template
    self.layout = layout
    self.name = name
    self.showsFiles = showsFiles
  }

  /// The arrangements by the names that are typed.
  static let layouts: [(name: String, preset: SplitPreset)] = [
    ("tiled", .tiled), ("columns", .evenColumns), ("rows", .evenRows), ("main", .mainAndStack),
  ]
  static var layoutNames: [String] { layouts.map(\.name) }

  /// The arrangement of a name.
  static func layout(_ name: String) throws(UsageError) -> SplitPreset {
    guard let found = layouts.first(where: { $0.name == name }) else {
      throw UsageError(
        NearName.sentence("there is no layout '\(name)'", name, among: layoutNames)
      )
    }
    return found.preset
  }

  /// Checks what was collected from a command line.
  static func checked(
    hosts: [String],
    tags: [String],
    template: String?,
    layout: String?,
    name: String?,
    showsFiles: Bool
  ) throws(UsageError) -> OpenRequest {
    guard !hosts.isEmpty || !tags.isEmpty || template != nil else {
      throw UsageError("open needs a host, --tag or --template")
    }
    if template != nil, !hosts.isEmpty || !tags.isEmpty {
      throw UsageError("open takes either --template or hosts, not both")
    }
    if template != nil, showsFiles {
      throw UsageError("--sftp is for hosts; a template says itself what it opens")
    }
    var preset: SplitPreset?
    if let layout { preset = try Self.layout(layout) }
    return OpenRequest(
      hosts: hosts,
      tags: tags,
      template: template,
      layout: preset,
      name: name,
      showsFiles: showsFiles
    )
  }

  /// The words after `termind open`.
  init(_ words: ArraySlice<String>) throws(UsageError) {
    var reader = ArgumentReader(words)
    var hosts: [String] = []
    var tags: [String] = []
    var values: [String: String] = [:]
    var showsFiles = false
    let known = ["--layout", "--workspace", "--tag", "--template", "--sftp"]
    while let word = reader.next() {
      switch word {
      case .plain(let host): hosts.append(host)
      case .option("--sftp", let given):
        try ArgumentReader.refuseValue(of: "--sftp", given)
        showsFiles = true
      case .option("--tag", let given): tags.append(try reader.value(of: "--tag", given))
      case .option(let name, let given) where known.contains(name):
        values[name] = try reader.value(of: name, given)
      case .option(let name, _):
        throw UsageError(NearName.sentence("open has no option '\(name)'", name, among: known))
      }
    }
    self = try Self.checked(
      hosts: hosts,
      tags: tags,
      template: values["--template"],
      layout: values["--layout"],
      name: values["--workspace"],
      showsFiles: showsFiles
    )
  }

  func write(to writer: inout WireWriter) {
    writer.put(hosts)
    writer.put(tags)
    writer.put([template, name, layout?.rawValue, showsFiles ? "sftp" : nil].map { $0 ?? "" })
  }

  init(from reader: inout WireReader) throws(WireError) {
    hosts = try reader.strings()
    tags = try reader.strings()
    let rest = try reader.strings(limit: 4)
    guard rest.count == 4 else { throw .malformed }
    template = rest[0].isEmpty ? nil : rest[0]
    name = rest[1].isEmpty ? nil : rest[1]
    showsFiles = rest[3] == "sftp"
    guard !rest[2].isEmpty else { return }
    guard let preset = SplitPreset(rawValue: rest[2]) else { throw .malformed }
    layout = preset
  }
}

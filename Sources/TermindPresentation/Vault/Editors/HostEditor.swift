public import TermindDomain

/// The form of a saved host.
///
/// What is typed becomes a record only when it is asked for; whatever is not changed is kept exactly.
/// Trust in host keys is no part of it.
public struct HostEditor: Sendable {
  /// The host as it was when the editor opened; empty for a new one.
  public let original: HostRecord
  /// Whether the host is not saved yet.
  public let isNew: Bool
  /// The fields.
  public var form: RecordForm
  /// The jump hosts, in order.
  public private(set) var jumps: [HostJump]
  /// The identity.
  public private(set) var identity: IdentityID?
  /// The snippet that runs at the start.
  public private(set) var snippet: SnippetID?
  /// Whether empty fields are told to be wrong: not before saving was tried.
  public private(set) var isStrict = false
  private let contents: VaultContents
  private let context: VaultContext
  private let routes: RouteBuilder

  /// Opens the form.
  ///
  /// - Parameters:
  ///   - host: The host, or a new one.
  ///   - isNew: Whether it is not saved yet.
  ///   - contents: The vault.
  ///   - routes: Finds the way to it.
  public init(
    _ host: HostRecord,
    isNew: Bool = false,
    contents: VaultContents,
    routes: RouteBuilder
  ) {
    original = host
    self.isNew = isNew
    self.contents = contents
    self.routes = routes
    // A form that is only read never checks anything, and the check's tables are large.
    context = VaultContext()
    jumps = host.jumps
    identity = host.identity
    snippet = host.startupSnippet
    form = RecordForm(
      title: isNew ? "New host" : host.name,
      fields: Self.fields(host, contents, isNew: isNew)
    )
    showRoute(of: host)
  }

  private init(copying other: HostEditor, context: VaultContext) {
    original = other.original
    isNew = other.isNew
    contents = other.contents
    routes = other.routes
    self.context = context
    jumps = other.jumps
    identity = other.identity
    snippet = other.snippet
    form = other.form
  }

  /// The same form, ready to be edited.
  public func editing() -> HostEditor {
    var editor = HostEditor(copying: self, context: contents.context)
    editor.form.isEditing = true
    editor.changed()
    return editor
  }

  // MARK: - What is typed

  /// The record of what is typed; fields that cannot be read keep what they had.
  public var record: HostRecord { read().record }

  /// Whether it may be saved; what is wrong is shown in the fields from now on.
  public mutating func check() -> Bool {
    isStrict = true
    changed()
    if let problem = form.firstProblem { form.focus(problem.id) }
    return form.firstProblem == nil
  }

  /// Adopts a change of a field: checks everything and shows the way anew.
  public mutating func changed() {
    adoptRemovals()
    let (record, unread) = read()
    form[Field.name]?.hint = record.defaultName.isEmpty ? "the address" : record.defaultName
    form[Field.port]?.hint = String(record.connectionProtocol.defaultPort)
    for index in form.fields.indices { form.fields[index].problem = "" }
    for error in record.problems(in: context) where unread[error.field] == nil {
      show(error.problem, at: error.field)
    }
    for (field, problem) in unread { show(problem, at: field) }
    if !isNew { form.title = record.name.isEmpty ? record.defaultName : record.name }
    showRoute(of: record)
  }

  private mutating func show(_ problem: FieldProblem, at field: HostField) {
    // Nobody needs to be told that a field is empty before anything was typed.
    if case .empty = problem, !isStrict { return }
    form[field.rawValue]?.problem = ErrorText.sentence(problem)
  }

  private mutating func showRoute(of host: HostRecord) {
    guard !host.endpoint.host.isEmpty else { return form.setInfo("route", "") }
    var probe = host
    if probe.name.isEmpty { probe.name = probe.defaultName }
    do throws(RouteBuildError) {
      let count = try routes.route(to: probe).hops.count
      let way = contents.way(to: probe).joined(separator: " › ")
      form.setInfo("route", count == 1 ? "direct" : "\(way) (\(count) hops)")
      form["route"]?.problem = ""
    } catch {
      form["route"]?.problem = ""
      // A record of another protocol is whole; it only cannot be opened.
      if case .otherProtocol(let kind, probe.name) = error {
        return form.setInfo("route", "\(kind.title) sessions cannot be opened yet")
      }
      form.setInfo("route", "")
      // A fault of the jumps is told there already.
      if form[Field.jumps]?.problem.isEmpty ?? true {
        form["route"]?.problem = ErrorText.explain(error).detail
      }
    }
  }

  /// Takes over that names were removed from a field of chosen records.
  private mutating func adoptRemovals() {
    if form[Field.identity]?.names.isEmpty == true { identity = nil }
    if form[Field.snippet]?.names.isEmpty == true { snippet = nil }
    if let left = form[Field.jumps]?.names.count, left < jumps.count {
      jumps.removeLast(jumps.count - left)
    }
  }

  // MARK: - Choosing

  /// Takes another identity, or none.
  public mutating func setIdentity(_ id: IdentityID?) {
    identity = id
    let names = id.map { [Self.name($0, contents)] } ?? []
    form[Field.identity]?.value = .picks(names)
    changed()
  }

  /// Takes other jump hosts.
  public mutating func setJumps(_ jumps: [HostJump]) {
    self.jumps = jumps
    let names = jumps.map(contents.name)
    form[Field.jumps]?.value = .picks(names)
    changed()
  }

  /// Takes another snippet, or none.
  public mutating func setSnippet(_ id: SnippetID?) {
    snippet = id
    let names = id.map { [contents.snippet($0)?.name ?? "deleted"] } ?? []
    form[Field.snippet]?.value = .picks(names)
    changed()
  }

  /// Takes another theme, or none.
  public mutating func setTheme(_ name: String?) {
    form[Field.theme]?.value = .picks(name.map { [$0] } ?? [])
    changed()
  }

  /// Shows what became of a test.
  public mutating func setTestResult(_ text: String) {
    form["test"]?.help = text
    form.focus("test")
  }
}

// MARK: - Fields

extension HostEditor {
  enum Field {
    static let name = HostField.name.rawValue
    static let address = HostField.address.rawValue
    static let port = HostField.port.rawValue
    static let kind = HostField.connectionProtocol.rawValue
    static let identity = HostField.identity.rawValue
    static let username = HostField.username.rawValue
    static let keyFiles = HostField.keyFiles.rawValue
    static let agent = HostField.usesAgent.rawValue
    static let jumps = HostField.jumps.rawValue
    static let tags = HostField.tags.rawValue
    static let color = HostField.color.rawValue
    static let theme = HostField.theme.rawValue
    static let integration = HostField.shellIntegration.rawValue
    static let directory = HostField.startDirectory.rawValue
    static let snippet = HostField.startupSnippet.rawValue
    static let environment = HostField.environment.rawValue
    static let keepAlive = HostField.keepAlive.rawValue
    static let notes = HostField.notes.rawValue
    static let pinned = HostField.isPinned.rawValue
    static let engine = HostField.engine.rawValue
  }

  private static func name(_ id: IdentityID, _ contents: VaultContents) -> String {
    contents.identity(id)?.name ?? "deleted identity"
  }

  private static func fields(
    _ host: HostRecord,
    _ contents: VaultContents,
    isNew: Bool
  ) -> [FormField] {
    let isStandardPort = host.endpoint.port == host.connectionProtocol.defaultPort
    let colors = ["none"] + PaletteColor.allCases.map(\.title)
    let color = host.color.flatMap { PaletteColor.allCases.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
    var fields: [FormField] = [
      .text(Field.name, "Name", host.name, hint: host.defaultName),
      .text(Field.address, "Address", host.endpoint.host, hint: "name or IP address"),
      .text(
        Field.port,
        "Port",
        isStandardPort ? "" : String(host.endpoint.port),
        hint: String(host.connectionProtocol.defaultPort),
        isBeside: true
      ),
      FormField(
        Field.identity,
        "Identity",
        .picks(host.identity.map { [name($0, contents)] } ?? []),
        hint: "none"
      ),
      .text(
        Field.username,
        "User",
        host.username,
        hint: "the identity's, else yours",
        help: "Stands over the identity's user."
      ),
      FormField(
        Field.jumps,
        "Via",
        .picks(host.jumps.map(contents.name)),
        hint: "no jump host",
        help: "Enter adds a jump host, backspace removes the last one.",
        separator: " › "
      ),
      FormField("route", "Route", .info("")),
      .text(
        Field.tags,
        "Tags",
        FieldText.text(ofTags: host.tags),
        hint: "prod, eu",
        help: "Divided by commas; tag:prod in a filter finds them."
      ),
      FormField(Field.color, "Colour", .choice(colors, selected: color)),
      FormField(Field.pinned, "Pinned", .toggle(host.isPinned)),
    ]
    if isNew || !host.notes.isEmpty {
      fields.append(notes(host))
    }
    fields += sessionFields(host, contents)
    if !(isNew || !host.notes.isEmpty) { fields.append(notes(host)) }
    fields += [
      .heading("Test"),
      FormField("test", "", .button, hint: "Test connection"),
    ]
    return fields
  }

  private static func notes(_ host: HostRecord) -> FormField {
    FormField(Field.notes, "Notes", .area(TextArea(host.notes), rows: 3))
  }

  private static func sessionFields(
    _ host: HostRecord,
    _ contents: VaultContents
  ) -> [FormField] {
    let keepAlive = host.keepAliveSeconds.map { String($0) } ?? ""
    let variables = host.environment.map { "\($0.name)=\($0.value)" }.joined(separator: "\n")
    return [
      .heading("Session"),
      FormField(
        Field.theme,
        "Theme",
        .picks(host.theme.map { [$0] } ?? []),
        hint: "the window's"
      ),
      FormField(
        Field.integration,
        "Shell marks",
        .choice(
          ["as in the settings", "on", "off"],
          selected: ShellIntegrationChoice.allCases.firstIndex(of: host.shellIntegration) ?? 0
        ),
        help: "Kept for marks of prompts, commands and directories; no shell is given them yet."
      ),
      .text(
        Field.directory,
        "Start in",
        host.startDirectory,
        hint: "the home directory",
        help: "Where shells start, such as ~/app; without it they start at home."
      ),
      FormField(
        Field.snippet,
        "Run first",
        .picks(host.startupSnippet.map { [contents.snippet($0)?.name ?? "deleted"] } ?? []),
        hint: "no snippet",
        help: "Pasted and entered once the shell is there; not after a recovery."
      ),
      FormField(
        Field.environment,
        "Variables",
        .area(TextArea(variables), rows: 2),
        hint: "NAME=value, one a line",
        help: "The server takes those that its AcceptEnv names."
      ),
      .heading("Connection"),
      FormField(
        Field.kind,
        "Protocol",
        .choice(
          HostProtocol.allCases.map(\.title),
          selected: HostProtocol.allCases.firstIndex(of: host.connectionProtocol) ?? 0
        )
      ),
      FormField(
        Field.keyFiles,
        "Key files",
        .area(TextArea(host.keyFiles.joined(separator: "\n")), rows: 2),
        hint: "the identity's keys",
        help: "Paths, one a line; they stand over the identity's keys."
      ),
      FormField(Field.agent, "Use agent", .toggle(host.usesAgent)),
      .text(
        Field.keepAlive,
        "Keepalive",
        keepAlive,
        hint: "15",
        help: "Seconds between requests that keep the connection open; 0 for none."
      ),
      FormField(
        Field.engine,
        "Engine",
        .choice(
          ["automatic", "libssh2", "OpenSSH"],
          selected: EngineChoice.allCases.firstIndex(of: host.engine) ?? 0
        )
      ),
    ]
  }

  // MARK: - Reading

  private func read() -> (record: HostRecord, unread: [HostField: FieldProblem]) {
    var record = original
    var unread: [HostField: FieldProblem] = [:]
    func take(_ field: HostField, _ body: (String) throws(FieldProblem) -> Void) {
      guard form.isChanged(field.rawValue) else { return }
      do throws(FieldProblem) {
        try body(form.text(field.rawValue))
      } catch {
        unread[field] = error
      }
    }
    let kind = chosenProtocol
    record.connectionProtocol = kind
    var port = original.endpoint.port
    if kind != original.connectionProtocol, form.text(Field.port).isEmpty {
      port = kind.defaultPort
    }
    var address = original.endpoint.host
    take(.address) { text throws(FieldProblem) in
      address = text
      address = try FieldText.address(text)
    }
    take(.port) { text throws(FieldProblem) in
      port = text.isEmpty ? kind.defaultPort : try FieldText.port(text)
    }
    record.endpoint = SSHEndpoint(host: address, port: port)
    take(.name) { text throws(FieldProblem) in record.name = text.trimmed }
    take(.username) { text throws(FieldProblem) in record.username = text.trimmed }
    take(.tags) { text throws(FieldProblem) in record.tags = FieldText.tags(text) }
    take(.startDirectory) { text throws(FieldProblem) in record.startDirectory = text }
    take(.environment) { text throws(FieldProblem) in
      record.environment = try FieldText.environment(text)
    }
    take(.notes) { text throws(FieldProblem) in record.notes = text }
    take(.keyFiles) { text throws(FieldProblem) in
      record.keyFiles = text.split(whereSeparator: \.isNewline)
        .map { String($0).trimmed }.filter { !$0.isEmpty }
    }
    take(.keepAlive) { text throws(FieldProblem) in
      record.keepAliveSeconds =
        text.isEmpty ? nil : try FieldText.number(text, in: HostRecord.keepAliveRange)
    }
    readChoices(into: &record)
    return (record, unread)
  }

  /// How the host is to be talked to.
  ///
  /// Not inlined: the optimiser of Swift 6.3 stops with an error of its own over it.
  @inline(never) private var chosenProtocol: HostProtocol {
    guard let place = form[Field.kind]?.choice else { return .ssh }
    return HostProtocol.allCases[place]
  }

  private func readChoices(into record: inout HostRecord) {
    record.identity = identity
    record.jumps = jumps
    record.startupSnippet = snippet
    record.theme = form[Field.theme]?.names.first
    if let place = form[Field.color]?.choice {
      record.color = place == 0 ? nil : PaletteColor.allCases[place - 1]
    }
    if let place = form[Field.integration]?.choice {
      record.shellIntegration = ShellIntegrationChoice.allCases[place]
    }
    if let place = form[Field.engine]?.choice { record.engine = EngineChoice.allCases[place] }
    record.isPinned = form[Field.pinned]?.isOn ?? record.isPinned
    record.usesAgent = form[Field.agent]?.isOn ?? record.usesAgent
  }
}

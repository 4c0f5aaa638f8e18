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
  public var record: HostRecord { read(includesNotes: true).record }

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
    let (record, unread) = read(includesNotes: false)
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

public import TermindApplication
public import TermindDomain

extension SQLiteStore: HostStoring {
  /// Every saved host, by name.
  public func hosts() throws(StoreError) -> [HostRecord] {
    var hosts = try database().hostRows()
    hosts.sort(byName: \.name)
    return hosts
  }

  /// Adds the record, or replaces the one with its id.
  ///
  /// The time of the last use only goes forward.
  public func save(_ host: HostRecord) throws(StoreError) {
    try write { database, now throws(StoreError) in try database.put(host, at: now) }
  }

  /// Removes a record; trust in its keys stays.
  public func delete(_ id: HostID) throws(StoreError) { try delete([.host(id)]) }

  /// Notes that a host was connected to now.
  public func markUsed(_ id: HostID, at time: Int64) throws(StoreError) {
    try write(alsoChanging: [.host]) { database, _ throws(StoreError) in
      let changed = try database.change(
        "UPDATE hosts SET last_used = ?2 WHERE id = ?1",
        .id(id),
        .integer(time)
      )
      guard changed > 0 else { throw .notFound }
    }
  }
}

// MARK: Reading

extension Connection {
  /// Every host, in the order of rows.
  fileprivate func hostRows() throws(StoreError) -> [HostRecord] {
    var isWhole = true
    var keyFiles = try lists(
      "SELECT host, path FROM host_key_files ORDER BY host, position"
    ) { $0.text(1) }
    var tags = try lists("SELECT host, tag FROM host_tags ORDER BY host, position") { $0.text(1) }
    var jumps = try lists(
      "SELECT host, saved, text FROM host_jumps ORDER BY host, position"
    ) { row -> HostJump in
      if row.isNull(1) { return .text(row.text(2)) }
      guard let id = row.uuid(1) else {
        isWhole = false
        return ""
      }
      return .saved(HostID(rawValue: id))
    }
    var environment = try lists(
      "SELECT host, name, value FROM host_environment ORDER BY host, position"
    ) { EnvironmentVariable(name: $0.text(1), value: $0.text(2)) }
    var hosts: [HostRecord] = []
    hosts.reserveCapacity(Int(try integer("SELECT count(*) FROM hosts")))
    try run(
      """
      SELECT row, id, name, address, port, protocol, identity, username, uses_agent, color, theme,
        shell_integration, start_directory, startup_snippet, keep_alive, notes, is_pinned, engine,
        last_used, created, modified, allows_old, clipboard, recording
      FROM hosts ORDER BY row
      """,
      []
    ) { row in
      let number = row.integer(0)
      guard
        let host = HostRecord(
          row,
          keyFiles: keyFiles.take(number),
          jumps: jumps.take(number),
          tags: tags.take(number),
          environment: environment.take(number)
        )
      else {
        isWhole = false
        return
      }
      hosts.append(host)
    }
    guard isWhole else { throw .corrupt(path: path, diagnostic: "a host cannot be read") }
    return hosts
  }
}

extension HostRecord {
  /// The record of a row with its lists; nil when something in it has no meaning.
  fileprivate init?(
    _ row: borrowing StatementHandle,
    keyFiles: [String],
    jumps: [HostJump],
    tags: [String],
    environment: [EnvironmentVariable]
  ) {
    guard let id = row.uuid(1), let port = UInt16(exactly: row.integer(4)),
      let connectionProtocol = row.choice(5, standard: HostProtocol.ssh),
      let shellIntegration = row.choice(11, standard: ShellIntegrationChoice.standard),
      let engine = row.choice(17, standard: EngineChoice.automatic),
      let clipboard = row.choice(22, standard: ClipboardChoice.standard),
      let identity = row.reference(6, IdentityID.self),
      let snippet = row.reference(13, SnippetID.self)
    else { return nil }
    var color: PaletteColor?
    if let text = row.optionalText(9) {
      guard let known = PaletteColor(rawValue: text) else { return nil }
      color = known
    }
    var recording: RecordingFormat?
    if let text = row.optionalText(23) {
      guard let known = RecordingFormat(rawValue: text) else { return nil }
      recording = known
    }
    self.init(
      id: HostID(rawValue: id),
      name: row.text(2),
      endpoint: SSHEndpoint(host: row.text(3), port: port),
      connectionProtocol: connectionProtocol,
      identity: identity,
      username: row.text(7),
      keyFiles: keyFiles,
      usesAgent: row.integer(8) != 0,
      jumps: jumps,
      tags: tags,
      color: color,
      theme: row.optionalText(10),
      shellIntegration: shellIntegration,
      clipboard: clipboard,
      recording: recording,
      startDirectory: row.text(12),
      startupSnippet: snippet,
      environment: environment,
      keepAliveSeconds: row.optionalInteger(14).map { Int($0) },
      notes: row.text(15),
      isPinned: row.integer(16) != 0,
      engine: engine,
      allowsOldAlgorithms: !row.isNull(21),
      lastUsed: row.optionalInteger(18),
      times: RecordTimes(created: row.integer(19), modified: row.integer(20))
    )
  }
}

extension StatementHandle {
  /// A choice that is null when it is the standard one; nil when it has no meaning.
  func choice<Choice: RawRepresentable<String>>(_ column: Int32, standard: Choice) -> Choice? {
    optionalText(column).map { Choice(rawValue: $0) } ?? standard
  }

  /// A reference to a record, nil within when there is none; nil when it has no meaning.
  func reference<ID: VaultID>(_ column: Int32, _ type: ID.Type) -> ID?? {
    if isNull(column) { return .some(nil) }
    guard let id = uuid(column) else { return nil }
    return .some(ID(rawValue: id))
  }
}

// MARK: Writing

extension Connection {
  /// Writes a host and its lists; within a transaction.
  func put(_ host: HostRecord, at now: Int64) throws(StoreError) {
    let name = host.savedName
    guard HostRecord.isValidName(name) else { throw .conflict("hosts.name") }
    try forgetLessons(
      of: host.id,
      unless: (
        host.endpoint.host, Int64(host.endpoint.port), .choice(host.engine, standard: .automatic)
      )
    )
    var row: Int64 = 0
    do throws(StoreError) {
      try run(Self.putHost, host.values(name: name, now: now)) { row = $0.integer(0) }
    } catch {
      throw try explained(error, host: host, name: name)
    }
    try replaceList(
      clear: "DELETE FROM host_key_files WHERE host = ?1",
      insert: "INSERT INTO host_key_files (host, position, path) VALUES (?1, ?2, ?3)",
      owner: row,
      host.keyFiles.map { [.text($0)] }
    )
    try replaceList(
      clear: "DELETE FROM host_tags WHERE host = ?1",
      insert: "INSERT INTO host_tags (host, position, tag) VALUES (?1, ?2, ?3)",
      owner: row,
      host.tags.map { [.text($0)] }
    )
    try replaceList(
      clear: "DELETE FROM host_jumps WHERE host = ?1",
      insert: "INSERT INTO host_jumps (host, position, saved, text) VALUES (?1, ?2, ?3, ?4)",
      owner: row,
      host.jumps.map { jump in
        switch jump {
        case .saved(let id): [.id(id), .null]
        case .text(let text): [.null, .text(text)]
        }
      }
    )
    try replaceList(
      clear: "DELETE FROM host_environment WHERE host = ?1",
      insert: "INSERT INTO host_environment (host, position, name, value) VALUES (?1, ?2, ?3, ?4)",
      owner: row,
      host.environment.map { [.text($0.name), .text($0.value)] }
    )
  }

  private static let putHost = """
    INSERT INTO hosts (id, name, address, port, protocol, identity, username, uses_agent, color,
      theme, shell_integration, start_directory, startup_snippet, keep_alive, notes, is_pinned,
      engine, last_used, created, modified, allows_old, clipboard, recording)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19,
      ?19, ?20, ?21, ?22)
    ON CONFLICT (id) DO UPDATE SET
      name = excluded.name, address = excluded.address, port = excluded.port,
      protocol = excluded.protocol, identity = excluded.identity, username = excluded.username,
      uses_agent = excluded.uses_agent, color = excluded.color, theme = excluded.theme,
      shell_integration = excluded.shell_integration, start_directory = excluded.start_directory,
      startup_snippet = excluded.startup_snippet, keep_alive = excluded.keep_alive,
      notes = excluded.notes, is_pinned = excluded.is_pinned, engine = excluded.engine,
      allows_old = excluded.allows_old, clipboard = excluded.clipboard,
      recording = excluded.recording,
      last_used = CASE WHEN last_used IS NULL OR excluded.last_used > last_used
        THEN excluded.last_used ELSE last_used END,
      modified = excluded.modified
    RETURNING row
    """

  /// What a broken rule means for a host.
  private func explained(
    _ error: StoreError,
    host: HostRecord,
    name: String
  ) throws(StoreError) -> StoreError {
    switch error {
    case .conflict("hosts.name"):
      return .nameTaken(.host, name)
    case .conflict(Self.brokenReference):
      let isSnippet =
        try host.startupSnippet.map { id throws(StoreError) in
          try integer("SELECT count(*) FROM snippets WHERE id = ?1", .id(id)) == 0
        } ?? false
      return .missingReference(isSnippet ? .snippet : .identity)
    default:
      return error
    }
  }

  /// How SQLite names a reference to a row that is not there.
  static let brokenReference = "FOREIGN KEY constraint failed"
}

extension HostRecord {
  fileprivate func values(name: String, now: Int64) -> [DatabaseValue] {
    [
      .id(id), .text(name), .text(endpoint.host), .integer(Int64(endpoint.port)),
      .choice(connectionProtocol, standard: .ssh), .id(orNull: identity), .text(username),
      .flag(usesAgent), .text(orNull: color?.rawValue), .text(orNull: theme),
      .choice(shellIntegration, standard: .standard), .text(orEmpty: startDirectory),
      .id(orNull: startupSnippet), .integer(orNull: keepAliveSeconds.map { Int64($0) }),
      .text(orEmpty: notes), .flag(isPinned), .choice(engine, standard: .automatic),
      .integer(orNull: lastUsed), .integer(now), allowsOldAlgorithms ? .flag(true) : .null,
      .choice(clipboard, standard: .standard), .text(orNull: recording?.rawValue),
    ]
  }
}

public import TermindApplication
public import TermindDomain

extension SQLiteStore: CommandHistoryStoring {
  /// The most commands that are kept of a place.
  static let maximumCommands = 1_000

  /// Adds a command that has ended; one of a saved host that is deleted by now is dropped.
  public func record(_ command: CommandRecord, at place: CommandPlace) throws(StoreError) {
    let (host, target) = Self.columns(place)
    try write { database, _ throws(StoreError) in
      try database.change(
        """
        INSERT INTO command_history (host_id, target, command, started, status, milliseconds)
        SELECT ?1, ?2, ?3, ?4, ?5, ?6
        WHERE ?1 IS NULL OR EXISTS (SELECT 1 FROM hosts WHERE id = ?1)
        """,
        host,
        target,
        .text(command.text),
        .integer(command.started),
        .integer(orNull: command.status.map { Int64($0) }),
        .integer(orNull: command.milliseconds)
      )
      try database.change(
        """
        DELETE FROM command_history WHERE row IN (
          SELECT row FROM command_history WHERE host_id IS ?1 AND target = ?2
          ORDER BY row DESC LIMIT -1 OFFSET ?3)
        """,
        host,
        target,
        .integer(Int64(Self.maximumCommands))
      )
    }
  }

  /// The newest commands of a place, the newest first.
  public func commands(
    at place: CommandPlace,
    limit: Int
  ) throws(StoreError) -> [CommandRecord] {
    let (host, target) = Self.columns(place)
    return try database().query(
      """
      SELECT command, started, status, milliseconds FROM command_history
      WHERE host_id IS ?1 AND target = ?2 ORDER BY row DESC LIMIT ?3
      """,
      host,
      target,
      .integer(Int64(max(limit, 0)))
    ) { row in
      CommandRecord(
        text: row.text(0),
        started: row.integer(1),
        status: row.optionalInteger(2).map { Int(clamping: $0) },
        milliseconds: row.optionalInteger(3)
      )
    }
  }

  /// Removes every command of a place.
  public func forgetCommands(at place: CommandPlace) throws(StoreError) {
    let (host, target) = Self.columns(place)
    try write { database, _ throws(StoreError) in
      try database.change(
        "DELETE FROM command_history WHERE host_id IS ?1 AND target = ?2",
        host,
        target
      )
    }
  }

  private static func columns(_ place: CommandPlace) -> (host: DatabaseValue, target: DatabaseValue)
  {
    switch place {
    case .local: (.null, .text(""))
    case .host(let id): (.id(id), .text(""))
    case .target(let line): (.null, .text(line))
    }
  }
}

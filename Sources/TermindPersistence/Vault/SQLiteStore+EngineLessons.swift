public import TermindApplication
public import TermindDomain

extension SQLiteStore: EngineLessonStoring {
  /// What is known of a server on a way; nil when nothing was learned.
  public func engineLesson(
    for endpoint: SSHEndpoint,
    way: String
  ) throws(StoreError) -> EngineLesson? {
    try database().query(
      "SELECT library, reason FROM engine_lessons WHERE address = ?1 AND port = ?2",
      .text(Self.place(endpoint, way)),
      .integer(Int64(endpoint.port))
    ) {
      EngineLesson(endpoint: endpoint, way: way, library: $0.text(0), reason: $0.text(1))
    }.first
  }

  /// Keeps a lesson in the place of what was known of its server.
  public func remember(_ lesson: EngineLesson) throws(StoreError) {
    try write { database, now throws(StoreError) in
      try database.change(
        """
        INSERT INTO engine_lessons (address, port, library, reason, learned)
        VALUES (?1, ?2, ?3, ?4, ?5)
        ON CONFLICT (address, port) DO UPDATE SET
          library = excluded.library, reason = excluded.reason, learned = excluded.learned
        """,
        .text(Self.place(lesson.endpoint, lesson.way)),
        .integer(Int64(lesson.endpoint.port)),
        .text(lesson.library),
        .text(lesson.reason),
        .integer(now)
      )
      try database.change(
        """
        DELETE FROM engine_lessons WHERE (address, port) IN (
          SELECT address, port FROM engine_lessons
          ORDER BY learned DESC, address, port LIMIT -1 OFFSET 10000)
        """
      )
    }
  }

  /// The address as it is stored: a way stands behind it.
  private static func place(_ endpoint: SSHEndpoint, _ way: String) -> String {
    way.isEmpty ? endpoint.host : endpoint.host + Connection.lessonDivider + way
  }
}

extension Connection {
  /// What stands between an address and the way to it; no host name has it.
  static let lessonDivider = " via "

  /// Forgets what was learned about the address of a saved host behind others, where that is about to change.
  ///
  /// The triggers of the table do it for a host that is reached directly.
  /// - Parameters:
  ///   - id: The host.
  ///   - new: Its address, port and engine from now on; nil when it goes.
  /// - Throws: What the database says.
  func forgetLessons(
    of id: HostID,
    unless new: (address: String, port: Int64, engine: DatabaseValue)?
  ) throws(StoreError) {
    let places: [(String, Int64)]
    if let new {
      places = try query(
        """
        SELECT address, port FROM hosts
        WHERE id = ?1 AND (address <> ?2 OR port <> ?3 OR engine IS NOT ?4)
        """,
        .id(id),
        .text(new.address),
        .integer(new.port),
        new.engine
      ) { ($0.text(0), $0.integer(1)) }
    } else {
      places = try query("SELECT address, port FROM hosts WHERE id = ?1", .id(id)) {
        ($0.text(0), $0.integer(1))
      }
    }
    for (address, port) in places {
      try change(
        "DELETE FROM engine_lessons WHERE port = ?2 AND instr(address, ?1) = 1",
        .text(address + Self.lessonDivider),
        .integer(port)
      )
    }
  }
}

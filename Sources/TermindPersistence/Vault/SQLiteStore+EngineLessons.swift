public import TermindApplication
public import TermindDomain

extension SQLiteStore: EngineLessonStoring {
  /// What is known of a server; nil when nothing was learned.
  public func engineLesson(for endpoint: SSHEndpoint) throws(StoreError) -> EngineLesson? {
    try database().query(
      "SELECT library, reason FROM engine_lessons WHERE address = ?1 AND port = ?2",
      .text(endpoint.host),
      .integer(Int64(endpoint.port))
    ) { EngineLesson(endpoint: endpoint, library: $0.text(0), reason: $0.text(1)) }.first
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
        .text(lesson.endpoint.host),
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
}

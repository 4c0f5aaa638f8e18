public import TermindApplication

extension SQLiteStore: SettingStoring {
  /// Every setting that was set.
  public func settings() throws(StoreError) -> [String: String] {
    let rows = try database().query("SELECT key, value FROM settings") { ($0.text(0), $0.text(1)) }
    return Dictionary(rows, uniquingKeysWith: { first, _ in first })
  }

  /// The value of a setting; nil when it was never set.
  public func setting(_ key: String) throws(StoreError) -> String? {
    try database().query("SELECT value FROM settings WHERE key = ?1", .text(key)) {
      $0.text(0)
    }.first
  }

  /// Sets a value, or removes it with nil.
  public func setSetting(_ key: String, to value: String?) throws(StoreError) {
    try write { database, _ throws(StoreError) in
      guard let value else {
        try database.change("DELETE FROM settings WHERE key = ?1", .text(key))
        return
      }
      try database.change(
        """
        INSERT INTO settings (key, value) VALUES (?1, ?2)
        ON CONFLICT (key) DO UPDATE SET value = excluded.value
        """,
        .text(key),
        .text(value)
      )
    }
  }
}

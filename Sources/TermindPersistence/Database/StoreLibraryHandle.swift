internal import CSQLite

/// The library under the store, for `termind doctor`.
public enum StoreLibrary {
  /// The version that is loaded, such as `3.40.1`.
  public static var sqlite: String {
    guard let text = unsafe sqlite3_libversion() else { return "unknown" }
    return unsafe String(cString: text)
  }
}

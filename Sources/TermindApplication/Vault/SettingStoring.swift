/// Keeps settings as text; what the text means is the owner's of the setting.
public protocol SettingStoring: Sendable {
  /// Every setting that was set.
  func settings() async throws(StoreError) -> [String: String]
  /// The value of a setting; nil when it was never set.
  func setting(_ key: String) async throws(StoreError) -> String?
  /// Sets a value, or removes it with nil.
  func setSetting(_ key: String, to value: String?) async throws(StoreError)
}

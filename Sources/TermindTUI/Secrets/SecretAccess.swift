import TermindApplication
import TermindDomain
import TermindInfrastructure

/// The secret store of the server, chosen when a secret is first needed.
final class SecretAccess {
  private let dataDirectory: String
  private var settings: (any SettingStoring)?
  private var known: (any SecretStoring)?
  private var choosing: Task<any SecretStoring, any Error>?

  init(dataDirectory: String) { self.dataDirectory = dataDirectory }

  /// Takes the settings that tell where secrets are kept.
  func adopt(_ settings: any SettingStoring) { self.settings = settings }

  /// The store that was chosen; nil as long as no secret was needed.
  var chosen: (any SecretStoring)? { known }

  /// The store; it may be locked.
  ///
  /// - Parameter environment: The variables of the person's session, where a keyring is looked for.
  /// - Returns: The store that was chosen, for as long as the server runs.
  /// - Throws: A `StoreError` when the settings cannot be read.
  func store(environment: [String: String]) async throws -> any SecretStoring {
    if let known { return known }
    guard let settings else { throw StoreError.failed(diagnostic: "the store is not open") }
    let task =
      choosing
      ?? Task {
        try await SecretStoreChooser(
          settings: settings,
          dataDirectory: dataDirectory,
          environment: environment
        ).choose()
      }
    choosing = task
    defer { choosing = nil }
    let store = try await task.value
    known = store
    return store
  }
}

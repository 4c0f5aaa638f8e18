import TermindApplication
import TermindDomain
import Testing

@testable import TermindInfrastructure

/// A sealed file in a directory of its own, cheap to open.
struct SealedStoreFixture {
  let directory: ScratchDirectory
  let path: String

  static let passphrase = SecretBytes("correct horse".utf8)

  init() throws {
    directory = try ScratchDirectory()
    path = "\(directory.path)/secrets.sealed"
  }

  /// The least cost that files may have: 8 MiB, gone through once.
  static var cost: SealCost {
    get throws { try #require(SealCost(passes: 1, memoryKiB: 8192)) }
  }

  func store(beforeRename: @escaping @Sendable () -> Void = {}) throws -> SealedSecretStore {
    SealedSecretStore(SealedFile(path: path, beforeRename: beforeRename), cost: try Self.cost)
  }

  /// A store that is set up and open.
  func openStore() async throws -> SealedSecretStore {
    let store = try store()
    try await store.changePassphrase(from: nil, to: Self.passphrase)
    return store
  }
}

extension SecretBytes {
  convenience init(_ text: String) { self.init(text.utf8) }
}

extension SecretStoring {
  /// Keeps one text.
  func keep(_ text: String, label: String = "a test") async throws -> SecretItemID {
    try await create(NewSecret(SecretBytes(text), label: label))
  }

  /// The bytes of a secret as text.
  func text(_ id: SecretItemID) async throws -> String {
    String(decoding: try await read(id).copyBytes(), as: UTF8.self)
  }
}

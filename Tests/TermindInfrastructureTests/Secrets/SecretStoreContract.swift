import TermindApplication
import TermindDomain
import TermindTestSupport
import Testing

/// What every secret store does, whatever it keeps secrets in; the store must be open and empty.
enum SecretStoreContract {
  static func check(_ store: any SecretStoring) async throws {
    try await keepsSecrets(store)
    try await removesWhatNobodyNames(store)
    try await refusesSizes(store)
  }

  private static func keepsSecrets(_ store: any SecretStoring) async throws {
    #expect(await store.state() == .unlocked)
    #expect(try await store.entries() == [])
    let binary = SecretBytes([0, 255, 10, 0, 128])
    let ids = try await store.create([
      NewSecret(SecretBytes("hunter2"), label: "password of root"),
      NewSecret(binary, label: "a key \u{1F511}"),
    ])
    #expect(ids.count == 2)
    #expect(Set(ids).count == 2)
    #expect(try await store.text(ids[0]) == "hunter2")
    #expect(try await store.read(ids[1]) == binary)
    let labels = try await store.entries().map(\.label)
    #expect(Set(labels) == ["password of root", "a key \u{1F511}"])

    try await store.replace(ids[0], with: SecretBytes("better"))
    #expect(try await store.text(ids[0]) == "better")
    #expect(try await store.entries().count == 2)
    #expect(try await store.entries().contains { $0.label == "password of root" })

    let absent = SecretItemID()
    await #expect(throws: SecretStoreError.notFound(absent)) { _ = try await store.read(absent) }
    await #expect(throws: SecretStoreError.notFound(absent)) {
      try await store.replace(absent, with: binary)
    }
    try await store.delete([ids[1], absent])
    await #expect(throws: SecretStoreError.notFound(ids[1])) { _ = try await store.read(ids[1]) }
    #expect(try await store.entries().map(\.id) == [ids[0]])
  }

  private static func removesWhatNobodyNames(_ store: any SecretStoring) async throws {
    let before = try await store.entries().map(\.id)
    await #expect(throws: TestFailure.self) {
      try await store.keeping([NewSecret(SecretBytes("lost"), label: "")]) { ids in
        #expect(try await store.text(ids[0]) == "lost")
        throw TestFailure("the save failed")
      }
    }
    #expect(try await store.entries().map(\.id) == before)
    let saved = try await store.keeping([NewSecret(SecretBytes("kept"), label: "")]) { $0[0] }
    let orphan = try await store.keep("orphan")
    #expect(try await store.deleteUnnamed(keeping: [saved]) == before.count + 1)
    #expect(try await store.entries().map(\.id) == [saved])
    await #expect(throws: SecretStoreError.notFound(orphan)) { _ = try await store.read(orphan) }
    try await store.delete(saved)
  }

  private static func refusesSizes(_ store: any SecretStoring) async throws {
    await #expect(throws: SecretStoreError.wrongSize(byteCount: 0)) {
      _ = try await store.keep("")
    }
    let limit = SecretLimits.secretByteCount
    let large = SecretBytes(count: limit + 1) { $0.count }
    await #expect(throws: SecretStoreError.wrongSize(byteCount: limit + 1)) {
      _ = try await store.create([
        NewSecret(SecretBytes("fits"), label: ""), NewSecret(large, label: ""),
      ])
    }
    #expect(try await store.entries() == [])
    let id = try await store.create(NewSecret(large.slice(0..<limit), label: "large"))
    #expect(try await store.read(id).count == limit)
    try await store.delete(id)
  }
}

internal import FoundationEssentials
public import TermindApplication
public import TermindDomain

/// Secrets in one file, sealed under a passphrase (Docs/Decisions/0009-secrets.md has its form).
///
/// While it is unlocked, the key is in guarded memory and the file is locked against a second opener;
/// the secrets stay sealed in memory, too, and are opened for one call at a time.
public actor SealedSecretStore: SecretStoring {
  private struct Opened {
    let lock: HeldLock
    let key: GuardedKeyHandle
    var header: SealedHeader
    var sealed: [UInt8]
    var identity: WholeFile.Identity
  }

  /// The path of the file.
  public nonisolated let path: String
  private let file: SealedFile
  private let cost: SealCost
  private var opened: Opened?
  private let executor = QueueExecutor(label: "termind.secrets")

  /// A queue of its own: deriving a key takes half a second of work, and syncing a file waits for the disk.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  /// Names a store; nothing is read yet.
  ///
  /// - Parameters:
  ///   - path: The file; its directory must exist once it is written.
  ///   - cost: What a new passphrase costs to try; files that exist tell their own.
  public init(path: String, cost: SealCost = .standard) {
    self.init(SealedFile(path: path), cost: cost)
  }

  init(_ file: SealedFile, cost: SealCost) {
    path = file.path
    self.file = file
    self.cost = cost
  }

  /// A file with a passphrase of its own.
  public nonisolated var place: SecretPlace { .sealedFile }

  /// Whether there is a sealed file, and whether it is open.
  public func state() -> SecretStoreState {
    if opened != nil { return .unlocked }
    do throws(SecretStoreError) {
      guard let found = try file.read(limit: SealedHeader.byteCount) else { return .notSetUp }
      let header = try checkedHeader(found.bytes[...])
      try checkLength(header, found.identity.byteCount)
      return .locked
    } catch {
      return .unusable(error)
    }
  }

  /// Opens the file; takes about half a second.
  public func unlock(_ passphrase: SecretBytes?) throws(SecretStoreError) {
    guard opened == nil else { return }
    guard let passphrase, !passphrase.isEmpty else { throw .passphraseIsEmpty }
    guard file.identity() != nil else { throw .notSetUp }
    opened = try open(passphrase)
  }

  /// Wipes the key and lets others open the file.
  public func lock() { opened = nil }

  /// Seals everything under a new key, which the new passphrase opens.
  public func changePassphrase(
    from old: SecretBytes?,
    to new: SecretBytes
  ) throws(SecretStoreError) {
    guard !new.isEmpty else { throw .passphraseIsEmpty }
    guard let old else { return try setUp(new) }
    guard file.identity() != nil else { throw .notSetUp }
    let present = try open(old, lock: opened?.lock, expecting: opened?.identity)
    var content = try decrypted(present)
    opened = try sealed(&content, under: new, lock: present.lock)
  }

  /// Keeps new secrets in one write.
  public func create(_ secrets: [NewSecret]) throws(SecretStoreError) -> [SecretItemID] {
    guard let opened else { throw .locked }
    guard !secrets.isEmpty else { return [] }
    for secret in secrets { try checkSize(secret.bytes) }
    var content = try decrypted(opened)
    let items = secrets.map {
      SealedContent.Item(id: SecretItemID(), label: Self.cut($0.label), bytes: $0.bytes)
    }
    content.items += items
    try store(content)
    return items.map(\.id)
  }

  /// Reads one secret.
  public func read(_ id: SecretItemID) throws(SecretStoreError) -> SecretBytes {
    guard let opened else { throw .locked }
    let content = try decrypted(opened)
    guard let place = content.index(of: id) else { throw .notFound(id) }
    return content.items[place].bytes
  }

  /// Puts other bytes in the place of a secret.
  public func replace(_ id: SecretItemID, with bytes: SecretBytes) throws(SecretStoreError) {
    guard let opened else { throw .locked }
    try checkSize(bytes)
    var content = try decrypted(opened)
    guard let place = content.index(of: id) else { throw .notFound(id) }
    content.items[place].bytes = bytes
    try store(content)
  }

  /// Removes secrets in one write.
  public func delete(_ ids: [SecretItemID]) throws(SecretStoreError) {
    guard let opened else { throw .locked }
    var content = try decrypted(opened)
    let gone = Set(ids)
    let before = content.items.count
    content.items.removeAll { gone.contains($0.id) }
    if content.items.count != before { try store(content) }
  }

  /// Every secret, by identifier.
  public func entries() throws(SecretStoreError) -> [SecretEntry] {
    guard let opened else { throw .locked }
    return try decrypted(opened).items.map { SecretEntry(id: $0.id, label: $0.label) }
      .sorted { $0.id.rawValue.uuidString < $1.id.rawValue.uuidString }
  }

  // MARK: - The file

  private func setUp(_ passphrase: SecretBytes) throws(SecretStoreError) {
    guard opened == nil, file.identity() == nil else { throw .alreadySetUp }
    let lock = try takeLock()
    guard file.identity() == nil else { throw .alreadySetUp }
    var content = SealedContent()
    opened = try sealed(&content, under: passphrase, lock: lock)
  }

  private func open(
    _ passphrase: SecretBytes,
    lock: HeldLock? = nil,
    expecting identity: WholeFile.Identity? = nil
  ) throws(SecretStoreError) -> Opened {
    let lock = if let lock { lock } else { try takeLock() }
    let limit = SealedHeader.byteCount + SealedHeader.contentLimit + 1
    guard let found = try file.read(limit: limit) else { throw .notSetUp }
    if let identity, identity != found.identity { throw .changedElsewhere(path: path) }
    let header = try checkedHeader(found.bytes[...])
    try checkLength(header, found.bytes.count)
    guard let outer = derive(passphrase, header) else {
      throw .notEnoughMemory(byteCount: header.cost.byteCount)
    }
    guard
      let key = outer.unwrap(
        header.wrappedKey[...],
        nonce: header.keyNonce,
        header: header.keyContext[...]
      )
    else { throw .wrongPassphrase }
    let opened = Opened(
      lock: lock,
      key: key,
      header: header,
      sealed: Array(found.bytes[SealedHeader.byteCount...]),
      identity: found.identity
    )
    _ = try decrypted(opened)
    return opened
  }

  private func derive(_ passphrase: SecretBytes, _ header: SealedHeader) -> GuardedKeyHandle? {
    GuardedKeyHandle.derive(from: passphrase, salt: header.salt, cost: header.cost)
  }

  private func sealed(
    _ content: inout SealedContent,
    under passphrase: SecretBytes,
    lock: HeldLock
  ) throws(SecretStoreError) -> Opened {
    guard Sodium.isReady else { throw .failed(diagnostic: "libsodium does not start") }
    var header = SealedHeader(cost: cost)
    guard let outer = derive(passphrase, header), let key = GuardedKeyHandle.random() else {
      throw .notEnoughMemory(byteCount: cost.byteCount)
    }
    guard
      let wrapped = outer.wrap(key, nonce: header.keyNonce, header: header.keyContext[...])
    else { throw .failed(diagnostic: "libsodium does not seal the key") }
    header.wrappedKey = wrapped
    let (full, sealed) = try seal(content, key, header)
    let identity = try file.replace(with: full.bytes + sealed)
    return Opened(lock: lock, key: key, header: full, sealed: sealed, identity: identity)
  }

  private func store(_ content: SealedContent) throws(SecretStoreError) {
    guard let present = opened else { throw .locked }
    guard file.identity() == present.identity else { throw .changedElsewhere(path: path) }
    let (header, sealed) = try seal(content, present.key, present.header)
    let identity = try file.replace(with: header.bytes + sealed)
    opened?.header = header
    opened?.sealed = sealed
    opened?.identity = identity
  }

  private func seal(
    _ content: SealedContent,
    _ key: GuardedKeyHandle,
    _ header: SealedHeader
  ) throws(SecretStoreError) -> (SealedHeader, [UInt8]) {
    let text = content.encoded
    guard text.count + Sodium.tagByteCount <= SealedHeader.contentLimit else {
      throw .wrongSize(byteCount: text.count)
    }
    var header = header
    header.contentNonce = Sodium.random(Sodium.nonceByteCount)
    header.contentByteCount = text.count + Sodium.tagByteCount
    guard
      let sealed = key.seal(text, nonce: header.contentNonce, header: header.bytes[...])
    else { throw .failed(diagnostic: "libsodium does not seal the content") }
    return (header, sealed)
  }

  private func decrypted(_ opened: Opened) throws(SecretStoreError) -> SealedContent {
    guard
      let text = opened.key.open(
        opened.sealed[...],
        nonce: opened.header.contentNonce,
        header: opened.header.bytes[...]
      ), let content = SealedContent(text)
    else { throw .damaged(path: path, .content) }
    return content
  }

  private func takeLock() throws(SecretStoreError) -> HeldLock {
    do throws(FileLockError) {
      let note = "process \(ProcessEnvironment.processNumber)"
      let lock = try FileLock(path: file.lockPath, note: note)
      file.removeLeftOver()
      return HeldLock(lock)
    } catch {
      switch error {
      case .held(let note): throw .busy(path: path, note: note)
      case .failed(let path, let diagnostic):
        throw .notWritable(path: path, diagnostic: diagnostic)
      }
    }
  }

  private func checkedHeader(_ bytes: ArraySlice<UInt8>) throws(SecretStoreError) -> SealedHeader {
    do throws(SealedHeader.Fault) {
      return try SealedHeader(bytes)
    } catch {
      switch error {
      case .notSealed: throw .damaged(path: path, .notSealed)
      case .truncated: throw .damaged(path: path, .truncated)
      case .damaged: throw .damaged(path: path, .header)
      case .newer(let version):
        throw .newerFormat(path: path, found: version, supported: Int(SealedHeader.version))
      }
    }
  }

  private func checkLength(_ header: SealedHeader, _ count: Int) throws(SecretStoreError) {
    let expected = SealedHeader.byteCount + header.contentByteCount
    if count < expected { throw .damaged(path: path, .truncated) }
    if count > expected { throw .damaged(path: path, .extended) }
  }

  private func checkSize(_ bytes: SecretBytes) throws(SecretStoreError) {
    guard (1...SecretLimits.secretByteCount).contains(bytes.count) else {
      throw .wrongSize(byteCount: bytes.count)
    }
  }

  /// A label within its bound, cut between characters.
  private static func cut(_ label: String) -> String {
    var label = label
    while label.utf8.count > SecretLimits.labelByteCount { label.removeLast() }
    return label
  }
}

/// The lock of an open sealed file, given up with its last reference.
private final class HeldLock {
  private let lock: FileLock

  init(_ lock: FileLock) { self.lock = lock }

  deinit { lock.release() }
}

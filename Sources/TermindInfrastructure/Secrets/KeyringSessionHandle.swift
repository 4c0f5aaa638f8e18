internal import CSecret
internal import TermindApplication
internal import TermindDomain

/// The Secret Service of the session's message bus, in the process of the keyring's helper.
///
/// Its calls wait without a limit; whoever started the helper ends the process instead.
@safe
final class KeyringSession {
  private let library: LibSecretHandle
  private let service: UnsafeMutableRawPointer
  private let scope: String

  private var calls: UnsafePointer<tm_secret_library> { unsafe library.calls }

  /// Connects to the service, with an encrypted session for the secrets.
  ///
  /// - Parameters:
  ///   - library: The library.
  ///   - scope: Which store's secrets are meant; other stores of the same keyring are not seen.
  /// - Throws: `noKeyring` when nobody answers.
  init(_ library: LibSecretHandle, scope: String) throws(SecretStoreError) {
    var error: UnsafeMutablePointer<tm_error>?
    // SECRET_SERVICE_OPEN_SESSION.
    guard
      let service = unsafe library.calls.pointee.secret_service_get_sync(1 << 1, nil, &error)
    else {
      throw .noKeyring(diagnostic: unsafe Self.take(&error, library.calls).text)
    }
    self.library = library
    self.scope = scope
    unsafe self.service = service
  }

  deinit { unsafe calls.pointee.g_object_unref(service) }

  // MARK: - The collection

  /// Whether the default collection is locked; nil when there is none yet.
  func isLocked() throws(SecretStoreError) -> Bool? {
    guard let collection = unsafe try defaultCollection() else { return nil }
    defer { unsafe calls.pointee.g_object_unref(collection) }
    return unsafe calls.pointee.secret_collection_get_locked(collection) != 0
  }

  /// Locks or unlocks the default collection; unlocking may ask the person, and so may making one.
  func setLocked(_ isLocked: Bool) throws(SecretStoreError) {
    guard let collection = unsafe try defaultCollection() else {
      return isLocked ? () : try makeCollection()
    }
    defer { unsafe calls.pointee.g_object_unref(collection) }
    let list = unsafe calls.pointee.g_list_prepend(nil, collection)
    defer { unsafe calls.pointee.g_list_free(list) }
    var error: UnsafeMutablePointer<tm_error>?
    let count =
      if isLocked {
        unsafe calls.pointee.secret_service_lock_sync(service, list, nil, nil, &error)
      } else {
        unsafe calls.pointee.secret_service_unlock_sync(service, list, nil, nil, &error)
      }
    guard count < 1 else { return }
    if unsafe error != nil { throw unsafe failure(&error) }
    // Some services count only what they had to ask for.
    guard try self.isLocked() == isLocked else { throw .dismissed }
  }

  private func makeCollection() throws(SecretStoreError) {
    var error: UnsafeMutablePointer<tm_error>?
    let made = unsafe calls.pointee.secret_collection_create_sync(
      service,
      "Login",
      "default",
      0,
      nil,
      &error
    )
    guard let made = unsafe made else { throw unsafe failure(&error) }
    unsafe calls.pointee.g_object_unref(made)
  }

  private func defaultCollection() throws(SecretStoreError) -> UnsafeMutableRawPointer? {
    var error: UnsafeMutablePointer<tm_error>?
    let collection = unsafe calls.pointee.secret_collection_for_alias_sync(
      service,
      "default",
      0,
      nil,
      &error
    )
    if unsafe collection == nil, unsafe error != nil { throw unsafe failure(&error) }
    return unsafe collection
  }

  // MARK: - Secrets

  /// Keeps a secret in the default collection; one of the same identifier is replaced.
  func store(_ id: SecretItemID, _ bytes: SecretBytes, label: String) throws(SecretStoreError) {
    let attributes = unsafe attributes(of: id)
    defer { unsafe calls.pointee.g_hash_table_unref(attributes) }
    let value = unsafe self.value(bytes)
    defer { unsafe calls.pointee.secret_value_unref(value) }
    var error: UnsafeMutablePointer<tm_error>?
    let isStored = unsafe calls.pointee.secret_service_store_sync(
      service,
      library.schema,
      attributes,
      "default",
      label,
      value,
      nil,
      &error
    )
    if isStored == 0 { throw unsafe failure(&error) }
  }

  /// The bytes of a secret.
  func read(_ id: SecretItemID) throws(SecretStoreError) -> SecretBytes {
    // SECRET_SEARCH_LOAD_SECRETS.
    try unsafe withItems(id, flags: 1 << 3) { (item) throws(SecretStoreError) -> SecretBytes in
      guard unsafe calls.pointee.secret_item_get_locked(item) == 0 else { throw .locked }
      guard let value = unsafe calls.pointee.secret_item_get_secret(item) else {
        throw .failed(diagnostic: "the keyring gave no secret")
      }
      defer { unsafe calls.pointee.secret_value_unref(value) }
      var count = 0
      let start = unsafe calls.pointee.secret_value_get(value, &count)
      return unsafe SecretBytes(count: count) { memory in
        unsafe memory.copyMemory(from: UnsafeRawBufferPointer(start: start, count: count))
        return count
      }
    }
  }

  /// Gives a secret that exists other bytes.
  func replace(_ id: SecretItemID, _ bytes: SecretBytes) throws(SecretStoreError) {
    try unsafe withItems(id, flags: 0) { (item) throws(SecretStoreError) in
      let value = unsafe self.value(bytes)
      defer { unsafe calls.pointee.secret_value_unref(value) }
      var error: UnsafeMutablePointer<tm_error>?
      let isSet = unsafe calls.pointee.secret_item_set_secret_sync(
        item,
        value,
        nil,
        &error
      )
      if isSet == 0 { throw unsafe failure(&error) }
    }
  }

  /// Removes a secret; one that is not there is no error.
  func delete(_ id: SecretItemID) throws(SecretStoreError) {
    do throws(SecretStoreError) {
      try unsafe withItems(id, flags: 0) { (item) throws(SecretStoreError) in
        var error: UnsafeMutablePointer<tm_error>?
        let isGone = unsafe calls.pointee.secret_item_delete_sync(item, nil, &error)
        if isGone == 0 { throw unsafe failure(&error) }
      }
    } catch .notFound(_) {}
  }

  /// Every secret of the store.
  func entries() throws(SecretStoreError) -> [SecretEntry] {
    // SECRET_SEARCH_ALL.
    let list = unsafe try search(nil, flags: 1 << 1)
    defer { unsafe free(list) }
    var entries: [SecretEntry] = []
    var next = unsafe list
    while let node = unsafe next {
      unsafe next = node.pointee.next
      guard let item = unsafe node.pointee.data, let id = unsafe identifier(of: item) else {
        continue
      }
      let text = unsafe calls.pointee.secret_item_get_label(item)
      defer { unsafe calls.pointee.g_free(text) }
      let label = unsafe text.map { unsafe String(cString: $0) } ?? ""
      entries.append(SecretEntry(id: id, label: label))
    }
    return entries
  }

  private func identifier(of item: UnsafeMutableRawPointer) -> SecretItemID? {
    guard let table = unsafe calls.pointee.secret_item_get_attributes(item) else { return nil }
    defer { unsafe calls.pointee.g_hash_table_unref(table) }
    guard
      let text = unsafe calls.pointee.g_hash_table_lookup(
        table,
        LibSecretHandle.itemAttribute.utf8Start
      )
    else { return nil }
    let name = unsafe String(cString: text.assumingMemoryBound(to: CChar.self))
    return SecretItemID(text: name)
  }

  /// Gives the item of an identifier to `body`.
  private func withItems<Value>(
    _ id: SecretItemID,
    flags: Int32,
    _ body: (UnsafeMutableRawPointer) throws(SecretStoreError) -> Value
  ) throws(SecretStoreError) -> Value {
    let list = unsafe try search(id, flags: flags)
    defer { unsafe free(list) }
    guard let item = unsafe list?.pointee.data else { throw .notFound(id) }
    return try unsafe body(item)
  }

  private func search(
    _ id: SecretItemID?,
    flags: Int32
  ) throws(SecretStoreError) -> UnsafeMutablePointer<tm_list>? {
    let attributes = unsafe attributes(of: id)
    defer { unsafe calls.pointee.g_hash_table_unref(attributes) }
    var error: UnsafeMutablePointer<tm_error>?
    let list = unsafe calls.pointee.secret_service_search_sync(
      service,
      library.schema,
      attributes,
      flags,
      nil,
      &error
    )
    if unsafe error != nil { throw unsafe failure(&error) }
    return unsafe list
  }

  private func free(_ list: UnsafeMutablePointer<tm_list>?) {
    var next = unsafe list
    while let node = unsafe next {
      unsafe next = node.pointee.next
      unsafe calls.pointee.g_object_unref(node.pointee.data)
    }
    unsafe calls.pointee.g_list_free(list)
  }

  /// The attributes that a search asks for; the table owns copies of all words.
  private func attributes(of id: SecretItemID?) -> UnsafeMutableRawPointer? {
    let table = unsafe tm_secret_new_attributes(calls)
    func set(_ name: StaticString, _ value: String) {
      let key = unsafe UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
      unsafe _ = calls.pointee.g_hash_table_insert(
        table,
        calls.pointee.g_strdup(key),
        calls.pointee.g_strdup(value)
      )
    }
    set(LibSecretHandle.storeAttribute, scope)
    if let id { set(LibSecretHandle.itemAttribute, id.description) }
    return unsafe table
  }

  /// A copy in the library's own wiped memory.
  private func value(_ bytes: SecretBytes) -> UnsafeMutableRawPointer? {
    unsafe bytes.withUnsafeBytes { bytes in
      unsafe calls.pointee.secret_value_new(
        bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
        bytes.count,
        "application/octet-stream"
      )
    }
  }

  // MARK: - Errors

  private func failure(_ error: inout UnsafeMutablePointer<tm_error>?) -> SecretStoreError {
    let isPresent = unsafe error != nil
    let (domain, code, text) = unsafe Self.take(&error, calls)
    // A question that was closed fails without an error.
    guard isPresent else { return .dismissed }
    // SECRET_ERROR_IS_LOCKED; G_IO_ERROR_TIMED_OUT of the bus, which waits 25 seconds by itself.
    if domain == library.secretErrors, code == 2 { return .locked }
    if domain == library.inputOutputErrors, code == 24 { return .timedOut(seconds: 25) }
    return .failed(diagnostic: text)
  }

  private static func take(
    _ error: inout UnsafeMutablePointer<tm_error>?,
    _ calls: UnsafePointer<tm_secret_library>
  ) -> (domain: UInt32, code: Int32, text: String) {
    guard let found = unsafe error else { return (0, 0, "no reason was given") }
    let text = unsafe found.pointee.message.map { unsafe String(cString: $0) } ?? ""
    let result = unsafe (found.pointee.domain, found.pointee.code, text)
    unsafe calls.pointee.g_error_free(found)
    unsafe error = nil
    return result
  }
}

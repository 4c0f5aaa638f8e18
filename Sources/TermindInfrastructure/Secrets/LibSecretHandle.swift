internal import CSecret
internal import TermindApplication

/// libsecret, opened when a keyring is first needed and kept for the life of the process.
///
/// The table of its calls is written once, before anybody sees it.
@safe
final class LibSecretHandle: @unchecked Sendable {  // lint:allow immutable after init
  let calls: UnsafePointer<tm_secret_library>
  /// How secrets of this program are found; the library keeps the address.
  let schema: UnsafePointer<tm_schema>
  let secretErrors: UInt32
  let inputOutputErrors: UInt32

  /// What marks a secret as one of a store, and as one of its own.
  static let storeAttribute: StaticString = "store"
  static let itemAttribute: StaticString = "item"

  private static let opened: Result<LibSecretHandle, SecretStoreError> = open(TM_SECRET_FILE)

  /// The library; the first call opens it, which takes some milliseconds.
  static func load() throws(SecretStoreError) -> LibSecretHandle { try opened.get() }

  /// Opens a library by its file name.
  static func open(_ file: String) -> Result<LibSecretHandle, SecretStoreError> {
    // Both live as long as the process; the library is never closed.
    let calls = UnsafeMutablePointer<tm_secret_library>.allocate(capacity: 1)
    unsafe calls.initialize(to: tm_secret_library())
    if let text = unsafe tm_secret_load(file, calls) {
      let diagnostic = unsafe String(cString: text)
      unsafe calls.deallocate()
      return .failure(.libraryMissing(name: file, diagnostic: diagnostic))
    }
    return .success(unsafe LibSecretHandle(calls))
  }

  private init(_ calls: UnsafeMutablePointer<tm_secret_library>) {
    let schema = UnsafeMutablePointer<tm_schema>.allocate(capacity: 1)
    unsafe schema.initialize(to: tm_schema())
    let name: StaticString = "org.termind.Secret"
    unsafe schema.pointee.name = Self.pointer(to: name)
    unsafe tm_secret_set_attribute(schema, 0, Self.pointer(to: Self.storeAttribute))
    unsafe tm_secret_set_attribute(schema, 1, Self.pointer(to: Self.itemAttribute))
    unsafe self.schema = UnsafePointer(schema)
    unsafe self.calls = UnsafePointer(calls)
    secretErrors = unsafe calls.pointee.secret_error_get_quark()
    inputOutputErrors = unsafe calls.pointee.g_io_error_quark()
  }

  private static func pointer(to name: StaticString) -> UnsafePointer<CChar> {
    unsafe UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
  }
}

/// Ends calls of the library from another thread: at a deadline, or when the task is cancelled.
final class KeyringCancellation: Sendable {
  private struct State {
    var reason: SecretStoreError?
    /// The address of the object that the calls under way watch.
    var object: UInt?
  }

  private let state = Locked(State())

  /// Why the calls are ended; nil while they are not.
  var reason: SecretStoreError? { state.withLock { $0.reason } }

  /// Ends what is under way, and everything after it.
  func cancel(_ reason: SecretStoreError) {
    state.withLock { state in
      if state.reason == nil { state.reason = reason }
      guard let address = state.object,
        let object = unsafe UnsafeMutableRawPointer(bitPattern: address),
        let library = try? LibSecretHandle.load()
      else { return }  // `try?`: without the library there is no object either.
      unsafe library.calls.pointee.g_cancellable_cancel(object)
    }
  }

  /// Runs calls that watch an object of their own.
  func watching<Value>(
    _ library: LibSecretHandle,
    _ body: (UnsafeMutableRawPointer) throws(SecretStoreError) -> Value
  ) throws(SecretStoreError) -> Value {
    if let reason { throw reason }
    guard let object = unsafe library.calls.pointee.g_cancellable_new() else {
      throw .failed(diagnostic: "no cancellable")
    }
    let address = UInt(bitPattern: object)
    let isLate = state.withLock { state in
      state.object = address
      return state.reason != nil
    }
    defer {
      state.withLock { $0.object = nil }
      unsafe library.calls.pointee.g_object_unref(object)
    }
    if isLate, let reason { throw reason }
    return try unsafe body(object)
  }
}

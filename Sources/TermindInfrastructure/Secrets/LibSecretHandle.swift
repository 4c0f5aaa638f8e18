internal import CSecret
internal import TermindApplication

/// libsecret, opened in the keyring's helper and kept for the life of that process.
@safe
final class LibSecretHandle {
  let calls: UnsafePointer<tm_secret_library>
  /// How secrets of this program are found; the library keeps the address.
  let schema: UnsafePointer<tm_schema>
  let secretErrors: UInt32
  let inputOutputErrors: UInt32

  /// What marks a secret as one of a store, and as one of its own.
  static let storeAttribute: StaticString = "store"
  static let itemAttribute: StaticString = "item"

  /// Opens a library by its file name.
  static func open(
    _ file: String = TM_SECRET_FILE
  ) throws(SecretStoreError) -> LibSecretHandle {
    // Both live as long as the process; the library is never closed.
    let calls = UnsafeMutablePointer<tm_secret_library>.allocate(capacity: 1)
    unsafe calls.initialize(to: tm_secret_library())
    if let text = unsafe tm_secret_load(file, calls) {
      let diagnostic = unsafe String(cString: text)
      unsafe calls.deallocate()
      throw .libraryMissing(name: file, diagnostic: diagnostic)
    }
    return unsafe LibSecretHandle(calls)
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

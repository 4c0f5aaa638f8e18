internal import CLinux
internal import Glibc

/// The account of the user that runs this process, as the system's user database has it.
public struct UserAccount: Hashable, Sendable {
  /// The user's number.
  public let user: UInt32
  /// The login name.
  public let name: String
  /// The home directory.
  public let home: String
  /// The login shell; empty when the database has none.
  public let shell: String

  /// Looks the effective user up; `nil` when the database does not know it.
  public static func current() -> UserAccount? {
    var entry = unsafe passwd()
    var found: UnsafeMutablePointer<passwd>? = nil
    var storage = [CChar](repeating: 0, count: 16_384)
    let size = storage.count
    let status = unsafe storage.withUnsafeMutableBufferPointer { buffer -> Int32 in
      guard let start = buffer.baseAddress else { return EINVAL }
      return unsafe getpwuid_r(geteuid(), &entry, start, size, &found)
    }
    guard status == 0, unsafe found != nil else { return nil }
    return withExtendedLifetime(storage) {
      UserAccount(
        user: unsafe entry.pw_uid,
        name: unsafe text(entry.pw_name),
        home: unsafe text(entry.pw_dir),
        shell: unsafe text(entry.pw_shell)
      )
    }
  }

  private static func text(_ pointer: UnsafeMutablePointer<CChar>?) -> String {
    guard let pointer = unsafe pointer else { return "" }
    return unsafe String(cString: pointer)
  }
}

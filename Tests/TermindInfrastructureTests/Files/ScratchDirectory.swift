import FoundationEssentials
import Glibc

/// A directory of one test, removed with it.
final class ScratchDirectory: Sendable {
  let path: String

  init() throws {
    path = "/tmp/termind-test-\(UUID().uuidString.prefix(13).lowercased())"
    try FileManager.default.createDirectory(
      atPath: path,
      withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700]
    )
  }

  func setMode(_ mode: mode_t) { _ = unsafe chmod(path, mode) }

  func mode(of name: String) -> mode_t {
    var status = stat()
    guard unsafe lstat("\(path)/\(name)", &status) == 0 else { return 0 }
    return status.st_mode & 0o777
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

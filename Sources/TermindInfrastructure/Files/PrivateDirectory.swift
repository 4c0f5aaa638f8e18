internal import CLinux
internal import Glibc

/// Why a directory cannot be used.
public enum DirectoryError: Error, Hashable, Sendable {
  /// Nothing is there.
  case absent(path: String)
  /// Something else stands at the path.
  case notDirectory(path: String)
  /// The path is a symbolic link where none is allowed.
  case symbolicLink(path: String)
  /// Another user owns it.
  case foreignOwner(path: String, user: UInt32)
  /// Others may read or write it where only the owner may; the mode is the permission bits.
  case tooOpen(path: String, mode: UInt32)
  /// The system refused; the diagnostic is its text.
  case failed(path: String, diagnostic: String)
}

/// Directories that belong to this user alone.
public enum PrivateDirectory {
  /// How closely a directory is checked.
  public enum Strictness: Sendable {
    /// No symbolic link, no access for others: a socket's directory, where an attacker may be first.
    case exclusive
    /// A link is followed, others may look but not write: what a person keeps in their home.
    case owned
  }

  /// Creates the directory with mode 0700 when it is absent (missing parents too), and checks it.
  public static func ensure(_ path: String, _ strictness: Strictness) throws(DirectoryError) {
    if unsafe mkdir(path, 0o700) != 0 {
      switch errno {
      case EEXIST: break
      case ENOENT:
        try createParents(of: path)
        if unsafe mkdir(path, 0o700) != 0, errno != EEXIST {
          throw .failed(path: path, diagnostic: SystemText.last())
        }
      default:
        let diagnostic = SystemText.last()
        // A parent that may not be written still leads to a directory that is already there.
        guard exists(path) else { throw .failed(path: path, diagnostic: diagnostic) }
      }
    }
    try check(path, strictness)
  }

  /// Checks a directory that must exist, without creating it.
  public static func check(_ path: String, _ strictness: Strictness) throws(DirectoryError) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else {
      if errno == ENOENT { throw .absent(path: path) }
      throw .failed(path: path, diagnostic: SystemText.last())
    }
    if status.st_mode & S_IFMT == S_IFLNK {
      if strictness == .exclusive { throw .symbolicLink(path: path) }
      guard unsafe stat(path, &status) == 0 else {
        throw .failed(path: path, diagnostic: SystemText.last())
      }
    }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw .notDirectory(path: path) }
    guard status.st_uid == geteuid() else {
      throw .foreignOwner(path: path, user: status.st_uid)
    }
    let mode = status.st_mode & 0o777
    let refused: mode_t = strictness == .exclusive ? 0o077 : 0o022
    guard mode & refused == 0 else { throw .tooOpen(path: path, mode: mode) }
  }

  private static func exists(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }

  private static func createParents(of path: String) throws(DirectoryError) {
    var parents: [String] = []
    var rest = Substring(path)
    while let slash = rest.lastIndex(of: "/"), slash != rest.startIndex {
      rest = rest[..<slash]
      if !rest.hasSuffix("/") { parents.append(String(rest)) }
    }
    for parent in parents.reversed() where unsafe mkdir(parent, 0o700) != 0 && !exists(parent) {
      throw .failed(path: parent, diagnostic: SystemText.last())
    }
  }
}

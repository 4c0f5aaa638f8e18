internal import CLinux
internal import Glibc

/// Why a file that is replaced as a whole cannot be used.
public enum WholeFileError: Error, Hashable, Sendable {
  /// What stands at the path may not be read, since another one could have put it there.
  case unsafeFile(path: String, reason: String)
  /// It cannot be read; the diagnostic is the system's.
  case unreadable(path: String, diagnostic: String)
  /// Nothing was written; the file is as before.
  case notWritable(path: String, diagnostic: String)
}

/// A file of this user that is read at once, and replaced whole or not at all.
struct WholeFile {
  /// What tells one state of a file from another.
  struct Identity: Equatable {
    let device: UInt64
    let number: UInt64
    let byteCount: Int
    let seconds: Int
    let nanoseconds: Int

    fileprivate init(_ status: stat) {
      device = UInt64(status.st_dev)
      number = UInt64(status.st_ino)
      byteCount = Int(status.st_size)
      seconds = status.st_mtim.tv_sec
      nanoseconds = status.st_mtim.tv_nsec
    }
  }

  let path: String
  /// Called between the write of a new file and its renaming; tests end the process there.
  var beforeRename: @Sendable () -> Void = {}

  /// Where a new file is written; one that is found here was cut off before it was renamed.
  var temporaryPath: String { path + ".new" }

  /// Reads the whole file, up to a limit of bytes; nil when there is none.
  func read(limit: Int) throws(WholeFileError) -> (bytes: [UInt8], identity: Identity)? {
    let descriptor = unsafe tm_open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      if errno == ELOOP { throw .unsafeFile(path: path, reason: "a symbolic link") }
      throw .unreadable(path: path, diagnostic: SystemText.last())
    }
    let file = OwnedDescriptor(adopting: descriptor)
    var status = stat()
    guard unsafe fstat(file.number, &status) == 0 else {
      throw .unreadable(path: path, diagnostic: SystemText.last())
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw .unsafeFile(path: path, reason: "not a regular file")
    }
    guard status.st_uid == geteuid() else {
      throw .unsafeFile(path: path, reason: "owned by user \(status.st_uid)")
    }
    var bytes = [UInt8](repeating: 0, count: min(Int(status.st_size), limit))
    var used = 0
    while used < bytes.count {
      let count = unsafe bytes[used...].withUnsafeMutableBytes {
        unsafe Glibc.read(file.number, $0.baseAddress, $0.count)
      }
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw .unreadable(path: path, diagnostic: SystemText.last()) }
      if count == 0 { break }
      used += count
    }
    bytes.removeLast(bytes.count - used)
    return (bytes, Identity(status))
  }

  /// What stands at the path now; nil when nothing does.
  func identity() -> Identity? {
    var status = stat()
    return unsafe lstat(path, &status) == 0 ? Identity(status) : nil
  }

  /// Removes the file, if there is one.
  func remove() { unsafe _ = unlink(path) }

  /// Gives the file another name, in the place of what has it; nothing happens when there is none.
  func move(to other: String) { unsafe _ = rename(path, other) }

  /// Removes what an earlier process began to write; the lock must be held.
  func removeLeftOver() { unsafe _ = unlink(temporaryPath) }

  /// Puts bytes in the place of the file: written and synced beside it, then renamed over it.
  ///
  /// - Parameter bytes: The new content.
  /// - Returns: The new file's identity.
  /// - Throws: `notWritable`; the old file is there as before.
  func replace(with bytes: [UInt8]) throws(WholeFileError) -> Identity {
    removeLeftOver()
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    let descriptor = unsafe tm_open(temporaryPath, flags, 0o600)
    guard descriptor >= 0 else { throw refused() }
    let file = OwnedDescriptor(adopting: descriptor)
    var status = stat()
    guard fchmod(file.number, 0o600) == 0, Self.write(bytes, to: file.number),
      fsync(file.number) == 0, unsafe fstat(file.number, &status) == 0
    else {
      let error = refused()
      removeLeftOver()
      throw error
    }
    beforeRename()
    guard unsafe rename(temporaryPath, path) == 0 else {
      let error = refused()
      removeLeftOver()
      throw error
    }
    syncDirectory()
    return Identity(status)
  }

  private func refused() -> WholeFileError {
    .notWritable(path: path, diagnostic: SystemText.last())
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes[written...].withUnsafeBytes {
        unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return false }
      written += count
    }
    return true
  }

  /// Makes the renaming last.
  ///
  /// Some file systems refuse this; both files are whole, so that after a loss of
  /// power one of them is there.
  private func syncDirectory() {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    let descriptor = unsafe tm_open(
      folder.isEmpty ? "/" : folder,
      O_RDONLY | O_DIRECTORY | O_CLOEXEC,
      0
    )
    guard descriptor >= 0 else { return }
    _ = fsync(descriptor)
    _ = close(descriptor)
  }
}

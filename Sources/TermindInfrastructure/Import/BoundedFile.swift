internal import CLinux
internal import Glibc

/// Why a file of this machine cannot be read.
public enum BoundedFileError: Error, Hashable, Sendable {
  /// There is no such file.
  case absent
  /// It is a folder, a pipe or a device.
  case notRegular
  /// It is larger than the limit.
  case tooLarge(byteCount: Int)
  /// Anything else, with the system's text.
  case unreadable(diagnostic: String)
}

/// A whole file that was read with a limit.
public struct BoundedFile: Sendable {
  /// Its bytes.
  public let bytes: [UInt8]
  /// Whether only the person and the superuser may change it.
  public let isPrivate: Bool

  /// Reads a file; blocks.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - limit: The most bytes that are read.
  /// - Returns: The file.
  /// - Throws: Why it cannot be read.
  public static func read(_ path: String, limit: Int) throws(BoundedFileError) -> BoundedFile {
    guard !path.utf8.contains(0) else { throw .absent }
    // O_NONBLOCK keeps a pipe without a writer from blocking; it means nothing for regular files.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw failure() }
    defer { _ = close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw failure() }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
    guard status.st_size <= limit else { throw .tooLarge(byteCount: Int(status.st_size)) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure() }
      guard count > 0 else { break }
      // It may grow while it is read, and files of the kernel have no size.
      guard bytes.count + count <= limit else { throw .tooLarge(byteCount: bytes.count + count) }
      bytes += buffer[..<count]
    }
    return BoundedFile(bytes: bytes, isPrivate: isPrivate(status))
  }

  /// Whether there is a regular file; blocks.
  public static func exists(_ path: String) -> Bool {
    guard !path.utf8.contains(0) else { return false }
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Why there is no regular file at a path; nil when there is one, whether it can be read or not; blocks.
  public static func problem(at path: String) -> BoundedFileError? {
    guard !path.utf8.contains(0) else { return .absent }
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return failure() }
    return status.st_mode & S_IFMT == S_IFREG ? nil : .notRegular
  }

  /// Whether there is a pipe, which can be read only once and only by a process that has it; blocks.
  public static func isPipe(_ path: String) -> Bool {
    guard !path.utf8.contains(0) else { return false }
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }

  private static func isPrivate(_ status: stat) -> Bool {
    guard status.st_uid == 0 || status.st_uid == getuid() else { return false }
    if status.st_mode & S_IWOTH != 0 { return false }
    // Many systems give each person a group of their own, which may write without harm.
    return status.st_mode & S_IWGRP == 0 || status.st_gid == getgid()
  }

  private static func failure() -> BoundedFileError {
    let code = errno
    switch code {
    case ENOENT, ENOTDIR: return .absent
    default: return .unreadable(diagnostic: SystemText.text(of: code))
    }
  }
}

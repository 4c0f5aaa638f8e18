import Glibc

/// A small disk in memory over a folder; only root has one.
public final class SmallDisk: Sendable {
  /// What it lies over.
  public let folder: TemporaryFolder
  /// Where its root is.
  public let path: String

  /// Mounts one over a folder of its own.
  ///
  /// - Parameter options: What `mount` is told, such as `size=1m`.
  /// - Throws: A `TestFailure` when it cannot be mounted.
  public convenience init(_ options: String) async throws {
    let folder = try TemporaryFolder()
    try await self.init(options, over: folder.path, in: folder)
  }

  /// Mounts one over a directory of a folder.
  ///
  /// - Parameters:
  ///   - options: What `mount` is told.
  ///   - path: The directory.
  ///   - folder: What is kept for as long as the disk.
  /// - Throws: A `TestFailure` when it cannot be mounted.
  public init(_ options: String, over path: String, in folder: TemporaryFolder) async throws {
    self.folder = folder
    self.path = path
    try await TestProgram.run("/bin/mount", ["-t", "tmpfs", "-o", options, "tmpfs", path])
  }

  /// Changes what it was mounted with, such as to `ro`.
  public func remount(_ options: String) async throws {
    try await TestProgram.run("/bin/mount", ["-o", "remount,\(options)", path])
  }

  /// Fills it, and gives the path of the file that does.
  public func fill() throws -> String { try Self.fill(path) }

  static func fill(_ path: String) throws -> String {
    let filler = "\(path)/filler"
    let descriptor = open(filler, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw TestFailure("open \(filler): \(errno)") }
    defer { close(descriptor) }
    let page = [UInt8](repeating: 1, count: 4096)
    // What was set aside for what is written later becomes free once all of it is written: to the last byte then.
    for count in [page.count, page.count, 1] {
      while write(descriptor, page, count) > 0 {}
      guard errno == ENOSPC else { break }
      fsync(descriptor)
      errno = ENOSPC
    }
    guard errno == ENOSPC else { throw TestFailure("write \(filler): \(errno)") }
    return filler
  }

  deinit { umount2(path, ReadOnlyMount.detach) }

  /// Whether this process may mount one.
  public static let isPossible: Bool = {
    guard getuid() == 0, let probe = try? TemporaryFolder() else { return false }
    guard mount("tmpfs", probe.path, "tmpfs", 0, "size=64k") == 0 else { return false }
    umount2(probe.path, ReadOnlyMount.detach)
    return true
  }()
}

/// A file or a folder that nobody can write, root neither, for as long as this lives.
public final class ReadOnlyMount: Sendable {
  /// `MNT_DETACH`: also while something is still open.
  static let detach: Int32 = 2

  private let path: String

  /// Mounts a file or a folder over itself.
  ///
  /// - Parameter path: The file or folder.
  /// - Throws: A `TestFailure` when that is not allowed.
  public init(_ path: String) async throws {
    self.path = path
    try await TestProgram.run("/bin/mount", ["--bind", path, path])
    try await TestProgram.run("/bin/mount", ["-o", "remount,bind,ro", path])
  }

  deinit { umount2(path, Self.detach) }
}

import Glibc

/// A small disk in memory, over a folder; only root has one.
public final class SmallDisk: Sendable {
  /// `MNT_DETACH`: also while something is still open.
  private static let detach: Int32 = 2

  /// Where it is.
  public let folder: TemporaryFolder

  /// Makes one with options of tmpfs, such as `size=64k`.
  public init(_ options: String) async throws {
    folder = try TemporaryFolder()
    try await TestProgram.run(
      "/bin/mount",
      ["-t", "tmpfs", "-o", options, "tmpfs", folder.path]
    )
  }

  /// Gives it other options.
  public func remount(_ options: String) async throws {
    try await TestProgram.run("/bin/mount", ["-o", "remount,\(options)", folder.path])
  }

  deinit { umount2(folder.path, Self.detach) }

  /// Whether this process may mount one, in words for those who wonder about a test that was passed over.
  public static let isPossible: Bool = {
    guard getuid() == 0, let probe = try? TemporaryFolder() else { return false }
    guard mount("tmpfs", probe.path, "tmpfs", 0, "size=64k") == 0 else { return false }
    umount2(probe.path, SmallDisk.detach)
    return true
  }()
}

import Glibc

/// A file system in a file, through a loop device, over a directory; only root has one, and not in every container.
public final class LoopDisk: Sendable {
  /// What it is formatted as.
  public enum Kind: String, Sendable {
    case ext4
    /// Has quotas of its own.
    case btrfs
  }

  /// Where its root is.
  public let path: String
  private let folder: TemporaryFolder

  /// Makes and mounts one.
  ///
  /// - Parameters:
  ///   - kind: What it is formatted as.
  ///   - path: The directory that it covers.
  /// - Throws: A `TestFailure` when it cannot be made or mounted.
  public init(_ kind: Kind, over path: String) async throws {
    self.path = path
    folder = try TemporaryFolder()
    let image = try folder.write("image", "")
    // The image is as large as its kind needs at least; its empty part takes no room.
    guard truncate(image, kind == .ext4 ? 16_777_216 : 125_829_120) == 0 else {
      throw TestFailure("truncate: \(errno)")
    }
    try await TestProgram.run("/sbin/mkfs.\(kind.rawValue)", ["-q", image])
    try await TestProgram.run("/bin/mount", ["-o", "loop", image, path])
    rmdir("\(path)/lost+found")
  }

  /// Lets it hold no more than so many bytes, which only btrfs does; nil takes that away.
  public func setQuota(_ bytes: Int?) async throws {
    try await TestProgram.run("/bin/btrfs", ["quota", "enable", path])
    try await TestProgram.run(
      "/bin/btrfs",
      ["qgroup", "limit", bytes.map { String($0) } ?? "none", path]
    )
  }

  /// Lets it go read-only at once, as ext4 does with a disk in trouble, also while something is written.
  public func abort() async throws {
    try await TestProgram.run("/bin/mount", ["-o", "remount,abort", path])
  }

  /// Fills it, and gives the path of the file that does.
  public func fill() throws -> String { try SmallDisk.fill(path) }

  deinit { umount2(path, ReadOnlyMount.detach) }

  /// Whether this process may have one, and its programs are there.
  public static func isPossible(_ kind: Kind) async -> Bool {
    guard getuid() == 0, access("/sbin/mkfs.\(kind.rawValue)", X_OK) == 0 else { return false }
    // Whatever stands in the way, there is none.
    guard let probe = try? TemporaryFolder(),
      let disk = try? await LoopDisk(kind, over: probe.path)
    else { return false }
    withExtendedLifetime(disk) {}
    return true
  }
}

internal import CLinux
internal import Glibc
public import TermindApplication
public import TermindDomain

extension LocalFileSystem {
  /// Opens a regular file; pipes and devices are refused as `unsupported`.
  public func open(_ path: RemotePath, _ mode: FileOpenMode) async throws(FileError)
    -> any OpenFile
  {
    let descriptor = try await call(path) { LocalFile.open($0, mode) }
    return LocalFile(path, descriptor, workers)
  }

  /// Reads a whole small file.
  public func readSmallFile(_ path: RemotePath, limit: Int) async throws(FileError) -> SmallFile {
    try await call(path) { Self.read($0, limit) }
  }

  /// Reads small files, one after the other on one of the threads.
  public func readSmallFiles(
    _ paths: [RemotePath],
    limit: Int
  ) async -> [Result<SmallFile, FileError>] {
    await calls(paths) { text, _ in Self.read(text, limit) }
  }

  private static func read(_ text: [CChar], _ limit: Int) -> SmallFile? {
    guard let descriptor = LocalFile.open(text, .read),
      let before = LocalFile.attributes(descriptor.number),
      let bytes = LocalFile.read(descriptor.number, at: 0, count: limit + 1),
      let after = LocalFile.attributes(descriptor.number)
    else { return nil }
    return SmallFile(
      bytes: bytes.prefix(limit),
      isCut: bytes.count > limit,
      before: before,
      after: after
    )
  }

  /// Writes a small new file.
  public func writeSmallFile(
    _ path: RemotePath,
    _ contents: SmallFileContents
  ) async throws(FileError) -> SmallFileResult {
    try await call(path) { Self.write($0, path, contents) }
  }

  /// Writes small new files, one after the other, on one of the threads or several.
  public func writeSmallFiles(
    _ files: [NewSmallFile]
  ) async -> [Result<SmallFileResult, FileError>] {
    // Waits for the disk are spread over the threads.
    let parts = files.contains(where: \.contents.syncs) ? 4 : 1
    return await calls(files.map(\.path), parts: parts) { text, index in
      Self.write(text, files[index].path, files[index].contents)
    }
  }

  private static func write(
    _ text: [CChar],
    _ path: RemotePath,
    _ contents: SmallFileContents
  ) -> SmallFileResult? {
    guard let descriptor = LocalFile.open(text, .create(permissions: 0o600)),
      LocalFile.write(descriptor.number, at: 0, contents.bytes)
    else { return nil }
    var result = SmallFileResult(size: nil)
    let change = FileAttributeChange(permissions: contents.permissions, times: contents.times)
    if !LocalFile.change(descriptor.number, change) {
      result.attributeProblem = LocalFileStatus.lastError(path)
    }
    if contents.syncs, fsync(descriptor.number) != 0 {
      result.syncProblem = LocalFileStatus.lastError(path)
    }
    result.size = LocalFile.attributes(descriptor.number)?.size
    let copy = tm_duplicate(descriptor.number)
    guard copy < 0 || Glibc.close(copy) == 0 else { return nil }
    return result
  }

  /// Copies between two open files inside the kernel.
  public func copyData(
    from source: any OpenFile,
    to target: any OpenFile,
    offset: UInt64,
    length: UInt64
  ) async throws(FileError) {
    guard let source = source as? LocalFile, let target = target as? LocalFile,
      let from = source.openDescriptor
    else { throw FileError(.unsupported, path: target.path) }
    var done: UInt64 = 0
    while length == 0 || done < length {
      let start = offset + done
      // One step at a time, so that a cancelled task ends soon.
      let wanted = Int(min(16_777_216, length == 0 ? 16_777_216 : length - done))
      let count: Int = try await target.call { number in
        let count = tm_copy_range(from.number, number, Int(clamping: start), wanted)
        if count < 0, errno == EXDEV || errno == EINVAL { errno = ENOSYS }
        return count < 0 ? nil : count
      }
      if count == 0 { return }
      done += UInt64(count)
    }
  }
}

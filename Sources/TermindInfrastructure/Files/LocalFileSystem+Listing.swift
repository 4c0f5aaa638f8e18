internal import CLinux
internal import Glibc
public import TermindDomain

extension LocalFileSystem {
  /// How many entries are looked at in one go.
  private static let step = 512

  /// Lists a directory; see `RemoteFileSystem`.
  ///
  /// The names are read first, which takes a fraction of the time; attributes follow in steps, each given at once.
  public func list(
    _ directory: RemotePath,
    _ receive: @escaping @Sendable (FileListingBatch) async -> Void
  ) async throws(FileError) {
    let (descriptor, names) = try await call(directory) { LocalDirectory.open($0) }
    var rest = names[...]
    while !rest.isEmpty {
      guard !Task.isCancelled else { throw FileError(.cancelled, path: directory) }
      let part = LocalDirectory.take(Self.step, of: &rest)
      let batch = await workers.run { LocalDirectory.entries(part, in: descriptor) }
      if !batch.isEmpty { await receive(batch) }
    }
    guard !Task.isCancelled else { throw FileError(.cancelled, path: directory) }
  }
}

/// One directory that is read.
enum LocalDirectory {
  /// Opens a directory and reads its names, each with a zero behind it; nil with `errno` set.
  static func open(_ path: [CChar]) -> (OwnedDescriptor, [UInt8])? {
    let number = unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { return nil }
    let descriptor = OwnedDescriptor(adopting: number)
    guard let names = readNames(number) else { return nil }
    return (descriptor, names)
  }

  /// The names in a directory that is open, all in one place since there can be very many; nil with `errno` set.
  private static func readNames(_ number: Int32) -> [UInt8]? {
    // The stream closes its descriptor; the names are looked at through ours.
    let copy = unsafe openat(number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0 else { return nil }
    guard let stream = unsafe fdopendir(copy) else {
      let code = errno
      _ = close(copy)
      errno = code
      return nil
    }
    defer { unsafe closedir(stream) }
    var names: [UInt8] = []
    errno = 0
    while let entry = unsafe readdir(stream) {
      guard let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) else { break }
      let start = unsafe UnsafeRawPointer(entry) + offset
      let length = unsafe strlen(start.assumingMemoryBound(to: CChar.self))
      let name = unsafe UnsafeRawBufferPointer(start: start, count: length)
      if unsafe name.elementsEqual([0x2E]) || name.elementsEqual([0x2E, 0x2E]) { continue }
      unsafe names.append(contentsOf: name)
      names.append(0)
    }
    return errno == 0 ? names : nil
  }

  /// Takes the first names away.
  static func take(_ count: Int, of names: inout ArraySlice<UInt8>) -> [[UInt8]] {
    var part: [[UInt8]] = []
    part.reserveCapacity(count)
    while part.count < count, let end = names.firstIndex(of: 0) {
      part.append(Array(names[..<end]))
      names = names[(end + 1)...]
    }
    return part
  }

  static func entries(
    _ names: [[UInt8]],
    in directory: OwnedDescriptor
  ) -> FileListingBatch {
    var batch = FileListingBatch()
    batch.entries.reserveCapacity(names.count)
    for bytes in names {
      // The system lists no other names than files can have.
      guard let name = try? FileName(bytes) else { continue }
      var status = stat()
      let text = LocalPath.text(bytes)
      let code = unsafe fstatat(directory.number, text, &status, AT_SYMLINK_NOFOLLOW)
      // Removed since it was read: it is no entry any more.
      if code != 0, errno == ENOENT { continue }
      let attributes = code == 0 ? LocalFileStatus.attributes(status) : FileAttributes()
      batch.entries.append(FileEntry(name: name, attributes: attributes))
    }
    return batch
  }
}

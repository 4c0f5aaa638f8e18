internal import CLinux
internal import Glibc
internal import TermindApplication
internal import TermindDomain

/// One open file of this machine.
final class LocalFile: OpenFile {
  let path: RemotePath
  private let workers: BlockingWorkers
  private let descriptor: Locked<OwnedDescriptor?>

  init(_ path: RemotePath, _ descriptor: OwnedDescriptor, _ workers: BlockingWorkers) {
    self.path = path
    self.workers = workers
    self.descriptor = Locked(descriptor)
  }

  /// Opens a regular file; nil with `errno` set.
  static func open(_ path: [CChar], _ mode: FileOpenMode) -> OwnedDescriptor? {
    // O_NONBLOCK keeps a pipe without a writer from blocking; it means nothing for regular files.
    var flags = O_CLOEXEC | O_NOCTTY | O_NONBLOCK
    var permissions: mode_t = 0o666
    switch mode {
    case .read: flags |= O_RDONLY
    case .create(let wanted):
      flags |= O_RDWR | O_CREAT | O_EXCL
      permissions = wanted.map { $0 & 0o7777 } ?? permissions
    case .overwrite(let wanted):
      flags |= O_WRONLY | O_CREAT | O_TRUNC
      permissions = wanted.map { $0 & 0o7777 } ?? permissions
    // Another one could have put a link in the place of what was begun.
    case .update: flags |= O_RDWR | O_NOFOLLOW
    }
    let number = unsafe tm_open(path, flags, permissions)
    guard number >= 0 else { return nil }
    let descriptor = OwnedDescriptor(adopting: number)
    var status = stat()
    guard unsafe fstat(number, &status) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return descriptor
    case S_IFDIR: errno = EISDIR
    default: errno = EOPNOTSUPP
    }
    return nil
  }

  /// Runs a call on the descriptor that tells its failure through `errno`.
  func call<Value: Sendable>(
    _ body: @escaping @Sendable (Int32) -> Value?
  ) async throws(FileError) -> Value {
    guard !Task.isCancelled else { throw FileError(.cancelled, path: path) }
    guard let descriptor = descriptor.withLock({ $0 }) else {
      throw FileError(.failed, path: path, text: "closed")
    }
    let path = path
    let result: Result<Value, FileError> = await workers.run {
      guard let value = body(descriptor.number) else {
        return .failure(LocalFileStatus.lastError(path))
      }
      return .success(value)
    }
    return try result.get()
  }

  /// The number of the open file, for a copy inside the kernel.
  var openDescriptor: OwnedDescriptor? { descriptor.withLock { $0 } }

  func attributes() async throws(FileError) -> FileAttributes {
    try await call { Self.attributes($0) }
  }

  static func attributes(_ number: Int32) -> FileAttributes? {
    var status = stat()
    return unsafe fstat(number, &status) == 0 ? LocalFileStatus.attributes(status) : nil
  }

  func change(_ change: FileAttributeChange) async throws(FileError) {
    try await call { Self.change($0, change) ? () : nil }
  }

  static func change(_ number: Int32, _ change: FileAttributeChange) -> Bool {
    if let size = change.size, ftruncate(number, Int(clamping: size)) != 0 { return false }
    if let owner = change.owner, fchown(number, owner.userID, owner.groupID) != 0 { return false }
    if let permissions = change.permissions, fchmod(number, permissions & 0o7777) != 0 {
      return false
    }
    guard let times = change.times else { return true }
    return unsafe futimens(number, LocalFileStatus.timespecs(times)) == 0
  }

  func read(at offset: UInt64, count: Int) async throws(FileError) -> ArraySlice<UInt8> {
    try await call { Self.read($0, at: offset, count: count) }
  }

  static func read(_ number: Int32, at offset: UInt64, count: Int) -> ArraySlice<UInt8>? {
    var failed = false
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let got = unsafe pread(
          number,
          buffer.baseAddress?.advanced(by: filled),
          count - filled,
          Int(clamping: offset) + filled
        )
        if got < 0, errno == EINTR { continue }
        if got < 0, filled == 0 { failed = true }
        guard got > 0 else { break }
        filled += got
      }
    }
    return failed ? nil : bytes[...]
  }

  static func write(_ number: Int32, at offset: UInt64, _ bytes: ArraySlice<UInt8>) -> Bool {
    unsafe bytes.withUnsafeBytes { buffer in
      var written = 0
      while written < buffer.count {
        let count = unsafe pwrite(
          number,
          buffer.baseAddress?.advanced(by: written),
          buffer.count - written,
          Int(clamping: offset) + written
        )
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        written += count
      }
      return true
    }
  }

  func reader(from offset: UInt64, to end: UInt64?) -> any FileReading {
    LocalReader(self, from: offset, to: end)
  }

  func writer(at offset: UInt64) -> any FileWriting { LocalWriter(self, at: offset) }

  func sync() async throws(FileError) { try await call { fsync($0) == 0 ? () : nil } }

  func close() async throws(FileError) {
    guard let held = descriptor.withLock({ $0.take() }) else { return }
    let path = path
    let failure: FileError? = await workers.run {
      // Closing a copy tells what closing tells; the descriptor itself goes with its last user.
      let copy = tm_duplicate(held.number)
      return copy >= 0 && Glibc.close(copy) != 0 ? LocalFileStatus.lastError(path) : nil
    }
    if let failure { throw failure }
  }

  /// Nothing was written: what closing could tell is of no use.
  func discard() async { _ = descriptor.withLock { $0.take() } }
}

/// Reads one file of this machine on and on.
final class LocalReader: FileReading {
  /// How much is read in one go.
  private static let step = 262_144
  private let file: LocalFile
  private let end: UInt64
  private let offset: Locked<UInt64>

  init(_ file: LocalFile, from offset: UInt64, to end: UInt64?) {
    self.file = file
    self.end = end ?? .max
    self.offset = Locked(offset)
  }

  func next() async throws(FileError) -> ArraySlice<UInt8>? {
    let start = offset.withLock { $0 }
    guard start < end else { return nil }
    let count = Int(min(UInt64(Self.step), end - start))
    let bytes = try await file.read(at: start, count: count)
    guard !bytes.isEmpty else { return nil }
    offset.withLock { $0 = start + UInt64(bytes.count) }
    return bytes
  }

  func stop() async {}
}

/// Writes one file of this machine on and on.
final class LocalWriter: FileWriting {
  private let file: LocalFile
  private let offset: Locked<UInt64>

  init(_ file: LocalFile, at offset: UInt64) {
    self.file = file
    self.offset = Locked(offset)
  }

  func write(_ bytes: ArraySlice<UInt8>) async throws(FileError) {
    let start = offset.withLock { offset in
      defer { offset += UInt64(bytes.count) }
      return offset
    }
    try await file.call { LocalFile.write($0, at: start, bytes) ? () : nil }
  }

  func finish() async throws(FileError) {}

  /// Every write is done when its call returns.
  func stop() async {}
}

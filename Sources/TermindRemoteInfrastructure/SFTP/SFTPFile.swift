internal import TermindApplication
internal import TermindDomain
internal import TermindInfrastructure

/// One open file of a server.
final class SFTPFile: OpenFile {
  let path: RemotePath
  let handle: [UInt8]
  let fileSystem: SFTPFileSystem
  private var connection: SFTPConnection { fileSystem.connection }

  init(_ path: RemotePath, handle: [UInt8], in fileSystem: SFTPFileSystem) {
    self.path = path
    self.handle = handle
    self.fileSystem = fileSystem
  }

  func attributes() async throws(FileError) -> FileAttributes {
    guard case .attributes(let attributes) = try await fileSystem.ask(.handleStatus(handle), path)
    else { throw await fileSystem.broken("no attributes in the answer to fstat") }
    return attributes
  }

  func change(_ change: FileAttributeChange) async throws(FileError) {
    if let times = change.times, SFTPAttributes.wireTimes(times) == nil {
      throw FileError(.unsupported, path: path, text: "a time before 1970 or after 2106")
    }
    try await fileSystem.perform(.setHandleStatus(handle, change), path)
  }

  func read(at offset: UInt64, count: Int) async throws(FileError) -> ArraySlice<UInt8> {
    let length = max(1, min(count, await connection.limits.readLength))
    do throws(FileError) {
      switch try await connection.ask(.read(handle, at: offset, count: length)) {
      case .data(let bytes) where !bytes.isEmpty && bytes.count <= length: return bytes
      case .status(SFTPStatus.endOfFile, _): return []
      case .status(let code, let text): throw SFTPStatus.error(code: code, text: text)
      default: throw await fileSystem.broken("no data in the answer to a read")
      }
    } catch { throw error.about(path) }
  }

  func reader(from offset: UInt64, to end: UInt64?) -> any FileReading {
    SFTPReader(self, from: offset, to: end)
  }

  func writer(at offset: UInt64) -> any FileWriting { SFTPWriter(self, at: offset) }

  func sync() async throws(FileError) {
    guard fileSystem.abilities.contains(.sync) else { throw FileError(.unsupported, path: path) }
    try await fileSystem.perform(.sync(handle), path)
  }

  func close() async throws(FileError) {
    do throws(FileError) {
      try await connection.close(handle)
    } catch { throw await fileSystem.explained(error, path) }
  }
}

/// Reads one file of a server on and on.
final class SFTPReader: FileReading {
  private let file: SFTPFile
  private let start: SFTPStreamStart
  private let isOver = Locked(false)

  init(_ file: SFTPFile, from offset: UInt64, to end: UInt64?) {
    self.file = file
    start = SFTPStreamStart(
      number: SFTPStreamNumber.make(),
      handle: file.handle,
      offset: offset,
      end: end
    )
  }

  func next() async throws(FileError) -> ArraySlice<UInt8>? {
    guard !isOver.withLock({ $0 }) else { return nil }
    do throws(FileError) {
      if let bytes = try await file.fileSystem.connection.next(start) { return bytes }
    } catch {
      await stop()
      throw error.about(file.path)
    }
    await stop()
    return nil
  }

  func stop() async {
    isOver.withLock { $0 = true }
    await file.fileSystem.connection.stopReading(start.number)
  }
}

/// Writes one file of a server on and on.
final class SFTPWriter: FileWriting {
  private let file: SFTPFile
  private let start: SFTPStreamStart

  init(_ file: SFTPFile, at offset: UInt64) {
    self.file = file
    start = SFTPStreamStart(
      number: SFTPStreamNumber.make(),
      handle: file.handle,
      offset: offset,
      end: nil
    )
  }

  func write(_ bytes: ArraySlice<UInt8>) async throws(FileError) {
    do throws(FileError) {
      try await file.fileSystem.connection.write(bytes, start)
    } catch { throw await failed(error) }
  }

  func finish() async throws(FileError) {
    do throws(FileError) {
      try await file.fileSystem.connection.finishWriting(start)
    } catch { throw await failed(error) }
  }

  private func failed(_ error: FileError) async -> FileError {
    await file.fileSystem.connection.stopWriting(start.number)
    return await file.fileSystem.explained(error, file.path)
  }
}

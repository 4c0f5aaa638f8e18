internal import TermindApplication
internal import TermindDomain
internal import TermindInfrastructure

/// One open file of a server.
final class SFTPFile: OpenFile {
  private struct Lanes {
    var open: [SFTPWriteLane] = []
    var opening: Task<Void, Never>?
    var isClosed = false
  }

  let path: RemotePath
  let handle: [UInt8]
  let fileSystem: SFTPFileSystem
  /// Where else it is open for writing.
  private let lanes = Locked(Lanes())
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
    guard let taken = takeLanes() else { return }
    taken.opening?.cancel()
    do throws(FileError) {
      async let others: Void = Self.close(taken.open)
      try await connection.close(handle)
      await others
    } catch { throw await fileSystem.explained(error, path) }
  }

  /// Closes lanes beside each other: what was written over them was acknowledged.
  private static func close(_ lanes: [SFTPWriteLane]) async {
    await withDiscardingTaskGroup { group in
      for lane in lanes { group.addTask { try? await lane.connection.close(lane.handle) } }
    }
  }

  func discard() async {
    if takeLanes() != nil { await connection.release(handle) }
  }

  /// What is to be closed with the file; nil the second time: its handle may be another file's by now.
  private func takeLanes() -> Lanes? {
    lanes.withLock { lanes in
      guard !lanes.isClosed else { return nil }
      defer { lanes.isClosed = true }
      return lanes
    }
  }

  /// Opens the file over the siblings of its conversation too, where there are some.
  ///
  /// - Parameter take: Told of the lanes that were opened, unless the file was closed meanwhile.
  func openLanes(_ take: @escaping @Sendable ([SFTPWriteLane]) -> Void) {
    lanes.withLock { lanes in
      guard !lanes.isClosed, lanes.opening == nil, let siblings = fileSystem.siblings else {
        return
      }
      lanes.opening = Task { await open(over: siblings, take) }
    }
  }

  private func open(
    over siblings: SFTPSiblings,
    _ take: @Sendable ([SFTPWriteLane]) -> Void
  ) async {
    var made: [SFTPWriteLane] = []
    for connection in await siblings.connections() {
      // Where it cannot be opened once more, it is written over what there is.
      guard let handle = try? await connection.open(.open(path, [.read, .write])) else { break }
      made.append(SFTPWriteLane(connection, handle))
    }
    let isClosed = lanes.withLock { lanes in
      if !lanes.isClosed { lanes.open = made }
      return lanes.isClosed
    }
    guard !isClosed else {
      for lane in made { await lane.connection.release(lane.handle) }
      return
    }
    take(made)
  }
}

/// Reads one file of a server on and on.
///
/// The connection lives on the loop that decrypts, whose turn has to be waited for: all that came is fetched in one
/// go, and given out piece by piece here.
final class SFTPReader: FileReading {
  private struct State {
    /// What was fetched, and how much of it was given out.
    var pieces: [ArraySlice<UInt8>] = []
    var given = 0
    var isOver = false

    mutating func take() -> ArraySlice<UInt8>? {
      guard given < pieces.count else { return nil }
      defer { given += 1 }
      // Gives the memory back once the piece was used.
      return exchange(&pieces[given], with: [])
    }
  }

  private let file: SFTPFile
  private let start: SFTPStreamStart
  private let state = Locked(State())

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
    let (fetched, isOver) = state.withLock { ($0.take(), $0.isOver) }
    if let fetched { return fetched }
    guard !isOver else { return nil }
    do throws(FileError) {
      let pieces = try await file.fileSystem.connection.next(start)
      let first = state.withLock { state in
        state.pieces = pieces
        state.given = 0
        return state.take()
      }
      if let first { return first }
    } catch {
      await stop()
      throw error.about(file.path)
    }
    await stop()
    return nil
  }

  func stop() async {
    state.withLock { state in
      state.pieces = []
      state.isOver = true
    }
    await file.fileSystem.connection.stopReading(start.number)
  }
}

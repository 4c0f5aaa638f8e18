internal import Synchronization
internal import TermindDomain

/// Numbers streams of all connections.
enum SFTPStreamNumber {
  private static let last = Atomic<UInt64>(0)

  static func make() -> UInt64 { last.wrappingAdd(1, ordering: .relaxed).newValue }
}

/// A file that is read or written on and on, as the connection knows it.
struct SFTPStreamStart: Sendable {
  let number: UInt64
  let handle: [UInt8]
  let offset: UInt64
  let end: UInt64?
}

extension SFTPConnection {
  // MARK: Handles

  /// Opens a file or directory, once the server has room for one more.
  func open(_ request: SFTPRequest) async throws(FileError) -> [UInt8] {
    if let failure { throw failure }
    if !handles.take() { try await waitForHandle() }
    switch await ask([request]).first {
    case .success(.handle(let handle)): return Array(handle)
    case .success(.status(let code, let text)): throw SFTPStatus.error(code: code, text: text)
    case .failure(let error): throw error
    default: throw broken("no handle in the answer to an open")
    }
  }

  private func waitForHandle() async throws(FileError) {
    let number = handles.makeNumber()
    let error = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        handles.wait(number, continuation)
        if Task.isCancelled { handles.cancel(number) }
      }
    } onCancel: {
      Task { await self.cancelHandleWait(number) }
    }
    if let error { throw error }
  }

  private func cancelHandleWait(_ number: UInt64) { handles.cancel(number) }

  /// Closes a file and waits for the server's word.
  func close(_ handle: [UInt8]) async throws(FileError) {
    if let failure { throw failure }
    handles.give()
    try Self.check(try await ask(.close(handle)))
  }

  /// Ends the conversation because of an answer that cannot be.
  func broken(_ text: String) -> FileError {
    let error = FileError(.protocolBroken(text))
    fail(error)
    return error
  }

  /// Throws unless the answer is a good status.
  static func check(_ reply: SFTPReply) throws(FileError) {
    switch reply {
    case .status(SFTPStatus.ok, _): return
    case .status(let code, let text): throw SFTPStatus.error(code: code, text: text)
    default: throw FileError(.protocolBroken("no status in an answer"))
    }
  }

  // MARK: Reading

  /// Waits for the next bytes of a file that is read on and on.
  ///
  /// - Returns: The pieces that have come, in order; none at the end.
  func next(_ start: SFTPStreamStart) async throws(FileError) -> [ArraySlice<UInt8>] {
    if let failure { throw failure }
    let stream: SFTPReadStream
    if let known = readers[start.number] {
      stream = known
    } else {
      stream = SFTPReadStream(handle: start.handle, from: start.offset, to: start.end)
      readers[start.number] = stream
    }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        stream.wait(continuation)
        if Task.isCancelled { return stream.fail(FileError(.cancelled)) }
        stream.pump(self)
        stream.give(self)
      }
    } onCancel: {
      Task { await self.stopReading(start.number) }
    }
    return try result.get()
  }

  func stopReading(_ number: UInt64) {
    readers.removeValue(forKey: number)?.fail(FileError(.cancelled))
  }

  // MARK: Writing

  /// Sends bytes of a file, once there is room.
  func write(
    _ bytes: ArraySlice<UInt8>,
    at offset: UInt64,
    _ number: UInt64,
    _ handle: [UInt8]
  ) async throws(FileError) {
    if let failure { throw failure }
    let stream = writer(number, handle)
    let length = min(limits.writeLength, SFTPWriteStream.mostLength)
    var rest = bytes
    var offset = offset
    while !rest.isEmpty {
      if stream.failure != nil || !stream.hasRoom(self) {
        try await wait(for: stream, number, isFinishing: false)
      }
      let piece = rest.prefix(length)
      rest = rest.dropFirst(piece.count)
      stream.send(piece, at: offset, self)
      offset += UInt64(piece.count)
    }
  }

  func finishWriting(_ number: UInt64, _ handle: [UInt8]) async throws(FileError) {
    if let failure { throw failure }
    let stream = writer(number, handle)
    defer { writers[number] = nil }
    if !stream.isIdle { try await wait(for: stream, number, isFinishing: true) }
    if let failure = stream.failure { throw failure }
  }

  func stopWriting(_ number: UInt64) {
    writers.removeValue(forKey: number)?.fail(FileError(.cancelled))
  }

  private func writer(_ number: UInt64, _ handle: [UInt8]) -> SFTPWriteStream {
    if let known = writers[number] { return known }
    let stream = SFTPWriteStream(handle: handle)
    writers[number] = stream
    return stream
  }

  private func wait(
    for stream: SFTPWriteStream,
    _ number: UInt64,
    isFinishing: Bool
  ) async throws(FileError) {
    let error = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        stream.wait(continuation, isFinishing: isFinishing)
        if Task.isCancelled { return stream.fail(FileError(.cancelled)) }
        stream.wake(self)
      }
    } onCancel: {
      Task { await self.stopWriting(number) }
    }
    if let error { throw error }
  }

  // MARK: Listing

  func openListing(_ path: RemotePath, _ number: UInt64) async throws(FileError) {
    let handle = try await open(SFTPRequest(.openDirectory) { $0.add(path) })
    guard !Task.isCancelled else {
      release(handle)
      throw FileError(.cancelled)
    }
    let run = SFTPListingRun(handle: handle)
    listings[number] = run
    run.pump(self)
  }

  func nextBatch(_ number: UInt64) async throws(FileError) -> FileListingBatch? {
    if let failure { throw failure }
    guard let run = listings[number] else { throw FileError(.cancelled) }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        run.wait(continuation)
        if Task.isCancelled { return run.fail(FileError(.cancelled)) }
        run.give(self)
      }
    } onCancel: {
      Task { await self.cancelListing(number) }
    }
    return try result.get()
  }

  private func cancelListing(_ number: UInt64) { listings[number]?.fail(FileError(.cancelled)) }

  func endListing(_ number: UInt64) {
    guard let run = listings.removeValue(forKey: number) else { return }
    run.fail(FileError(.cancelled))
    release(run.handle)
  }
}

internal import TermindApplication
internal import TermindDomain
internal import TermindInfrastructure

/// Writes one file of a server on and on: over one conversation, and over several once the channel's window is what
/// holds it back.
///
/// Pieces go to the lanes in turn, so that what was written may have holes until `finish`: nobody may take the size of
/// the file for what was written so far.
final class SFTPWriter: FileWriting {
  private struct State {
    var offset: UInt64
    var lanes: [SFTPWriteLane]
    /// The lane of the next piece.
    var turn = 0
    var pace: SFTPWritePace
    /// Whether further lanes were asked for.
    var hasAsked = false
  }

  private let file: SFTPFile
  private let state: Locked<State>

  init(_ file: SFTPFile, at offset: UInt64) {
    self.file = file
    let lane = SFTPWriteLane(file.fileSystem.connection, file.handle)
    state = Locked(State(offset: offset, lanes: [lane], pace: SFTPWritePace(at: offset)))
  }

  func write(_ bytes: ArraySlice<UInt8>) async throws(FileError) {
    let (offset, lane, isAlone) = state.withLock { state in
      defer {
        state.offset += UInt64(bytes.count)
        state.turn += 1
      }
      return (state.offset, state.lanes[state.turn % state.lanes.count], state.lanes.count == 1)
    }
    do throws(FileError) {
      guard isAlone else { return try await lane.put(bytes, at: offset) }
      try await lane.write(bytes, at: offset)
      try await widen()
    } catch { throw await failed(error) }
  }

  /// Asks for further lanes when one carries all that its window lets through.
  private func widen() async throws(FileError) {
    let lane: SFTPWriteLane? = state.withLock { state in
      guard !state.hasAsked, state.pace.isDue(at: state.offset) else { return nil }
      return state.lanes[0]
    }
    guard let lane else { return }
    let roundTrip = await lane.roundTrip()
    let isHeldBack = state.withLock { state in
      state.hasAsked = state.pace.isHeldBack(at: state.offset, roundTrip: roundTrip)
      return state.hasAsked
    }
    guard isHeldBack else { return }
    file.openLanes { [state] lanes in state.withLock { $0.lanes += lanes } }
  }

  func finish() async throws(FileError) {
    do throws(FileError) {
      for lane in state.withLock({ $0.lanes }) { try await lane.finish() }
    } catch { throw await failed(error) }
  }

  private func failed(_ error: FileError) async -> FileError {
    for lane in state.withLock({ $0.lanes }) { await lane.stop() }
    return await file.fileSystem.explained(error, file.path)
  }
}

/// One conversation's part in the writing of a file.
final class SFTPWriteLane: Sendable {
  let connection: SFTPConnection
  let handle: [UInt8]
  private let number = SFTPStreamNumber.make()
  /// The piece that waits for room.
  private let pending = Locked<Task<FileError?, Never>?>(nil)

  init(_ connection: SFTPConnection, _ handle: [UInt8]) {
    self.connection = connection
    self.handle = handle
  }

  /// Returns once the piece is on its way.
  func write(_ bytes: ArraySlice<UInt8>, at offset: UInt64) async throws(FileError) {
    try await connection.write(bytes, at: offset, number, handle)
  }

  /// Returns once the piece before is on its way; this one follows by itself.
  func put(_ bytes: ArraySlice<UInt8>, at offset: UInt64) async throws(FileError) {
    try await settle()
    let task = Task { () -> FileError? in
      do throws(FileError) {
        try await write(bytes, at: offset)
        return nil
      } catch { return error }
    }
    pending.withLock { $0 = task }
  }

  private func settle() async throws(FileError) {
    guard let task = pending.withLock({ $0 }) else { return }
    let error = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    if let error { throw error }
  }

  /// Returns once everything was acknowledged.
  func finish() async throws(FileError) {
    try await settle()
    try await connection.finishWriting(number, handle)
  }

  func stop() async { await connection.stopWriting(number) }

  /// The shortest time that an answer took.
  func roundTrip() async -> Duration? { await connection.writeRoundTrip }
}

/// Tells when a channel's window, and not the line, bounds the speed of a file.
struct SFTPWritePace: Sendable {
  /// How many bytes are looked at.
  static let span: UInt64 = 4_194_304
  /// Lines that are shorter gain nothing.
  static let shortest = Duration.milliseconds(10)
  /// How much is under way on a channel whose window, 2 MB at OpenSSH, is full most of the time.
  static let fullWindow = 1_250_000.0

  private var offset: UInt64
  private var time = ContinuousClock.now

  init(at offset: UInt64) { self.offset = offset }

  /// Whether enough was written to tell.
  func isDue(at offset: UInt64) -> Bool { offset - self.offset >= Self.span }

  /// Tells it from the time since it was last told, and starts anew.
  mutating func isHeldBack(at offset: UInt64, roundTrip: Duration?) -> Bool {
    let now = ContinuousClock.now
    defer {
      self.offset = offset
      time = now
    }
    guard let roundTrip, roundTrip >= Self.shortest else { return false }
    return Double(offset - self.offset) * (roundTrip / (now - time)) >= Self.fullWindow
  }
}

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
      await widen()
    } catch { throw await failed(error) }
  }

  /// Asks for further lanes when one carries all that its window lets through.
  private func widen() async {
    let lane: SFTPWriteLane? = state.withLock { state in
      guard !state.hasAsked, state.pace.isDue(at: state.offset) else { return nil }
      return state.lanes[0]
    }
    guard let lane else { return }
    let roundTrip = await lane.connection.writing.roundTrip
    let isHeldBack = state.withLock { state in
      state.hasAsked = state.pace.isHeldBack(at: state.offset, roundTrip: roundTrip)
      return state.hasAsked
    }
    guard isHeldBack else { return }
    file.openLanes { [state] lanes in state.withLock { $0.lanes += lanes } }
  }

  func finish() async throws(FileError) {
    do throws(FileError) {
      let lanes = state.withLock { $0.lanes }
      // What carried nothing has nothing to tell.
      for (place, lane) in lanes.enumerated() where place == 0 || lane.isUsed {
        try await lane.finish()
      }
    } catch { throw await failed(error) }
  }

  func stop() async {
    for lane in state.withLock({ $0.lanes }) { await lane.stop() }
  }

  private func failed(_ error: FileError) async -> FileError {
    await stop()
    return await file.fileSystem.explained(error, file.path)
  }
}

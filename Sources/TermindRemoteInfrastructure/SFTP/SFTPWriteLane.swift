internal import TermindApplication
internal import TermindDomain
internal import TermindInfrastructure

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

  /// Ends it; nothing of it is sent any more when this returns.
  func stop() async {
    if let task = pending.withLock({ $0 }) {
      task.cancel()
      _ = await task.value
    }
    await connection.stopWriting(number)
  }

  /// Whether anything was written over it.
  var isUsed: Bool { pending.withLock { $0 != nil } }
}

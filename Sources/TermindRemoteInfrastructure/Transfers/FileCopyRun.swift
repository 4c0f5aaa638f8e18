internal import TermindApplication
internal import TermindDomain

/// The copy of one file under way.
struct FileCopyRun {
  let request: CopyRequest
  /// The temporary name.
  let partial: RemotePath
  let progress: @Sendable (UInt64) -> Void

  init(
    _ request: CopyRequest,
    partial: RemotePath,
    progress: @escaping @Sendable (UInt64) -> Void
  ) {
    self.request = request
    self.partial = partial
    self.progress = progress
  }

  var source: FileLocation { request.source }
  var target: FileLocation { request.target }

  // MARK: What is kept

  func permissions(of attributes: FileAttributes) -> UInt32? {
    request.options.keepsPermissions ? attributes.permissions : nil
  }

  func times(of attributes: FileAttributes) -> FileTimes? {
    guard request.options.keepsTimes, let modified = attributes.modified else { return nil }
    return FileTimes(accessed: attributes.accessed ?? modified, modified: modified)
  }

  /// Reads the temporary file again and compares it with what was written.
  func compare(_ digest: [UInt8]) async throws(CopyFailure) {
    let found: [UInt8]
    do throws(FileError) {
      let file = try await target.files.open(partial, .read)
      found = try await Self.closing(file) { () async throws(FileError) in
        guard let content = ContentDigest() else { return [] }
        let reader = file.reader(from: 0, to: nil)
        while let bytes = try await reader.next() { content.update(bytes) }
        return content.value()
      }
    } catch { throw await cleaned(Self.failure(.verifying, error)) }
    guard found == digest else { throw await cleaned(CopyFailure(.contentDiffers)) }
  }

  // MARK: Failures

  static func failure(_ step: CopyStep, _ error: FileError) -> CopyFailure {
    CopyFailure(error.isCancellation ? .cancelled : .operation(step, error))
  }

  /// Removes the temporary file, and tells when that cannot be done.
  func cleaned(_ failure: CopyFailure, mayExist: Bool = true) async -> CopyFailure {
    guard mayExist else { return failure }
    var failure = failure
    let (files, partial) = (target.files, partial)
    // Also for a task that was cancelled: what it left has to go.
    let problem = await Task { () -> FileError? in
      do throws(FileError) {
        try await files.removeFile(partial)
        return nil
      } catch { return error }
    }.value
    if let problem, problem.reason != .notFound {
      failure.leftBehind = partial
      failure.leftBehindReason = problem
    }
    return failure
  }

  static func closing<Value>(
    _ file: any OpenFile,
    _ body: () async throws(FileError) -> Value
  ) async throws(FileError) -> Value {
    do throws(FileError) {
      let value = try await body()
      try await file.close()
      return value
    } catch {
      // The first error is the one that counts.
      try? await file.close()
      throw error
    }
  }
}

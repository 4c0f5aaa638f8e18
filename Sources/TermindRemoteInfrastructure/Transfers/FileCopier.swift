public import TermindApplication
public import TermindDomain

/// Copies one file between any two file systems, and says so only when the copy was checked.
///
/// The data goes to a temporary name beside the target, with as many requests in flight as both sides take. Size and
/// state of the source are compared before and after, the size of the target at the end; then the file gets its name.
/// What a name held before is never unlinked before the new file has it.
public struct FileCopier: FileCopying {
  /// Makes a copier.
  public init() {}

  /// Copies a file; see `FileCopying`.
  public func copy(
    _ request: CopyRequest,
    progress: @escaping @Sendable (UInt64) -> Void
  ) async throws(CopyFailure) -> CopyResult {
    guard let name = request.target.path.name, let directory = request.target.path.parent else {
      throw CopyFailure(.refused(.otherKind))
    }
    guard
      request.source.files !== request.target.files || request.source.path != request.target.path
    else { throw CopyFailure(.refused(.ontoItself)) }
    let partial =
      request.checkpoint?.partial
      ?? directory.appending(PartialName.make(for: name, in: request.options.series))
    let run = FileCopyRun(request, partial: partial, progress: progress)
    if let size = request.expectedSize, size <= TreeCopy.smallSize, request.checkpoint == nil,
      let result = try await run.copySmall()
    {
      return result
    }
    return try await run.copyLarge()
  }
}

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
    let run = try Self.run(request, progress)
    if let size = request.expectedSize, size <= TreeCopy.smallSize, request.checkpoint == nil,
      let result = try await SmallFileCopy.run([run])[0].get()
    {
      return result
    }
    return try await run.copyLarge()
  }

  /// Copies small files; see `FileCopying`.
  public func copySmall(
    _ requests: [CopyRequest],
    progress: @escaping @Sendable (_ index: Int, UInt64) -> Void
  ) async -> [Result<CopyResult?, CopyFailure>] {
    var outcomes: [Result<CopyResult?, CopyFailure>] = []
    var runs: [(index: Int, run: FileCopyRun)] = []
    for (index, request) in requests.enumerated() {
      // Replaced by what comes of those that can begin.
      outcomes.append(.success(nil))
      do throws(CopyFailure) {
        runs.append((index, try Self.run(request) { progress(index, $0) }))
      } catch { outcomes[index] = .failure(error) }
    }
    for (place, result) in await SmallFileCopy.run(runs.map(\.run)).enumerated() {
      outcomes[runs[place].index] = result
    }
    return outcomes
  }

  private static func run(
    _ request: CopyRequest,
    _ progress: @escaping @Sendable (UInt64) -> Void
  ) throws(CopyFailure) -> FileCopyRun {
    guard let name = request.target.path.name, let directory = request.target.path.parent else {
      throw CopyFailure(.refused(.otherKind))
    }
    guard
      request.source.files !== request.target.files || request.source.path != request.target.path
    else { throw CopyFailure(.refused(.ontoItself)) }
    let partial =
      request.checkpoint?.partial
      ?? directory.appending(PartialName.make(for: name, in: request.options.series))
    return FileCopyRun(request, partial: partial, progress: progress)
  }
}

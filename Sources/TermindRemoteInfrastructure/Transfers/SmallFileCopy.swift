internal import TermindApplication
internal import TermindDomain

/// The copy of small files, all of the same two file systems, step by step for all of them.
///
/// A step costs its round trips once, and one way from thread to thread, however many files there are; only what has
/// to be looked into is looked into for each file.
struct SmallFileCopy {
  /// A file of which the temporary one is written and right.
  private struct Written {
    let index: Int
    var result: CopyResult
  }

  private let runs: [FileCopyRun]
  private var outcomes: [Result<CopyResult?, CopyFailure>?]

  private init(_ runs: [FileCopyRun]) {
    self.runs = runs
    outcomes = Array(repeating: nil, count: runs.count)
  }

  /// Copies.
  ///
  /// - Parameter runs: The files.
  /// - Returns: What came of each, in their order; nil for one that is not small any more.
  static func run(_ runs: [FileCopyRun]) async -> [Result<CopyResult?, CopyFailure>] {
    guard let first = runs.first else { return [] }
    var copy = SmallFileCopy(runs)
    let files = await copy.read(first.source.files)
    await copy.name(await copy.write(files, first.target.files), first.target.files)
    // Every step leaves an outcome for what it does not hand on.
    return copy.outcomes.map { $0 ?? .failure(CopyFailure(.cancelled)) }
  }

  private mutating func read(_ source: any RemoteFileSystem) async -> [(Int, SmallFile)] {
    let limit = Int(TreeCopy.smallSize)
    let found = await source.readSmallFiles(runs.map(\.source.path), limit: limit)
    var files: [(Int, SmallFile)] = []
    for (index, result) in found.enumerated() {
      switch result {
      case .failure(let error): outcomes[index] = .failure(FileCopyRun.failure(.reading, error))
      case .success(let file):
        guard !file.isCut, file.before.kind == .regular || file.before.kind == .unknown else {
          outcomes[index] = .success(nil)
          continue
        }
        guard file.after.isUnchanged(since: file.before) else {
          outcomes[index] = .failure(CopyFailure(.sourceChanged))
          continue
        }
        let request = runs[index].request
        await request.bandwidth?.take(file.bytes.count, request.control)
        // Nothing is written yet: a pause has nothing to keep.
        guard !request.control.isPausing else {
          outcomes[index] = .failure(CopyFailure(.paused))
          continue
        }
        files.append((index, file))
      }
    }
    return files
  }

  private mutating func write(
    _ files: [(index: Int, file: SmallFile)],
    _ target: any RemoteFileSystem
  ) async -> [Written] {
    let results = await target.writeSmallFiles(
      files.map { index, file in
        let run = runs[index]
        return NewSmallFile(
          run.partial,
          SmallFileContents(
            bytes: file.bytes,
            permissions: run.permissions(of: file.before),
            times: run.times(of: file.before),
            syncs: run.request.options.syncs
          )
        )
      }
    )
    var written: [Written] = []
    var failed: [(index: Int, failure: CopyFailure, mayExist: Bool)] = []
    for ((index, file), result) in zip(files, results) {
      let count = UInt64(file.bytes.count)
      switch result {
      case .failure(let error):
        failed.append((index, FileCopyRun.failure(.writing, error), error.reason != .exists))
      case .success(let result) where result.size.map { $0 != count } ?? false:
        let found = result.size ?? 0
        failed.append((index, CopyFailure(.sizeDiffers(written: count, found: found)), true))
      case .success(let result):
        runs[index].progress(count)
        written.append(
          Written(
            index: index,
            result: CopyResult(
              byteCount: count,
              digest: Digest.sha256.hash(file.bytes),
              hasReplaced: false,
              warnings: [result.attributeProblem, result.syncProblem].compactMap { $0 }
            )
          )
        )
      }
    }
    await each(failed.map(\.index)) { [runs, failed] place in
      let (index, failure, mayExist) = failed[place]
      return .failure(await runs[index].cleaned(failure, mayExist: mayExist))
    }
    return written
  }

  /// Gives the temporary files their names: in one step where that is all there is to do.
  private mutating func name(_ written: [Written], _ target: any RemoteFileSystem) async {
    var others = written
    let plain = written.filter { runs[$0.index].hasPlainName }
    if !plain.isEmpty {
      others = written.filter { !runs[$0.index].hasPlainName }
      let renames = plain.map {
        FileRename(runs[$0.index].partial, to: runs[$0.index].target.path)
      }
      // Not cut short by a cancelled task: what has its name shall be known.
      let errors = await Task { await target.rename(renames) }.value
      for (file, error) in zip(plain, errors) {
        guard let error else {
          outcomes[file.index] = .success(file.result)
          continue
        }
        guard error.endsConnection else {
          // What else can be done about it, and what is told, is the same for all files.
          others.append(file)
          continue
        }
        // Whether it has its name shows on the next connection.
        var failure = FileCopyRun.failure(.renaming, error)
        failure.leftBehind = runs[file.index].partial
        outcomes[file.index] = .failure(failure)
      }
    }
    await each(others.map(\.index)) { [runs, others] place in
      var (index, result) = (others[place].index, others[place].result)
      do throws(CopyFailure) {
        if runs[index].request.options.readsBack { try await runs[index].compare(result.digest) }
        result.hasReplaced = try await runs[index].name(&result.warnings)
        return .success(result)
      } catch { return .failure(error) }
    }
  }

  /// Finds the outcomes of some files beside each other.
  ///
  /// - Parameters:
  ///   - indices: The files.
  ///   - body: Finds the outcome of the one at a place of `indices`.
  private mutating func each(
    _ indices: [Int],
    _ body: @escaping @Sendable (_ place: Int) async -> Result<CopyResult?, CopyFailure>
  ) async {
    await withTaskGroup(of: (Int, Result<CopyResult?, CopyFailure>).self) { group in
      for (place, index) in indices.enumerated() {
        group.addTask { (index, await body(place)) }
      }
      for await (index, outcome) in group { outcomes[index] = outcome }
    }
  }
}

extension FileCopyRun {
  /// Whether a rename to a free name is all that is to be done once the data is written.
  fileprivate var hasPlainName: Bool {
    !request.options.replaces && !request.options.readsBack && request.beforeNaming == nil
  }
}

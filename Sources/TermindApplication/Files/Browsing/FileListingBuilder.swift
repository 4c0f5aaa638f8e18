public import TermindDomain

/// Collects the batches of one listing away from the main actor, and tells now and then what is there.
///
/// The first rows are told at once, further ones when there are twice as many or some time has passed, so that a large
/// directory is sorted and copied a few times only.
public actor FileListingBuilder {
  private var rows: FileRows
  private var waiting: [FileListingBatch] = []
  private var waitingCount = 0
  private var told = 0
  private var lastTold: ContinuousClock.Instant?
  private let interval: Duration
  private let tell: @Sendable (FileRows) async -> Void
  private let clock = ContinuousClock()

  /// Makes a builder.
  ///
  /// - Parameters:
  ///   - order: How the rows are sorted.
  ///   - interval: The time after which what has come is told even when it is little.
  ///   - tell: Takes all rows so far.
  public init(
    order: FileOrder,
    interval: Duration = .milliseconds(250),
    tell: @escaping @Sendable (FileRows) async -> Void
  ) {
    rows = FileRows(order: order)
    self.interval = interval
    self.tell = tell
  }

  /// Lists a directory to its end.
  ///
  /// - Parameters:
  ///   - directory: Which.
  ///   - files: Whose.
  /// - Returns: All rows.
  /// - Throws: What the listing failed with; what came before was told.
  public nonisolated func list(_ directory: RemotePath, of files: any RemoteFileSystem)
    async throws(FileError) -> FileRows
  {
    do throws(FileError) {
      try await files.list(directory) { await self.take($0) }
    } catch {
      await flush()
      throw error
    }
    return await finish()
  }

  /// Takes a batch.
  public func take(_ batch: FileListingBatch) async {
    waiting.append(batch)
    waitingCount += batch.entries.count
    let now = clock.now
    let isDue = lastTold.map { now - $0 >= interval || waitingCount >= told } ?? true
    if isDue { await publish(now) }
  }

  private func flush() async {
    if waitingCount > 0 { await publish(clock.now) }
  }

  private func publish(_ now: ContinuousClock.Instant) async {
    merge()
    lastTold = now
    told = rows.rows.count
    await tell(rows)
  }

  private func merge() {
    rows.add(waiting)
    waiting = []
    waitingCount = 0
  }

  /// All rows.
  private func finish() -> FileRows {
    merge()
    return rows
  }
}

public import TermindDomain

/// One end of a batch.
public struct TransferEnd: Hashable, Sendable, Codable {
  /// What the machine is called.
  public let name: String
  /// Whose files they are.
  public let place: FilePlace
  /// The directory.
  public let directory: RemotePath

  /// Names an end.
  public init(name: String, place: FilePlace, directory: RemotePath) {
    self.name = name
    self.place = place
    self.directory = directory
  }
}

/// One drop: some entries of a directory, on their way to another.
///
/// It is a pure value of bounded size. Files under way are rows; finished ones are counted, and the last of them kept; failures are kept up to a bound and
/// counted beyond it.
public struct TransferBatch: Hashable, Sendable {
  /// What a batch does.
  public enum State: Hashable, Sendable {
    /// Its connections are opened, and then its files are copied.
    case running
    /// A person paused it.
    case paused
    /// A connection was lost; it is tried again by itself at a time, or by the person when there is none.
    case waiting(FileError, retryAt: Duration?)
    /// It could not begin.
    case failed(FileError)
    /// It is over.
    case done
    /// A person gave it up.
    case cancelled
  }

  /// The most failures that are kept as rows, and the most notes.
  public static let keptFailures = 1_000
  /// The most finished rows that are kept.
  public static let keptFinished = 200

  /// Its number; later ones are larger.
  public let number: Int
  /// What is copied.
  public let names: [FileName]
  /// From where.
  public let source: TransferEnd
  /// To where.
  public let target: TransferEnd
  /// Whether it is gone from its old place in the end.
  public let isMove: Bool
  /// What it does.
  public var state = State.running
  /// What a person moved up or down; 0 for all others.
  public var priority = 0
  /// Whether a person wants it to wait.
  public private(set) var isPaused = false
  /// Whether everything was found.
  public private(set) var isPlanned = false
  /// How fast it goes.
  public private(set) var rate = TransferRate()

  /// Files that were found, and their bytes.
  public private(set) var foundCount = 0
  /// The bytes of the files that were found.
  public private(set) var foundBytes: UInt64 = 0
  /// Files that are there.
  public private(set) var doneCount = 0
  /// What was left out.
  public private(set) var skippedCount = 0
  /// What failed, also beyond what is kept.
  public private(set) var failureCount = 0
  /// Files that were given up with the batch.
  public private(set) var cancelledCount = 0
  /// What a mirror has deleted at the target.
  public private(set) var deletedCount = 0
  /// What a mirror could not delete.
  public private(set) var notDeletedCount = 0
  /// Entries of a move that are still at their old place.
  public private(set) var stayingCount = 0
  /// Failures, in the order in which they happened.
  public private(set) var failures: [TransferRow] = []
  /// What is to be told besides.
  public private(set) var notes: [TransferNote] = []
  /// The number of the last file that was found.
  public private(set) var lastNumber = 0
  /// What was begun with, by its name at the source.
  public private(set) var begun: [FileName: SuspendedTransfer.Begun] = [:]
  private var open: [Int: TransferRow] = [:]
  private var finished: [TransferRow] = []
  private var closedBytes: UInt64 = 0
  private var openBytes: UInt64 = 0

  /// Makes a batch that has just begun.
  public init(
    number: Int,
    names: [FileName],
    source: TransferEnd,
    target: TransferEnd,
    isMove: Bool = false
  ) {
    self.number = number
    self.names = names
    self.source = source
    self.target = target
    self.isMove = isMove
  }

  /// Makes a batch that was stopped another day, and waits.
  public init(number: Int, resuming suspended: SuspendedTransfer) {
    self.init(
      number: number,
      names: suspended.entries.map(\.name),
      source: suspended.source,
      target: suspended.target,
      isMove: suspended.isMove
    )
    begun = suspended.begun
    doneCount = suspended.doneCount
    closedBytes = suspended.doneBytes
    skippedCount = suspended.skippedCount
    foundCount = doneCount + suspended.files.count
    foundBytes = suspended.files.reduce(closedBytes) { $0 &+ ($1.item.size ?? 0) }
    for file in suspended.files {
      lastNumber = max(lastNumber, file.item.number)
      openBytes &+= file.byteCount
      open[file.item.number] = TransferRow(
        item: file.item,
        state: .paused,
        byteCount: file.byteCount
      )
    }
    pause()
  }

  // MARK: What it shows

  /// Whether it is not over.
  public var isOpen: Bool {
    switch state {
    case .running, .paused, .waiting: true
    case .failed, .done, .cancelled: false
    }
  }

  /// Whether trying again can do any good.
  public var canRetry: Bool {
    switch state {
    case .failed: true
    case .done, .cancelled: failureCount > 0
    case .running, .paused, .waiting: false
    }
  }

  /// Bytes of the files that are there.
  public var doneBytes: UInt64 { closedBytes }

  /// Bytes that are done.
  public var byteCount: UInt64 { closedBytes &+ openBytes }

  /// The rows: what runs, what failed, what waits, and the last of what is over, the latest first.
  public var rows: [TransferRow] {
    let open = open.values.sorted { $0.item.number < $1.item.number }
    return open.filter { $0.state != .queued } + failures + open.filter { $0.state == .queued }
      + finished.reversed()
  }

  /// The time until it is done; nil while that cannot be told.
  public var timeLeft: Duration? {
    guard isPlanned, state == .running, let speed = rate.bytesPerSecond, speed > 0 else {
      return nil
    }
    return .seconds(Double(foundBytes > byteCount ? foundBytes - byteCount : 0) / Double(speed))
  }

  /// How far it is, from 0 to 1; nil while not everything was found.
  public var share: Double? {
    guard isPlanned || !isOpen else { return nil }
    guard foundBytes > 0 else { return isOpen ? 0 : 1 }
    return min(Double(byteCount) / Double(foundBytes), 1)
  }

  // MARK: What happens

  /// Takes what happened.
  public mutating func take(_ event: TransferEvent) {
    switch event {
    case .began(let root, let target, let isNew):
      if let name = root.source.name {
        begun[name] = SuspendedTransfer.Begun(target: target, isNew: isNew)
      }
    case .found(let item):
      foundCount += 1
      foundBytes &+= item.size ?? 0
      lastNumber = max(lastNumber, item.number)
      open[item.number] = TransferRow(item: item, state: .queued)
    case .planned: isPlanned = true
    case .started(let item): change(item) { $0.state = .running }
    case .paused(let item): change(item) { $0.state = .paused }
    case .progressed(let item, let bytes):
      change(item) { $0.byteCount = bytes }
    case .finished(let item, let result):
      doneCount += 1
      closedBytes &+= result.byteCount
      // A file that grew or shrank since it was found is what it is now.
      foundBytes = foundBytes &- (item.size ?? 0) &+ result.byteCount
      for warning in result.warnings { note(.warned(item.target, warning)) }
      close(item, .done, result.byteCount)
    case .failed(let item, let failure): fail(item, failure)
    case .leftOut(let item, let failure):
      // What is left out is none of what is to come.
      skippedCount += 1
      foundCount -= 1
      foundBytes &-= item.size ?? 0
      if let failure { note(.leftBehind(item.source, failure)) }
      close(item, .skipped, 0)
    // It was counted when it was brought.
    case .skipped(_, .isThere): break
    case .skipped(let path, let skip):
      skippedCount += 1
      note(.skipped(path, skip))
    case .missing(let root, let error):
      let item = TransferItem(number: 0, source: root.source, target: root.target, size: nil)
      keep(TransferRow(item: item, state: .missing(error)))
    case .warned(let path, let error): note(.warned(path, error))
    case .recovered: if case .waiting = state { state = isPaused ? .paused : .running }
    // Whoever brings a connection back tells how long that takes.
    case .madeDirectory, .madeLink, .lost: break
    }
  }

  private mutating func fail(_ item: TransferItem, _ failure: CopyFailure) {
    lastNumber = max(lastNumber, item.number)
    guard failure.reason == .cancelled else {
      let row = TransferRow(item: item, state: .failed(failure), byteCount: 0)
      forget(item)
      return keep(row)
    }
    cancelledCount += 1
    if failure.leftBehind != nil { note(.leftBehind(item.source, failure)) }
    close(item, .cancelled, 0)
  }

  private mutating func keep(_ row: TransferRow) {
    failureCount += 1
    if failures.count < Self.keptFailures { failures.append(row) }
  }

  private mutating func note(_ note: TransferNote) {
    if notes.count < Self.keptFailures { notes.append(note) }
  }

  private mutating func change(_ item: TransferItem, _ body: (inout TransferRow) -> Void) {
    // What comes late, from a file that has ended, changes nothing.
    guard var row = open[item.number] else { return }
    openBytes &-= row.byteCount
    body(&row)
    openBytes &+= row.byteCount
    open[item.number] = row
  }

  private mutating func forget(_ item: TransferItem) {
    if let row = open.removeValue(forKey: item.number) { openBytes &-= row.byteCount }
  }

  private mutating func close(_ item: TransferItem, _ state: TransferRow.State, _ count: UInt64) {
    forget(item)
    // Twice the number is kept, so that not every file moves all of them.
    if finished.count >= Self.keptFinished * 2 { finished.removeFirst(Self.keptFinished) }
    finished.append(TransferRow(item: item, state: state, byteCount: count))
  }

  /// Notes the time, for the rate.
  public mutating func tick(at time: Duration) {
    if state == .running { rate.note(byteCount, at: time) } else { rate.reset() }
  }

  /// Lets it wait, also once a lost connection is back.
  public mutating func pause() {
    isPaused = true
    if state == .running { state = .paused }
  }

  /// Lets it go on.
  public mutating func resume() {
    isPaused = false
    if state == .paused { state = .running }
  }

  /// Whether something of it changes by itself.
  public var isMoving: Bool {
    switch state {
    case .running: true
    case .waiting(_, let retryAt): retryAt != nil
    case .paused: open.values.contains { $0.state == .running }
    case .failed, .done, .cancelled: false
    }
  }

  /// Notes that what was copied could not be removed from its old place.
  public mutating func note(notRemoved error: FileError) { note(.notRemoved(error)) }

  /// Takes why the only thing that was to be copied could not be begun.
  public mutating func take(_ failure: CopyFailure, of root: CopyRoot) {
    guard case .operation(_, let error) = failure.reason else {
      let item = TransferItem(
        number: lastNumber + 1,
        source: root.source,
        target: root.target,
        size: nil
      )
      return take(.failed(item, failure))
    }
    // It may be a directory: only looking at it again tells.
    take(.missing(root, error))
  }

  /// The time until a lost connection is tried again; nil when none is planned.
  public func timeToRetry(at now: Duration) -> Duration? {
    guard case .waiting(_, let retryAt?) = state else { return nil }
    return max(retryAt - now, .zero)
  }

  /// Takes what a mirror did beside the copy.
  public mutating func take(_ event: TreeMirror.Event) {
    switch event {
    case .removed(_, let count): deletedCount += Int(clamping: count)
    case .notRemoved(let error):
      notDeletedCount += 1
      note(.notDeleted(error))
    case .kept: note(.surplusKept)
    }
  }

  /// Notes that something has changed since it was copied, and so stays.
  public mutating func note(changed path: RemotePath) { note(.changed(path)) }

  /// Notes how many entries of a move are still at their old place.
  public mutating func note(staying count: Int) { stayingCount = count }

  // MARK: Trying again

  /// Takes the failures away, to be tried again.
  ///
  /// - Parameter canRestart: Whether everything may be looked at again when not all that is missing is known.
  /// - Returns: The files and trees to be copied; nil when everything has to be looked at again.
  public mutating func beginRetry(
    canRestart: Bool
  ) -> (files: [CopyRetry], roots: [CopyRoot])? {
    let knowsAll = failureCount == failures.count && cancelledCount == 0 && isPlanned
    let isWhole = knowsAll || !canRestart
    var files: [CopyRetry] = []
    var roots: [CopyRoot] = []
    for row in failures {
      switch row.state {
      case .failed(let failure):
        files.append(CopyRetry(item: row.item, failure: failure))
        if isWhole { open[row.item.number] = TransferRow(item: row.item, state: .queued) }
      case .missing: roots.append(CopyRoot(source: row.item.source, target: row.item.target))
      case .queued, .running, .paused, .done, .skipped, .cancelled: break
      }
    }
    failures = []
    failureCount = 0
    cancelledCount = 0
    isPaused = false
    state = .running
    rate.reset()
    isPlanned = false
    guard isWhole else {
      // What is there already is found and left out again: only what is missing counts from here on.
      foundCount = doneCount
      foundBytes = closedBytes
      return nil
    }
    return (files, roots)
  }
}

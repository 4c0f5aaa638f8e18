import TermindApplication
import TermindDomain
import TermindPresentation

/// What has happened in a transfer command, and what is still to be told of it.
nonisolated struct TransferCommandTally: Sendable {
  /// The most lines that wait for a client that does not read.
  private static let lineLimit = 8_192

  let request: TransferCommandRequest
  private(set) var lines: [TransferCommandLine] = []
  private var omitted: UInt64 = 0
  private var underway: [UnderwayFile: UInt64] = [:]
  private var doneBytes: UInt64 = 0
  private(set) var failed: UInt64 = 0
  private var conflicts: UInt64 = 0
  /// Whether a connection went and did not come back.
  private var isLost = false
  private var files: UInt64 = 0
  private var found: UInt64 = 0
  private var foundBytes: UInt64 = 0
  private var directories: UInt64 = 0
  private var links: UInt64 = 0
  private var same: UInt64 = 0
  private var skipped: UInt64 = 0
  /// Whether a person left a file out in a window.
  private var hasLeftOut = false
  private(set) var removed: UInt64 = 0
  /// A mirror whose first copy runs: what is in its way goes later.
  var expected: TreeMirror?
  /// How many copies are still looking for what there is.
  var planning = 1

  /// A file of one of the batches.
  private struct UnderwayFile: Hashable {
    let batch: Int
    let number: Int
  }

  init(_ request: TransferCommandRequest) { self.request = request }

  /// Whether all that was to be copied is there.
  var isWhole: Bool { failed == 0 && !hasLeftOut }

  // MARK: Telling

  /// Takes the lines that wait.
  mutating func takeLines() -> [TransferCommandLine] {
    var taken = lines
    lines = []
    if omitted > 0 {
      var line = TransferCommandLine(.omitted)
      line.files = omitted
      taken.append(line)
      omitted = 0
    }
    return taken
  }

  mutating func tell(_ line: TransferCommandLine) {
    guard lines.count < Self.lineLimit else {
      omitted += 1
      return
    }
    var line = line
    if request.isDryRun { line.dryRun = true }
    lines.append(line)
  }

  /// Tells people something.
  mutating func note(_ text: String) {
    var line = TransferCommandLine(.note)
    line.message = text
    tell(line)
  }

  private mutating func detail(_ line: TransferCommandLine) {
    if request.isDetailed { tell(line) }
  }

  /// Notes that something failed.
  mutating func fail(
    _ message: String,
    _ code: ControlErrorCode = .failed,
    source: (TransferCommandHost, RemotePath)? = nil,
    target: (TransferCommandHost, RemotePath)? = nil
  ) {
    failed += 1
    if code == .conflict { conflicts += 1 }
    if code == .lost { isLost = true }
    var line = TransferCommandLine(.failed)
    line.message = message
    line.code = code
    if let source { line.setSource(source.0, source.1) }
    if let target { line.setTarget(target.0, target.1) }
    tell(line)
  }

  /// How far it is.
  var progress: TransferCommandLine {
    var line = TransferCommandLine(.progress)
    line.files = files
    line.bytes = underway.values.reduce(doneBytes, &+)
    line.foundFiles = found
    line.foundBytes = foundBytes
    line.planned = planning == 0
    return line
  }

  /// The last line.
  func end(isCancelled: Bool) -> TransferCommandLine {
    var line = TransferCommandLine(.end)
    line.files = files
    line.bytes = doneBytes
    line.directories = directories
    line.links = links
    line.same = same
    line.skipped = skipped
    line.removed = removed
    line.failed = failed
    line.cancelled = isCancelled
    line.dryRun = request.isDryRun ? true : nil
    line.status = status(isCancelled: isCancelled)
    return line
  }

  private func status(isCancelled: Bool) -> UInt8 {
    if isCancelled { return TransferCommandClient.interruptedStatus }
    if failed == 0 { return 0 }
    if isLost { return ControlErrorCode.lost.exitStatus }
    return (failed == conflicts ? ControlErrorCode.conflict : .failed).exitStatus
  }

  // MARK: Events

  /// Takes what happened in one of the batches.
  ///
  /// - Returns: Whether it is worth telling: what is in the way of a mirror goes later.
  mutating func take(
    _ event: TransferEvent,
    batch: Int,
    from source: TransferCommandHost,
    to target: TransferCommandHost
  ) -> Bool {
    if let expected, expected.expects(event) { return false }
    take(event, batch, source, target)
    return true
  }

  private mutating func take(
    _ event: TransferEvent,
    _ batch: Int,
    _ source: TransferCommandHost,
    _ target: TransferCommandHost
  ) {
    switch event {
    case .found(let item):
      found += 1
      foundBytes &+= item.size ?? 0
    case .planned: planning -= 1
    case .began, .started, .paused, .lost, .recovered: break
    case .leftOut(let item, let failure):
      underway[UnderwayFile(batch: batch, number: item.number)] = nil
      leaveOut(item, failure, source)
    case .progressed(let item, let bytes):
      underway[UnderwayFile(batch: batch, number: item.number)] = bytes
    case .finished(let item, let result):
      underway[UnderwayFile(batch: batch, number: item.number)] = nil
      copied(item.source, item.target, result.byteCount, source, target)
      for warning in result.warnings { warn(item.target, warning, target) }
    case .failed(let item, let failure):
      underway[UnderwayFile(batch: batch, number: item.number)] = nil
      take(failure, of: item.source, source)
    case .skipped(let path, let skip): take(skip, of: path, source)
    case .madeDirectory(let path):
      directories += 1
      made(.directory, path, target)
    case .madeLink(let path):
      links += 1
      made(.link, path, target)
    case .missing(let root, let error):
      guard !error.isCancellation else { return }
      let path = root.source
      fail(ErrorText.sentence(error.about(path)), Self.code(error), source: (source, path))
    case .warned(let path, let error): warn(path, error, target)
    }
  }

  private mutating func copied(
    _ from: RemotePath,
    _ to: RemotePath,
    _ bytes: UInt64,
    _ source: TransferCommandHost,
    _ target: TransferCommandHost
  ) {
    files += 1
    doneBytes &+= bytes
    var line = TransferCommandLine(.copied)
    line.setSource(source, from)
    line.setTarget(target, to)
    line.bytes = bytes
    detail(line)
  }

  /// Takes a file that a person left out in a window.
  private mutating func leaveOut(
    _ item: TransferItem,
    _ failure: CopyFailure?,
    _ source: TransferCommandHost
  ) {
    skipped += 1
    hasLeftOut = true
    found -= 1
    foundBytes &-= item.size ?? 0
    var line = TransferCommandLine(.skipped)
    line.setSource(source, item.source)
    line.message =
      failure.map { ErrorText.sentence($0, copying: item.source) }
      ?? "\(source.text(of: item.source)): left out in a window."
    tell(line)
  }

  /// Takes a file that was not copied.
  mutating func take(
    _ failure: CopyFailure,
    of path: RemotePath,
    _ source: TransferCommandHost
  ) {
    // What was stopped is no news, unless something of it is left.
    if failure.reason == .cancelled, failure.leftBehind == nil { return }
    fail(
      ErrorText.sentence(failure, copying: path),
      Self.code(failure.reason),
      source: (source, path)
    )
  }

  private mutating func take(
    _ skip: TransferSkip,
    of path: RemotePath,
    _ source: TransferCommandHost
  ) {
    if skip == .isThere { return }
    if skip == .exists {
      switch request.policy {
      case .overwriteIfDiffers: return same += 1
      case .skip where request.conflicts == nil:
        return fail(
          "\(source.text(of: path)): something with that name is there already; --overwrite replaces it,"
            + " --newer when it is older, --keep-both takes another name, --skip leaves it.",
          .conflict,
          source: (source, path)
        )
      default: break
      }
    }
    skipped += 1
    var line = TransferCommandLine(.skipped)
    line.setSource(source, path)
    line.message = ErrorText.sentence(skip, of: path)
    // What was asked for is told only to those who want to know all.
    if skip == .exists { detail(line) } else { tell(line) }
  }

  private mutating func warn(
    _ path: RemotePath,
    _ error: FileError,
    _ target: TransferCommandHost
  ) {
    guard !error.isCancellation else { return }
    var line = TransferCommandLine(.warning)
    line.setTarget(target, path)
    line.message = ErrorText.sentence(error.about(path)) + " The copy is there."
    tell(line)
  }

  private mutating func made(
    _ event: TransferCommandLine.Event,
    _ path: RemotePath,
    _ target: TransferCommandHost
  ) {
    var line = TransferCommandLine(event)
    line.setTarget(target, path)
    detail(line)
  }

  /// Notes that something was removed from the target, or would be.
  mutating func remove(_ path: RemotePath, count: UInt64, _ target: TransferCommandHost) {
    removed += count
    made(.removed, path, target)
  }

  /// Notes what a mirror would do.
  mutating func preview(
    _ difference: TreeDifference,
    _ from: RemotePath,
    _ to: RemotePath,
    _ source: TransferCommandHost,
    _ target: TransferCommandHost
  ) {
    switch difference.source?.kind {
    case .directory:
      directories += 1
      made(.directory, to, target)
    case .symbolicLink:
      links += 1
      made(.link, to, target)
    default: copied(from, to, difference.source?.size ?? 0, source, target)
    }
  }

  /// Notes files that are the same already.
  mutating func addSame(_ count: UInt64) { same += count }

  // MARK: Codes

  static func code(_ error: FileError) -> ControlErrorCode {
    switch error.reason {
    case .notFound: .notFound
    case .exists: .conflict
    case .connectionLost: .lost
    default: .failed
    }
  }

  private static func code(_ reason: CopyFailureReason) -> ControlErrorCode {
    switch reason {
    case .operation(_, let error): code(error)
    case .refused(.exists): .conflict
    case .refused: .notPossible
    default: .failed
    }
  }
}

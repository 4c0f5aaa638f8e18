public import TermindDomain

/// A file of a transfer that was stopped at a safe place, to go on another day.
public struct SuspendedFile: Hashable, Sendable, Codable {
  /// The file.
  public let item: TransferItem
  /// From where it goes on; nil when it has not begun.
  public let checkpoint: CopyCheckpoint?
  /// A temporary file that could not be removed.
  public let stale: RemotePath?

  init(_ work: CopyWork) {
    item = work.item
    checkpoint = work.checkpoint
    stale = work.stale
  }

  /// How far it is.
  var byteCount: UInt64 { checkpoint?.milestones.last?.offset ?? 0 }

  /// As something to be tried again.
  public var retry: CopyRetry {
    let failure = CopyFailure(.paused, leftBehind: stale, checkpoint: checkpoint)
    return CopyRetry(item: item, failure: failure)
  }

  /// What lies at the target under a temporary name.
  public var leftBehind: RemotePath? { checkpoint?.partial ?? stale }
}

/// Everything that a transfer needs to go on after the server of Termind was ended and started again.
///
/// Nothing that was copied is listed: what is there is looked at again.
public struct SuspendedTransfer: Hashable, Sendable, Codable {
  /// What stands at the target for one entry that was begun with.
  public struct Begun: Hashable, Sendable, Codable {
    /// Its path at the target.
    public let target: RemotePath
    /// Whether nothing stood there before.
    public let isNew: Bool

    /// Makes a value.
    public init(target: RemotePath, isNew: Bool) {
      self.target = target
      self.isNew = isNew
    }
  }

  /// The entries that are not gone from their old place.
  public var entries: [FileEntry]
  /// What to do with names that are taken.
  public var policy: ConflictPolicy
  /// Names that are to be called otherwise at the target.
  public var newNames: [FileName: FileName]
  /// What to do with single names that are taken.
  public var policies: [FileName: ConflictPolicy]
  /// What is taken from the target once everything was copied; nil when nothing is.
  public var mirror: TreeMirror?
  /// Whether a person left a file out, so that a mirror takes nothing away.
  public var hasLeftOut: Bool?
  /// By what the temporary names of this transfer are known.
  public var series: PartialSeries?
  /// Whether the server of Termind ended without a word: what lies at the target under temporary names is not known.
  public var wasCutOff: Bool?
  /// From where.
  public var source: TransferEnd
  /// To where.
  public var target: TransferEnd
  /// Whether it is gone from its old place in the end.
  public var isMove: Bool
  /// What was begun with, by its name at the source.
  public var begun: [FileName: Begun]
  /// Entries of which something was left out: they stay.
  public var kept: Set<FileName>
  /// Files that are not done and whose place is known.
  public var files: [SuspendedFile]
  /// How many files were done.
  public var doneCount: Int
  /// Their bytes.
  public var doneBytes: UInt64
  /// How many were left out.
  public var skippedCount: Int

  /// Takes what a batch has come to.
  ///
  /// - Parameters:
  ///   - batch: The batch.
  ///   - entries: What is still to be copied or removed.
  ///   - policy: What to do with names that are taken.
  ///   - newNames: Names that are to be called otherwise.
  ///   - policies: What to do with single names.
  ///   - mirror: What is taken from the target in the end.
  ///   - hasLeftOut: Whether a person left a file out.
  ///   - kept: Entries that stay though they were to be moved.
  ///   - series: By what its temporary names are known.
  ///   - files: What is not done.
  public init(
    _ batch: TransferBatch,
    entries: [FileEntry],
    policy: ConflictPolicy,
    newNames: [FileName: FileName],
    policies: [FileName: ConflictPolicy],
    mirror: TreeMirror?,
    hasLeftOut: Bool,
    kept: Set<FileName>,
    series: PartialSeries,
    files: [SuspendedFile]
  ) {
    self.entries = entries
    self.policy = policy
    self.newNames = newNames
    self.policies = policies
    self.mirror = mirror
    self.hasLeftOut = hasLeftOut
    self.kept = kept
    self.series = series
    self.files = files
    source = batch.source
    target = batch.target
    isMove = batch.isMove
    begun = batch.begun
    doneCount = batch.doneCount
    doneBytes = batch.doneBytes
    skippedCount = batch.skippedCount
  }

  /// Where an entry goes, and whether the transfer has made what stands there.
  public func root(of name: FileName) -> CopyRoot {
    let source = source.directory.appending(name)
    if let begun = begun[name] {
      return CopyRoot(source: source, target: begun.target, isOwn: begun.isNew)
    }
    return CopyRoot(
      source: source,
      target: target.directory.appending(newNames[name] ?? name)
    )
  }

  /// What to do with names that are taken below an entry: what the transfer itself brought stays.
  public func policy(of name: FileName) -> ConflictPolicy {
    let policy = policies[name] ?? policy
    guard begun[name] != nil else { return policy }
    switch policy {
    case .overwrite: return .overwriteIfNewerOrSizeDiffers
    case .keepBoth: return .skip
    case .skip, .overwriteIfNewerOrSizeDiffers, .overwriteIfDiffers: return policy
    }
  }
}

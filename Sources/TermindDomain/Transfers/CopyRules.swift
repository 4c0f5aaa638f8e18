/// Why something cannot be copied to where it should go.
public enum CopyRefusal: Hashable, Sendable {
  /// Source and target are the same.
  case ontoItself
  /// The target lies inside of the directory that is copied.
  case intoItself
  /// It lies in the directory that is to hold the same as it, and would be deleted there.
  case holdsSource
  /// It is a pipe, a socket or a device.
  case special(FileKind)
  /// A directory stands where a file should go, or the other way round.
  case otherKind
  /// The name is taken and must not be replaced.
  case exists
}

/// What may be copied where.
public enum CopyRules {
  /// Whether a copy must be refused.
  ///
  /// - Parameters:
  ///   - source: The source, resolved.
  ///   - sourcePlace: Where it is.
  ///   - target: The target, its directory resolved.
  ///   - targetPlace: Where that is.
  /// - Returns: Why, or nil.
  public static func refusal(
    source: RemotePath,
    in sourcePlace: FilePlace,
    target: RemotePath,
    in targetPlace: FilePlace
  ) -> CopyRefusal? {
    guard sourcePlace == targetPlace else { return nil }
    if source == target { return .ontoItself }
    return source.contains(target) ? .intoItself : nil
  }
}

/// Which step of a copy failed.
public enum CopyStep: String, Hashable, Sendable, CaseIterable {
  /// The source could not be opened or read.
  case reading
  /// The target could not be made or written; the data is not there.
  case writing
  /// The data was written, and did not survive a check.
  case verifying
  /// The data is safe under the temporary name, but could not get its own.
  case renaming
}

/// Why a file was not copied.
public enum CopyFailureReason: Hashable, Sendable {
  /// A file system refused an operation.
  case operation(CopyStep, FileError)
  /// It must not be copied there.
  case refused(CopyRefusal)
  /// The source was changed while it was read.
  case sourceChanged
  /// What the file is to replace is not what it was.
  case targetChanged
  /// The source, or the part that was copied, is not what it was before the pause.
  case notResumable
  /// The target holds another number of bytes than were written.
  case sizeDiffers(written: UInt64, found: UInt64)
  /// The target holds other bytes than were written.
  case contentDiffers
  /// The person gave up.
  case cancelled
  /// The person paused it; the checkpoint tells where it goes on.
  case paused
}

/// A file that was not copied, and what is left of the attempt.
public struct CopyFailure: Error, Hashable, Sendable {
  /// Why.
  public var reason: CopyFailureReason
  /// A file that is still at the target under a temporary name: the whole new data after a failed rename, else a part
  /// that could not be removed.
  public var leftBehind: RemotePath?
  /// Why that could not be removed; nil when it was kept on purpose.
  public var leftBehindReason: FileError?
  /// From where the copy can go on; nil when it has to start again.
  public var checkpoint: CopyCheckpoint?

  /// Makes a failure.
  public init(
    _ reason: CopyFailureReason,
    leftBehind: RemotePath? = nil,
    leftBehindReason: FileError? = nil,
    checkpoint: CopyCheckpoint? = nil
  ) {
    self.reason = reason
    self.leftBehind = leftBehind
    self.leftBehindReason = leftBehindReason
    self.checkpoint = checkpoint
  }
}

/// From where a copy can go on.
public struct CopyCheckpoint: Hashable, Sendable, Codable {
  /// A place in the file and the SHA-256 digest of everything before it.
  public struct Milestone: Hashable, Sendable, Codable {
    /// How many bytes come before it.
    public let offset: UInt64
    /// Their digest.
    public let digest: [UInt8]

    /// Makes a milestone.
    public init(offset: UInt64, digest: [UInt8]) {
      self.offset = offset
      self.digest = digest
    }
  }

  /// The temporary file.
  public let partial: RemotePath
  /// What the source was when the copy began.
  public let source: FileAttributes
  /// What was written, in order of place.
  public let milestones: [Milestone]

  /// Makes a checkpoint.
  public init(partial: RemotePath, source: FileAttributes, milestones: [Milestone]) {
    self.partial = partial
    self.source = source
    self.milestones = milestones
  }
}

/// A file that was copied and checked.
public struct CopyResult: Hashable, Sendable {
  /// How many bytes it has.
  public var byteCount: UInt64
  /// The SHA-256 digest of what was written; empty when the server copied by itself.
  public var digest: [UInt8]
  /// Whether a file was replaced.
  public var hasReplaced: Bool
  /// What could not be kept: permissions, times, the wait for the disk, a backup that could not be removed.
  public var warnings: [FileError]

  /// Makes a result.
  public init(byteCount: UInt64, digest: [UInt8], hasReplaced: Bool, warnings: [FileError]) {
    self.byteCount = byteCount
    self.digest = digest
    self.hasReplaced = hasReplaced
    self.warnings = warnings
  }
}

/// How one file is to be copied.
public struct CopyOptions: Hashable, Sendable {
  /// Whether a file with the target's name is replaced.
  public var replaces: Bool
  /// Whether permissions are kept.
  public var keepsPermissions: Bool
  /// Whether times are kept.
  public var keepsTimes: Bool
  /// Whether to wait for the disk where that is offered.
  public var syncs: Bool
  /// Whether the target is read again and compared.
  public var readsBack: Bool
  /// By what its temporary names are known; nil takes any.
  public var series: PartialSeries?

  /// Makes options.
  public init(
    replaces: Bool = false,
    keepsPermissions: Bool = true,
    keepsTimes: Bool = true,
    syncs: Bool = true,
    readsBack: Bool = false
  ) {
    self.replaces = replaces
    self.keepsPermissions = keepsPermissions
    self.keepsTimes = keepsTimes
    self.syncs = syncs
    self.readsBack = readsBack
  }
}

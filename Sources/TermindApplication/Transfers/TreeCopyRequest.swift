public import TermindDomain

/// A file or directory that is copied, with all that is in it.
public struct CopyRoot: Hashable, Sendable {
  /// What is copied.
  public let source: RemotePath
  /// Its path at the target, name included.
  public let target: RemotePath
  /// Whether an earlier run of the same copy made what stands at the target.
  public let isOwn: Bool

  /// Makes a root.
  public init(source: RemotePath, target: RemotePath, isOwn: Bool = false) {
    self.source = source
    self.target = target
    self.isOwn = isOwn
  }
}

/// A file that was not copied, to be tried again.
public struct CopyRetry: Hashable, Sendable {
  /// The file.
  public let item: TransferItem
  /// What came of the attempt.
  public let failure: CopyFailure

  /// Makes a retry.
  public init(item: TransferItem, failure: CopyFailure) {
    self.item = item
    self.failure = failure
  }
}

/// How files and trees are copied from one file system to another.
public struct TreeCopyRequest: Sendable {
  /// Where it is read.
  public var source: any RemoteFileSystem
  /// Where it is written.
  public var target: any RemoteFileSystem
  /// What is copied.
  public var roots: [CopyRoot]
  /// What is tried again before that.
  public var retries: [CopyRetry] = []
  /// The number of the last file that was found before.
  public var lastNumber = 0
  /// How each file is copied.
  public var options: CopyOptions
  /// What to do with names that are taken.
  public var policy: ConflictPolicy
  /// Where the work waits, and how it is paused.
  public var queue: TransferQueue
  /// How fast it may go.
  public var bandwidth: BandwidthLimit?
  /// Who wants it.
  public var owner: TransferSource
  /// Brings a lost connection back, and says whether it did; without it what needs the connection fails.
  public var recover: (@Sendable (FileError) async -> Bool)?

  /// Makes a request for several files and directories.
  public init(
    from source: any RemoteFileSystem,
    to target: any RemoteFileSystem,
    roots: [CopyRoot],
    options: CopyOptions = CopyOptions(),
    policy: ConflictPolicy,
    queue: TransferQueue = TransferQueue(),
    bandwidth: BandwidthLimit? = nil,
    owner: TransferSource
  ) {
    self.source = source
    self.target = target
    self.roots = roots
    self.options = options
    self.policy = policy
    self.queue = queue
    self.bandwidth = bandwidth
    self.owner = owner
  }

  /// Makes a request for one file or directory; the target is its path there, name included.
  public init(
    source: FileLocation,
    target: FileLocation,
    options: CopyOptions = CopyOptions(),
    policy: ConflictPolicy,
    queue: TransferQueue = TransferQueue(),
    bandwidth: BandwidthLimit? = nil,
    owner: TransferSource
  ) {
    self.init(
      from: source.files,
      to: target.files,
      roots: [CopyRoot(source: source.path, target: target.path)],
      options: options,
      policy: policy,
      queue: queue,
      bandwidth: bandwidth,
      owner: owner
    )
  }

  /// Runs something that a lost connection interrupts, and runs it again once that is back, a few times at most.
  func steadily<Value>(
    _ body: () async throws(FileError) -> Value
  ) async throws(FileError) -> Value {
    var losses = 0
    while true {
      do throws(FileError) {
        return try await body()
      } catch {
        losses += 1
        guard case .connectionLost = error.reason, losses <= TreeCopy.lossLimit,
          await isBack(after: error)
        else { throw error }
      }
    }
  }

  /// Waits until a lost connection is back; false when nobody brings it back.
  func isBack(after error: FileError) async -> Bool {
    guard let recover else { return false }
    return await queue.recover { await recover(error) }
  }
}

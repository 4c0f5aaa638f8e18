internal import Synchronization
public import TermindDomain

/// A file or directory of one file system.
public struct FileLocation: Sendable {
  /// The file system.
  public let files: any RemoteFileSystem
  /// The path in it.
  public let path: RemotePath

  /// Names a location.
  public init(_ files: any RemoteFileSystem, _ path: RemotePath) {
    self.files = files
    self.path = path
  }

  /// The location of an entry of this directory.
  public func appending(_ name: FileName) -> FileLocation {
    FileLocation(files, path.appending(name))
  }
}

/// Asks a running copy to pause; one for each copy or for many.
public final class CopyControl: Sendable {
  private let pauses = Atomic<Bool>(false)

  /// Makes a control that lets copies run.
  public init() {}

  /// Whether copies are to stop at the next safe place.
  public var isPausing: Bool { pauses.load(ordering: .relaxed) }

  /// Asks for a pause.
  public func pause() { pauses.store(true, ordering: .relaxed) }
}

/// One file to copy.
public struct CopyRequest: Sendable {
  /// What is read.
  public var source: FileLocation
  /// What is written.
  public var target: FileLocation
  /// How.
  public var options: CopyOptions
  /// Where an earlier attempt came to.
  public var checkpoint: CopyCheckpoint?
  /// How it is paused.
  public var control: CopyControl
  /// How fast it may go.
  public var bandwidth: BandwidthLimit?
  /// The source's size, when a listing told it: small files then take fewer round trips.
  public var expectedSize: UInt64?
  /// Looks at the whole new file under its temporary name before it gets its own; what it throws ends the copy.
  public var beforeNaming: (@Sendable (RemotePath) async throws(CopyFailure) -> Void)?

  /// Makes a request.
  public init(
    source: FileLocation,
    target: FileLocation,
    options: CopyOptions = CopyOptions(),
    checkpoint: CopyCheckpoint? = nil,
    control: CopyControl = CopyControl(),
    bandwidth: BandwidthLimit? = nil,
    expectedSize: UInt64? = nil,
    beforeNaming: (@Sendable (RemotePath) async throws(CopyFailure) -> Void)? = nil
  ) {
    self.source = source
    self.target = target
    self.options = options
    self.checkpoint = checkpoint
    self.control = control
    self.bandwidth = bandwidth
    self.expectedSize = expectedSize
    self.beforeNaming = beforeNaming
  }
}

/// Copies one file between any two file systems.
public protocol FileCopying: Sendable {
  /// Copies a file; nothing stands under the target's name before it is whole and checked.
  ///
  /// Cancelling the task ends the copy and removes what it left.
  /// - Parameters:
  ///   - request: What is copied, where and how.
  ///   - progress: Told how many bytes of the file are done; on any thread.
  /// - Returns: What was written.
  /// - Throws: Why there is no copy, and what is left of the attempt.
  func copy(
    _ request: CopyRequest,
    progress: @escaping @Sendable (UInt64) -> Void
  ) async throws(CopyFailure) -> CopyResult
  /// Copies small files from one file system to another, in few round trips for all of them.
  ///
  /// - Parameters:
  ///   - requests: The files, of the same two file systems, without checkpoints and of a size that was told.
  ///   - progress: Told which of them is done, and how many bytes it has; on any thread.
  /// - Returns: What was written, in their order; nil for one that is not small any more, of which nothing was done.
  func copySmall(
    _ requests: [CopyRequest],
    progress: @escaping @Sendable (_ index: Int, UInt64) -> Void
  ) async -> [Result<CopyResult?, CopyFailure>]
}

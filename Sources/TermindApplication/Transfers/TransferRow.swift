public import TermindDomain

/// One file of a batch: what it does and how far it is.
public struct TransferRow: Hashable, Sendable {
  /// What a file does.
  public enum State: Hashable, Sendable {
    /// It waits for its turn.
    case queued
    /// It is being copied.
    case running
    /// It waits until it is resumed, or until a lost connection is back.
    case paused
    /// It is there, and was checked.
    case done
    /// It was left out.
    case skipped
    /// It was given up with its batch.
    case cancelled
    /// It is not there.
    case failed(CopyFailure)
    /// It, and what is in it, could not be looked at or made.
    case missing(FileError)
  }

  /// The file.
  public let item: TransferItem
  /// What it does.
  public var state: State
  /// How many of its bytes are done.
  public var byteCount: UInt64

  /// Makes a row.
  public init(item: TransferItem, state: State, byteCount: UInt64 = 0) {
    self.item = item
    self.state = state
    self.byteCount = byteCount
  }

  /// Whether it is not over.
  public var isOpen: Bool {
    switch state {
    case .queued, .running, .paused: true
    case .done, .skipped, .cancelled, .failed, .missing: false
    }
  }

  /// Whether it went wrong.
  public var hasFailed: Bool {
    switch state {
    case .failed, .missing: true
    case .queued, .running, .paused, .done, .skipped, .cancelled: false
    }
  }
}

/// Something to tell of a batch that is no failure: what was left out, and what could not be kept.
public enum TransferNote: Hashable, Sendable {
  /// Something was left out.
  case skipped(RemotePath, TransferSkip)
  /// A file is there, and something of it is not as it was.
  case warned(RemotePath, FileError)
  /// What was moved could not be removed from its old place.
  case notRemoved(FileError)
  /// What only the target of a mirror has could not be deleted.
  case notDeleted(FileError)
  /// Nothing was deleted in the target of a mirror, since not everything was copied.
  case surplusKept
  /// It has changed since it was copied, or is new, and so stays at its old place.
  case changed(RemotePath)
  /// Something of a file that was given up is still there.
  case leftBehind(RemotePath, CopyFailure)
}

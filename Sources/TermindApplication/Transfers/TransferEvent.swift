public import TermindDomain

/// One file of a transfer.
public struct TransferItem: Hashable, Sendable, Codable {
  /// Its number in the transfer, from 1 in the order in which files were found.
  public let number: Int
  /// Where it is read.
  public let source: RemotePath
  /// Where it goes.
  public let target: RemotePath
  /// Its size when it was found; nil when the file system did not tell.
  public let size: UInt64?
  /// Whether it takes the place of a file.
  public let replaces: Bool

  /// Makes an item.
  public init(
    number: Int,
    source: RemotePath,
    target: RemotePath,
    size: UInt64?,
    replaces: Bool = false
  ) {
    self.number = number
    self.source = source
    self.target = target
    self.size = size
    self.replaces = replaces
  }
}

/// Why something was left out of a transfer.
public enum TransferSkip: Hashable, Sendable {
  /// It is a pipe, a socket or a device.
  case special(FileKind)
  /// The name is taken, and the person chose to keep what is there.
  case exists
  /// An earlier run of the same copy has brought it.
  case isThere
  /// It is the directory that the copy itself fills.
  case ownTarget
  /// The server lists it under what can be no name.
  case badName(String)
}

/// What happens in a transfer.
public enum TransferEvent: Hashable, Sendable {
  /// What was to be copied is begun with at this path of the target; whether nothing stood there before.
  case began(CopyRoot, at: RemotePath, isNew: Bool)
  /// A file was found; it is copied in its turn.
  case found(TransferItem)
  /// Everything was found.
  case planned
  /// A file is being copied.
  case started(TransferItem)
  /// So many bytes of a file are done.
  case progressed(TransferItem, UInt64)
  /// A file was copied and checked.
  case finished(TransferItem, CopyResult)
  /// A file was not copied.
  case failed(TransferItem, CopyFailure)
  /// Something was left out.
  case skipped(RemotePath, TransferSkip)
  /// A directory was made at the target.
  case madeDirectory(RemotePath)
  /// A symbolic link was made at the target.
  case madeLink(RemotePath)
  /// A person left a file out; with what could not be removed of it.
  case leftOut(TransferItem, CopyFailure?)
  /// A file waits to go on, after a pause or a lost connection.
  case paused(TransferItem)
  /// A connection was lost; nothing more is begun until it is back.
  case lost(FileError)
  /// It is back.
  case recovered
  /// A directory could not be listed or made, or a link could not be made: what is below is missing.
  case missing(CopyRoot, FileError)
  /// Something of a directory could not be kept (times, permissions).
  case warned(RemotePath, FileError)
}

/// What became of a transfer.
public struct TransferSummary: Hashable, Sendable {
  /// Files that were copied.
  public var copied = 0
  /// Their bytes.
  public var byteCount: UInt64 = 0
  /// Files, links and directories that were not.
  public var failed = 0
  /// What was left out.
  public var skipped = 0
  /// Directories that were made.
  public var directories = 0
  /// Links that were made.
  public var links = 0
  /// Whether it came to its end.
  public var isComplete = true

  /// Makes an empty summary.
  public init() {}
}

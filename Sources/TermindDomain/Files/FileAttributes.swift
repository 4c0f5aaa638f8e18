/// What a directory entry is.
public enum FileKind: String, Hashable, Sendable, CaseIterable, Codable {
  /// A regular file.
  case regular
  /// A directory.
  case directory
  /// A symbolic link.
  case symbolicLink
  /// A named pipe.
  case pipe
  /// A Unix socket.
  case socket
  /// A character device.
  case characterDevice
  /// A block device.
  case blockDevice
  /// The server does not tell.
  case unknown

  /// Reads the type bits of a POSIX mode; nil or no bits are unknown.
  public init(mode: UInt32?) {
    switch (mode ?? 0) & 0o170000 {
    case 0o100000: self = .regular
    case 0o040000: self = .directory
    case 0o120000: self = .symbolicLink
    case 0o010000: self = .pipe
    case 0o140000: self = .socket
    case 0o020000: self = .characterDevice
    case 0o060000: self = .blockDevice
    default: self = .unknown
    }
  }

  /// Whether it is neither data, nor a directory, nor a link: copies leave it out and say so.
  public var isSpecial: Bool {
    switch self {
    case .pipe, .socket, .characterDevice, .blockDevice: true
    case .regular, .directory, .symbolicLink, .unknown: false
    }
  }
}

/// A moment as file systems keep it, counted from 1970 in UTC.
public struct FileTime: Hashable, Sendable, Comparable, Codable {
  /// Whole seconds.
  public let seconds: Int64
  /// From 0 to 999,999,999; SFTP version 3 has none.
  public let nanoseconds: UInt32

  /// Makes a moment.
  public init(seconds: Int64, nanoseconds: UInt32 = 0) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// The moment without its fraction, which is what both sides of a copy can keep.
  public var wholeSeconds: FileTime { FileTime(seconds: seconds) }

  /// Orders by time.
  public static func < (left: FileTime, right: FileTime) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }
}

/// What a file system tells of a file; whatever it does not tell is nil.
public struct FileAttributes: Hashable, Sendable, Codable {
  /// What it is.
  public var kind: FileKind
  /// Its size in bytes.
  public var size: UInt64?
  /// The number of its owner.
  public var userID: UInt32?
  /// The number of its group.
  public var groupID: UInt32?
  /// The permission bits, from 0 to 0o7777.
  public var permissions: UInt32?
  /// When it was last read.
  public var accessed: FileTime?
  /// When its content last changed.
  public var modified: FileTime?

  /// Makes attributes.
  public init(
    kind: FileKind = .unknown,
    size: UInt64? = nil,
    userID: UInt32? = nil,
    groupID: UInt32? = nil,
    permissions: UInt32? = nil,
    accessed: FileTime? = nil,
    modified: FileTime? = nil
  ) {
    self.kind = kind
    self.size = size
    self.userID = userID
    self.groupID = groupID
    self.permissions = permissions
    self.accessed = accessed
    self.modified = modified
  }

  /// Whether the content is, by size and time, what it was when `earlier` was read.
  ///
  /// What one of both does not tell is not compared.
  public func isUnchanged(since earlier: FileAttributes) -> Bool {
    if let size, let before = earlier.size, size != before { return false }
    guard let modified, let before = earlier.modified else { return true }
    if modified.nanoseconds == 0 || before.nanoseconds == 0 {
      return modified.seconds == before.seconds
    }
    return modified == before
  }
}

/// What is to be changed of a file's attributes; nil keeps what is there.
public struct FileAttributeChange: Hashable, Sendable {
  /// Cuts or extends the file.
  public var size: UInt64?
  /// The new owner and group; both or none.
  public var owner: FileOwner?
  /// The new permission bits, from 0 to 0o7777.
  public var permissions: UInt32?
  /// The new times; both or none.
  public var times: FileTimes?

  /// Describes a change.
  public init(
    size: UInt64? = nil,
    owner: FileOwner? = nil,
    permissions: UInt32? = nil,
    times: FileTimes? = nil
  ) {
    self.size = size
    self.owner = owner
    self.permissions = permissions
    self.times = times
  }

  /// Whether nothing is to be changed.
  public var isEmpty: Bool { self == FileAttributeChange() }
}

/// The numbers of an owner and a group.
public struct FileOwner: Hashable, Sendable {
  /// The owner.
  public let userID: UInt32
  /// The group.
  public let groupID: UInt32

  /// Makes a pair.
  public init(userID: UInt32, groupID: UInt32) {
    self.userID = userID
    self.groupID = groupID
  }
}

/// The two times that can be set.
public struct FileTimes: Hashable, Sendable {
  /// When it was last read.
  public let accessed: FileTime
  /// When its content last changed.
  public let modified: FileTime

  /// Makes a pair.
  public init(accessed: FileTime, modified: FileTime) {
    self.accessed = accessed
    self.modified = modified
  }
}

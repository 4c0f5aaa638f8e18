/// One entry of a directory.
public struct FileEntry: Hashable, Sendable, Codable {
  /// Its name.
  public let name: FileName
  /// What the listing told of it; of a symbolic link itself, not of its target.
  public var attributes: FileAttributes
  /// The owner's name, when the listing told it.
  public var ownerName: String?
  /// The group's name, when the listing told it.
  public var groupName: String?

  /// Makes an entry.
  public init(
    name: FileName,
    attributes: FileAttributes,
    ownerName: String? = nil,
    groupName: String? = nil
  ) {
    self.name = name
    self.attributes = attributes
    self.ownerName = ownerName
    self.groupName = groupName
  }
}

/// Some entries of a directory, in the order in which the file system told them.
public struct FileListingBatch: Hashable, Sendable {
  /// The entries; without `.` and `..`.
  public var entries: [FileEntry]
  /// What was listed but can be no name, for people; a server that lists such things is broken or hostile.
  public var rejectedNames: [String]

  /// Makes a batch.
  public init(entries: [FileEntry] = [], rejectedNames: [String] = []) {
    self.entries = entries
    self.rejectedNames = rejectedNames
  }

  /// Whether it holds nothing.
  public var isEmpty: Bool { entries.isEmpty && rejectedNames.isEmpty }
}

/// Where a symbolic link leads.
public struct FileLink: Hashable, Sendable {
  /// What is written in it, exactly; possibly relative to the link's directory, possibly no path at all.
  public let target: [UInt8]
  /// The attributes of what it leads to in the end; nil when that does not exist or may not be seen.
  public let attributes: FileAttributes?

  /// Makes a link.
  public init(target: [UInt8], attributes: FileAttributes?) {
    self.target = target
    self.attributes = attributes
  }

  /// Whether it leads nowhere.
  public var isBroken: Bool { attributes == nil }
  /// The target for people.
  public var text: String { PathText.safe(target[...]) }
}

/// How full the file system behind a path is.
public struct FileSystemSpace: Hashable, Sendable {
  /// Bytes in all.
  public let total: UInt64
  /// Bytes that nobody uses.
  public let free: UInt64
  /// Bytes that this account may still use.
  public let available: UInt64
  /// Files that may still be made; nil when the file system has no such limit.
  public let availableFiles: UInt64?
  /// Whether nothing can be written.
  public let isReadOnly: Bool

  /// Makes a value.
  public init(
    total: UInt64,
    free: UInt64,
    available: UInt64,
    availableFiles: UInt64?,
    isReadOnly: Bool
  ) {
    self.total = total
    self.free = free
    self.available = available
    self.availableFiles = availableFiles
    self.isReadOnly = isReadOnly
  }
}

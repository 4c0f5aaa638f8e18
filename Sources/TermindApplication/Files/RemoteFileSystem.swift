public import TermindDomain

/// The files of one machine as one account sees them: a server's over SFTP, or this machine's.
///
/// Every call may come from any thread or actor and suspends until it is done; cancelling the task ends the wait at once.
/// Calls run beside each other; nothing waits for an earlier one. Errors name the path that the call was about.
public protocol RemoteFileSystem: AnyObject, Sendable {
  /// Whose files they are.
  var place: FilePlace { get }
  /// What the file system can do beyond the basics.
  var abilities: FileSystemAbilities { get }

  // MARK: Looking

  /// Resolves a path to an absolute one; `RemotePath.start` gives the home directory, and `~` is understood.
  func resolve(_ path: RemotePath) async throws(FileError) -> RemotePath
  /// Tells the attributes of a file; of a symbolic link itself unless it is followed.
  func attributes(of path: RemotePath, followingLinks: Bool) async throws(FileError)
    -> FileAttributes
  /// Lists a directory, giving batches as they come; `.` and `..` are left out.
  ///
  /// No entry costs a request of its own. Cancelling the task ends the listing.
  /// - Parameters:
  ///   - directory: What to list.
  ///   - receive: Takes the next entries; the listing goes no further than a little ahead until it returns.
  /// - Throws: Why it cannot be listed, or not to its end.
  func list(
    _ directory: RemotePath,
    _ receive: @escaping @Sendable (FileListingBatch) async -> Void
  ) async throws(FileError)
  /// Tells where a symbolic link leads, and whether anything is there.
  func link(at path: RemotePath) async throws(FileError) -> FileLink
  /// Tells how full the disk behind a path is; `unsupported` when the server does not tell.
  func space(at path: RemotePath) async throws(FileError) -> FileSystemSpace
  /// Tells the names of owners and groups; numbers without a name are missing.
  func ownerNames(users: Set<UInt32>, groups: Set<UInt32>) async throws(FileError)
    -> FileOwnerNames

  // MARK: Changing

  /// Makes a directory.
  func makeDirectory(_ path: RemotePath, permissions: UInt32?) async throws(FileError)
  /// Removes an empty directory.
  func removeDirectory(_ path: RemotePath) async throws(FileError)
  /// Removes a file or a symbolic link, which is never followed.
  func removeFile(_ path: RemotePath) async throws(FileError)
  /// Renames a file or directory.
  ///
  /// - Parameters:
  ///   - source: What is renamed.
  ///   - target: Its new path.
  ///   - replacing: Whether a file that is there is replaced in one step, `unsupported` where that cannot be done; else
  ///     a name that is taken is refused.
  /// - Throws: Why nothing was renamed; `exists` for a name that is taken.
  func rename(_ source: RemotePath, to target: RemotePath, replacing: Bool)
    async throws(FileError)
  /// Makes a symbolic link that holds exactly `target`.
  func makeSymbolicLink(_ path: RemotePath, to target: [UInt8]) async throws(FileError)
  /// Makes another name for a file.
  func makeHardLink(_ path: RemotePath, to existing: RemotePath) async throws(FileError)
  /// Changes attributes; of a symbolic link itself unless it is followed.
  func change(
    _ path: RemotePath,
    _ change: FileAttributeChange,
    followingLinks: Bool
  ) async throws(FileError)

  // MARK: Contents

  /// Opens a file.
  func open(_ path: RemotePath, _ mode: FileOpenMode) async throws(FileError) -> any OpenFile
  /// Reads a whole small file in as few round trips as there can be.
  ///
  /// - Parameters:
  ///   - path: A regular file; a symbolic link is followed.
  ///   - limit: Most bytes that are read, from 1 to 261,120.
  /// - Returns: The bytes and what the open file told before and after.
  /// - Throws: Why it cannot be read.
  func readSmallFile(_ path: RemotePath, limit: Int) async throws(FileError) -> SmallFile
  /// Writes a small file under a name that must be free, in as few round trips as there can be.
  ///
  /// What cannot be done after the data is safe (times, permissions) is told, not thrown; after an error the file may be
  /// there in part.
  func writeSmallFile(_ path: RemotePath, _ contents: SmallFileContents) async throws(FileError)
    -> SmallFileResult
  /// Reads small files beside each other, each as `readSmallFile` does.
  ///
  /// - Parameters:
  ///   - paths: The files.
  ///   - limit: Most bytes that are read of each.
  /// - Returns: What came of each, in the order of the paths.
  func readSmallFiles(_ paths: [RemotePath], limit: Int) async -> [Result<SmallFile, FileError>]
  /// Writes small files beside each other, each as `writeSmallFile` does.
  ///
  /// - Parameter files: The names and what they are to hold.
  /// - Returns: What came of each, in their order.
  func writeSmallFiles(_ files: [NewSmallFile]) async -> [Result<SmallFileResult, FileError>]
  /// Gives files other names that must be free, beside each other, each as `rename` does without replacing.
  ///
  /// - Parameter renames: What is called how.
  /// - Returns: Why it was not done, for each in their order; nil where it was.
  func rename(_ renames: [FileRename]) async -> [FileError?]
  /// Copies data from one of its open files to another without this machine seeing it; `unsupported` without the ability.
  ///
  /// - Parameters:
  ///   - source: Where the data is read.
  ///   - target: Where it is written, at the same offset.
  ///   - offset: The first byte.
  ///   - length: How many bytes; 0 means up to the end.
  /// - Throws: Why not everything was copied.
  func copyData(
    from source: any OpenFile,
    to target: any OpenFile,
    offset: UInt64,
    length: UInt64
  ) async throws(FileError)

  /// Ends the use of the file system, with everything that is open.
  func close() async
}

/// A small file that is to be made.
public struct NewSmallFile: Sendable {
  /// Where; the name must be free.
  public var path: RemotePath
  /// What it is to hold.
  public var contents: SmallFileContents

  /// Makes a value.
  public init(_ path: RemotePath, _ contents: SmallFileContents) {
    self.path = path
    self.contents = contents
  }
}

/// A file that is to have another name.
public struct FileRename: Sendable {
  /// What it is called.
  public var source: RemotePath
  /// What it is to be called.
  public var target: RemotePath

  /// Makes a value.
  public init(_ source: RemotePath, to target: RemotePath) {
    self.source = source
    self.target = target
  }
}

/// The names of owners and groups by number.
public struct FileOwnerNames: Hashable, Sendable {
  /// Names of users.
  public var users: [UInt32: String]
  /// Names of groups.
  public var groups: [UInt32: String]

  /// Makes a table.
  public init(users: [UInt32: String] = [:], groups: [UInt32: String] = [:]) {
    self.users = users
    self.groups = groups
  }
}

/// What a file is opened for.
public enum FileOpenMode: Hashable, Sendable {
  /// Reading; the file must be there.
  case read
  /// Writing a new file; a name that is taken, also by a symbolic link, is refused.
  case create(permissions: UInt32?)
  /// Writing from the start over what is there, or a new file.
  case overwrite(permissions: UInt32?)
  /// Writing and reading a file that must be there, kept as it is.
  case update
}

/// What a small file held.
public struct SmallFile: Hashable, Sendable {
  /// The bytes, at most the limit.
  public var bytes: ArraySlice<UInt8>
  /// Whether there is more than was read.
  public var isCut: Bool
  /// The attributes before the bytes were read.
  public var before: FileAttributes
  /// The attributes after that.
  public var after: FileAttributes

  /// Makes a value.
  public init(
    bytes: ArraySlice<UInt8>,
    isCut: Bool,
    before: FileAttributes,
    after: FileAttributes
  ) {
    self.bytes = bytes
    self.isCut = isCut
    self.before = before
    self.after = after
  }
}

/// What a small file is to hold.
public struct SmallFileContents: Hashable, Sendable {
  /// The bytes, at most 261,120.
  public var bytes: ArraySlice<UInt8>
  /// Its permissions in the end.
  public var permissions: UInt32?
  /// Its times in the end.
  public var times: FileTimes?
  /// Whether to wait for the disk, where that is offered.
  public var syncs: Bool

  /// Makes a value.
  public init(
    bytes: ArraySlice<UInt8>,
    permissions: UInt32? = nil,
    times: FileTimes? = nil,
    syncs: Bool = true
  ) {
    self.bytes = bytes
    self.permissions = permissions
    self.times = times
    self.syncs = syncs
  }
}

/// What became of a small file.
public struct SmallFileResult: Hashable, Sendable {
  /// The size that the file system told after the last write; nil when it does not tell.
  public var size: UInt64?
  /// Why permissions or times could not be kept.
  public var attributeProblem: FileError?
  /// Why the wait for the disk failed, where it is offered.
  public var syncProblem: FileError?

  /// Makes a value.
  public init(
    size: UInt64?,
    attributeProblem: FileError? = nil,
    syncProblem: FileError? = nil
  ) {
    self.size = size
    self.attributeProblem = attributeProblem
    self.syncProblem = syncProblem
  }
}

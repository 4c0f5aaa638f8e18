/// Why an operation on files failed, in plain terms.
public enum FileErrorReason: Hashable, Sendable {
  /// There is no such file or directory.
  case notFound
  /// The account may not do it.
  case denied
  /// Something with that name is there already.
  case exists
  /// A part of the path is no directory.
  case notDirectory
  /// It is a directory, and the operation is for files.
  case isDirectory
  /// The directory is not empty.
  case notEmpty
  /// The disk has no room.
  case diskFull
  /// The account's quota is used up.
  case quotaExceeded
  /// The server takes no more data though its disk has room: so it looks where a server has no word for a quota.
  case writeRefused
  /// The file system can only be read.
  case readOnly
  /// The name is not allowed there, or too long.
  case badName
  /// Symbolic links lead in a circle.
  case linkLoop
  /// The file is in use.
  case busy
  /// Both places are on different file systems.
  case crossDevice
  /// The server or the file system does not have the operation.
  case unsupported
  /// The connection is gone; the text tells what is known.
  case connectionLost(String)
  /// The account has no SFTP; the text is what the server said.
  case noFileAccess(String)
  /// The account did not become root; the text is what the command said.
  case noRootAccess(String)
  /// The account's shell prints text before SFTP starts, which breaks it; the text is what it printed.
  case startUpText(String)
  /// The server broke the protocol; the connection was closed.
  case protocolBroken(String)
  /// The task was cancelled.
  case cancelled
  /// The server only says that it failed.
  case failed
}

/// A failed operation on files: why, on what, and in whose words.
public struct FileError: Error, Hashable, Sendable {
  /// Why.
  public var reason: FileErrorReason
  /// What it was about.
  public var path: RemotePath?
  /// The server's or system's own text, safe to show; empty when there is none.
  public var text: String

  /// Makes an error.
  public init(_ reason: FileErrorReason, path: RemotePath? = nil, text: String = "") {
    self.reason = reason
    self.path = path
    self.text = text
  }

  /// The same error about a path, unless it has one.
  public func about(_ path: RemotePath) -> FileError {
    var copy = self
    if copy.path == nil { copy.path = path }
    return copy
  }

  /// Whether nothing more can be done over this connection.
  public var endsConnection: Bool {
    switch reason {
    case .connectionLost, .noFileAccess, .noRootAccess, .startUpText, .protocolBroken: true
    default: false
    }
  }

  /// Whether the task was cancelled.
  public var isCancellation: Bool { reason == .cancelled }
}

import Glibc
import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindTestSupport

@testable import TermindRemoteInfrastructure

/// The file systems that keep the contract of the port.
enum FileSystemKind: String, CaseIterable, Sendable {
  case local
  case openSSH
}

/// One file system over an own folder.
struct TestFileSystem {
  let folder: TemporaryFolder
  let files: any RemoteFileSystem
  private let loop: EventLoop

  /// The path of something in the folder.
  func path(_ name: String) throws -> RemotePath {
    guard let path = RemotePath(folder.file(name)) else { throw TestFailure("no path: \(name)") }
    return path
  }

  func path(bytes name: [UInt8]) throws -> RemotePath {
    guard let path = RemotePath(Array(folder.path.utf8) + [0x2F] + name) else {
      throw TestFailure("no path")
    }
    return path
  }

  static func with(
    _ kind: FileSystemKind,
    _ body: (TestFileSystem) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    let loop = try EventLoop(name: "sftp-test")
    defer { loop.shutdown() }
    guard let home = RemotePath(folder.path) else { throw TestFailure("no home") }
    let files: any RemoteFileSystem =
      switch kind {
      case .local: LocalFileSystem(home: home)
      case .openSSH: try await openSSH(folder, on: loop)
      }
    try await body(TestFileSystem(folder: folder, files: files, loop: loop))
    await files.close()
  }

  static let server = "/usr/lib/openssh/sftp-server"

  static func openSSH(_ folder: TemporaryFolder, on loop: EventLoop) async throws -> SFTPFileSystem
  {
    try await program(server, [], folder, on: loop)
  }

  static func program(
    _ program: String,
    _ arguments: [String],
    _ folder: TemporaryFolder,
    on loop: EventLoop
  ) async throws -> SFTPFileSystem {
    try await SFTPFileSystem.start(place: .server("test")) {
      (receiver) async throws(ConnectionFailure) in
      do {
        return try ProgramByteChannel(
          program,
          arguments,
          directory: folder.path,
          environment: ["PATH": "/usr/bin:/bin", "HOME": folder.path],
          on: loop,
          receiver: receiver
        )
      } catch {
        preconditionFailure("\(error)")
      }
    }
  }
}

/// Collects what a listing gives.
actor Listed {
  private(set) var entries: [FileEntry] = []
  private(set) var rejected: [String] = []
  private(set) var batches = 0

  func add(_ batch: FileListingBatch) {
    entries += batch.entries
    rejected += batch.rejectedNames
    batches += 1
  }

  static func all(_ files: any RemoteFileSystem, _ path: RemotePath) async throws -> Listed {
    let listed = Listed()
    try await files.list(path) { await listed.add($0) }
    return listed
  }
}

/// The reason of the error that `body` throws.
func reason(_ body: () async throws(FileError) -> Void) async -> FileErrorReason? {
  do throws(FileError) {
    try await body()
    return nil
  } catch { return error.reason }
}

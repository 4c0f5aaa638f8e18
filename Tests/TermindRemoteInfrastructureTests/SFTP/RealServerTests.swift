import Foundation
import Glibc
import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

/// Other servers than OpenSSH's program, reached through the system's `ssh`.
@Suite("SFTP with other servers") struct RealServerTests {
  enum Server: String, CaseIterable, Sendable {
    case internalSFTP
    case asyncssh
    /// Debian's proftpd-core with proftpd-mod-crypto, installed or as `Scripts/setup --tests` unpacks them.
    case proftpd

    static let installed = allCases.filter {
      $0 != .proftpd || access("\(proftpdRoot)/usr/lib/proftpd/mod_sftp.so", R_OK) == 0
    }
    static let proftpdRoot: String = {
      guard access("/usr/lib/proftpd/mod_sftp.so", R_OK) != 0 else { return "" }
      let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
      return root.appending(path: ".build/proftpd").path
    }()
  }

  private static func with(
    _ server: Server,
    _ body: (SFTPFileSystem, TemporaryFolder) async throws -> Void
  ) async throws {
    let loop = try EventLoop(name: "sftp-real")
    defer { loop.shutdown() }
    let folder = try TemporaryFolder()
    switch server {
    case .internalSFTP:
      let sshd = try await OpenSSHServer()
      let files = try await connect(
        OpenSSHServer.user,
        sshd.port,
        key: sshd.folder.file("user_key"),
        folder,
        on: loop
      )
      try await body(files, folder)
      await files.close()
      sshd.stop()
    case .asyncssh:
      let key = folder.file("key")
      try await OpenSSHServer.makeKey(key, type: "ed25519")
      let script = try folder.write("server.py", asyncsshScript)
      let program = try TestProgram("/usr/bin/python3", ["-W", "ignore", script, key])
      try await program.wait(for: " LISTENING")
      let words = program.text.split(whereSeparator: \.isWhitespace)
      let port = try #require(words.count > 1 ? UInt16(words[1]) : nil)
      let files = try await connect("anyone", port, key: key, folder, on: loop)
      try await body(files, folder)
      await files.close()
      program.stop()
    case .proftpd:
      let key = folder.file("key")
      try await OpenSSHServer.makeKey(key, type: "ed25519")
      let port = try FreePort.find()
      let program = try await proftpd(folder, key: key, port: port)
      let files = try await connect(OpenSSHServer.user, port, key: key, folder, on: loop)
      try await body(files, folder)
      await files.close()
      program.stop()
    }
  }

  /// Starts ProFTPD for the account of the tests, with one key.
  private static func proftpd(_ folder: TemporaryFolder, key: String, port: UInt16) async throws
    -> TestProgram
  {
    let root = Server.proftpdRoot
    let hostKey = folder.file("host")
    try await TestProgram.run(
      "/usr/bin/ssh-keygen",
      ["-q", "-t", "rsa", "-b", "2048", "-m", "PEM", "-N", "", "-f", hostKey]
    )
    let authorized = try await TestProgram.run("/usr/bin/ssh-keygen", ["-e", "-f", "\(key).pub"])
    try folder.write("authorized", authorized)
    let lines = [
      "ServerType standalone", "ServerName test", "UseIPv6 off", "DefaultAddress 127.0.0.1",
      "SocketBindTight on", "Port \(port)", "User \(OpenSSHServer.user)", "Group root",
      "PidFile \(folder.file("pid"))", "ScoreboardFile none", "DelayEngine off",
      "ModulePath \(root)/usr/lib/proftpd", "LoadModule mod_sftp.c", "AuthOrder mod_auth_unix.c",
      "RequireValidShell off", "RootLogin on", "WtmpLog off", "SFTPEngine on",
      "AllowOverwrite on", "SystemLog \(folder.file("system.log"))",
      "SFTPLog \(folder.file("sftp.log"))", "SFTPHostKey \(hostKey)",
      "SFTPAuthMethods publickey",
      "SFTPAuthorizedUserKeys file:\(folder.file("authorized"))",
    ]
    let config = try folder.write("proftpd.conf", lines.joined(separator: "\n") + "\n")
    let program = try TestProgram(
      "\(root)/usr/sbin/proftpd",
      ["-n", "-c", config],
      environment: ["LD_LIBRARY_PATH": "\(root)/usr/lib/x86_64-linux-gnu"]
    )
    try await program.wait(for: "STARTUP")
    return program
  }

  private static func connect(
    _ user: String,
    _ port: UInt16,
    key: String,
    _ folder: TemporaryFolder,
    on loop: EventLoop
  ) async throws -> SFTPFileSystem {
    try await TestFileSystem.program(
      "/usr/bin/ssh",
      [
        "-F", "/dev/null", "-i", key, "-o", "IdentitiesOnly=yes", "-o", "BatchMode=yes", "-o",
        "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR",
        "-p", "\(port)", "\(user)@127.0.0.1", "-s", "sftp",
      ],
      folder,
      on: loop
    )
  }

  private static let asyncsshScript = #"""
    import asyncio, asyncssh, sys

    class Server(asyncssh.SSHServer):
        def begin_auth(self, username):
            return False

    async def main():
        server = await asyncssh.create_server(
            Server, '127.0.0.1', 0, server_host_keys=[sys.argv[1]], sftp_factory=True)
        print('READY', server.sockets[0].getsockname()[1], 'LISTENING', flush=True)
        await asyncio.Event().wait()

    asyncio.run(main())
    """#

  @Test("reads, writes, lists, renames and removes", arguments: Server.installed)
  func basics(server: Server) async throws {
    try await Self.with(server) { files, folder in
      mkdir(folder.file("work"), 0o700)
      let directory = try #require(RemotePath(folder.file("work")))
      #expect(try await files.resolve(.start).isAbsolute)
      let bytes = RemoteFileSystemContractTests.pattern
      let odd = try directory.appending(FileName([0x62, 0x0D, 0x1B, 0xFF]))
      try await RemoteFileSystemContractTests.write(files, odd, bytes)
      let file = try await files.open(odd, .read)
      #expect(
        try await RemoteFileSystemContractTests.read(file.reader(from: 0, to: nil)) == bytes
      )
      try await file.close()
      for number in 0..<300 {
        let path = try directory.appending(FileName("small-\(number)"))
        _ = try await files.writeSmallFile(path, SmallFileContents(bytes: bytes.prefix(number)))
      }
      let listed = try await Listed.all(files, directory).entries
      #expect(listed.count == 301)
      #expect(listed.allSatisfy { $0.attributes.kind == .regular && $0.attributes.size != nil })
      #expect(
        listed.first { $0.name == odd.name }?.attributes.size == UInt64(bytes.count)
      )
      let small = try directory.appending(FileName("small-299"))
      #expect(try await files.readSmallFile(small, limit: 10_000).bytes == bytes.prefix(299))
      if files.abilities.contains(.replacingRename) {
        try await files.rename(small, to: odd, replacing: true)
        #expect(try await files.readSmallFile(odd, limit: 10_000).bytes.count == 299)
      }
      let missing = try directory.appending(FileName("missing"))
      #expect(
        await reason { () throws(FileError) in _ = try await files.open(missing, .read) }
          == .notFound
      )
      #expect(
        await reason { () throws(FileError) in
          _ = try await files.open(odd, .create(permissions: nil))
        } == .exists
      )
      #expect(
        await reason { () throws(FileError) in try await files.removeDirectory(directory) }
          == .notEmpty
      )
      let entry = FileEntry(
        name: try #require(directory.name),
        attributes: try await files.attributes(of: directory, followingLinks: false)
      )
      let parent = try #require(directory.parent)
      let report = await FileTreeWalk.remove([entry], in: parent, of: files) { _ in }
      #expect(report.failures.isEmpty)
      #expect(report.removed >= 301)
    }
  }

  @Test("whole trees go to it and come back", arguments: Server.installed)
  func trees(server: Server) async throws {
    try await Self.with(server) { files, folder in
      mkdir(folder.file("tree"), 0o700)
      for number in 0..<100 { try folder.write("tree/\(number)", "text \(number)") }
      try folder.write("tree/big", String(repeating: "0123456789", count: 100_000))
      let local = LocalFileSystem(home: .root)
      let copy = TreeCopy(copier: FileCopier(), scheduler: TransferScheduler())
      for (from, to, source, target) in [
        ("tree", "there", local as any RemoteFileSystem, files as any RemoteFileSystem),
        ("there", "back", files, local),
      ] {
        let summary = try await copy.run(
          TreeCopyRequest(
            source: FileLocation(source, try #require(RemotePath(folder.file(from)))),
            target: FileLocation(target, try #require(RemotePath(folder.file(to)))),
            policy: .skip,
            owner: TransferSource(rawValue: 1)
          )
        ) { event in
          if case .failed(let item, let failure) = event { Issue.record("\(item): \(failure)") }
        }
        #expect(summary.copied == 101)
        #expect(summary.failed == 0)
      }
      try await TestProgram.run("/usr/bin/diff", ["-r", folder.file("tree"), folder.file("back")])
    }
  }
}

import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

@Suite("Copies whose connection is cut") struct CutConnectionTests {
  private static let old: [UInt8] = Array("the original".utf8)
  /// Plain text: it is written as text, and repairing other bytes would take long.
  private static let new = FileCopierTests.bytes.prefix(700_000).map { 0x30 + $0 & 0x3F }

  private static func start(
    _ folder: TemporaryFolder,
    on loop: EventLoop,
    cutAfter count: Int
  ) async throws -> SFTPFileSystem {
    try await SFTPFileSystem.start(place: .server("cut")) {
      (receiver) async throws(ConnectionFailure) in
      do {
        let base = try ProgramByteChannel(
          TestFileSystem.server,
          directory: folder.path,
          on: loop,
          receiver: receiver
        )
        return CutByteChannel(base, after: count)
      } catch { preconditionFailure("\(error)") }
    }
  }

  private static func names(_ folder: TemporaryFolder) async throws -> [FileName] {
    guard let path = RemotePath(folder.path) else { return [] }
    return try await Listed.all(LocalFileSystem(home: .root), path).entries.map(\.name)
  }

  /// Copies up and is cut after `count` messages; checks what is left.
  private static func upload(
    cutAfter count: Int,
    replacingRename: Bool,
    on loop: EventLoop
  ) async throws {
    let (here, there) = (try TemporaryFolder(), try TemporaryFolder())
    try here.write("from", String(decoding: new, as: UTF8.self))
    let source = try BoundedFile.read(here.file("from"), limit: 10_000_000).bytes
    try there.write("to", String(decoding: old, as: UTF8.self))
    let server: SFTPFileSystem
    do {
      server = try await start(there, on: loop, cutAfter: count)
    } catch let error as FileError {
      #expect(error.endsConnection)
      return
    }
    let files: any RemoteFileSystem =
      replacingRename
      ? server : OddFileSystem(server, OddFileSystem.Oddities(abilities: [.sync, .space]))
    let request = CopyRequest(
      source: FileLocation(
        LocalFileSystem(home: .root),
        try #require(RemotePath(here.file("from")))
      ),
      target: FileLocation(files, try #require(RemotePath(there.file("to")))),
      options: CopyOptions(replaces: true)
    )
    var failure: CopyFailure?
    do throws(CopyFailure) {
      _ = try await FileCopier().copy(request) { _ in }
    } catch { failure = error }
    await server.close()
    var contents: [[UInt8]] = []
    var others: [FileName] = []
    for name in try await names(there) {
      if name.text == "to" {
        contents.append(try BoundedFile.read(there.file("to"), limit: 10_000_000).bytes)
      } else {
        others.append(name)
      }
    }
    // Under the final name there is only ever a whole file.
    #expect(contents.allSatisfy { $0 == old || $0 == source })
    if failure == nil { #expect(contents == [source]) }
    if contents.isEmpty {
      // The original waits under its other name, and the failure says so.
      guard case .operation(.renaming, let error)? = failure?.reason else {
        Issue.record("the original is gone: \(String(describing: failure))")
        return
      }
      #expect(others.contains { error.text.contains($0.text) })
    }
    // Whatever is left of the attempt was told.
    let partials = others.filter { $0.text.hasSuffix(".part") }
    if !partials.isEmpty { #expect(failure?.leftBehind?.name == partials[0]) }
    #expect(others.allSatisfy(PartialName.isOurs))
  }

  @Test("leave a whole file or none under the name, wherever the cut is", arguments: [true, false])
  func uploads(replacingRename: Bool) async throws {
    let loop = try EventLoop(name: "cut")
    defer { loop.shutdown() }
    for count in 1...38 {
      try await Self.upload(cutAfter: count, replacingRename: replacingRename, on: loop)
    }
  }

  @Test("going on after a cut gives the whole file", arguments: [5, 8, 9])
  func downloads(count: Int) async throws {
    let loop = try EventLoop(name: "cut")
    defer { loop.shutdown() }
    let (here, there) = (try TemporaryFolder(), try TemporaryFolder())
    try there.write("from", String(repeating: "0123456789abcdef", count: 150_000))
    let local = LocalFileSystem(home: .root)
    let (from, to) = (
      try #require(RemotePath(there.file("from"))), try #require(RemotePath(here.file("to")))
    )
    let server = try await Self.start(there, on: loop, cutAfter: count)
    var checkpoint: CopyCheckpoint?
    do throws(CopyFailure) {
      _ = try await FileCopier().copy(
        CopyRequest(source: FileLocation(server, from), target: FileLocation(local, to))
      ) { _ in }
    } catch {
      checkpoint = error.checkpoint
      guard case .operation(_, let inner) = error.reason else {
        Issue.record("\(error)")
        return
      }
      #expect(inner.endsConnection)
      #expect(try await !Self.names(here).contains(FileName("to")))
    }
    await server.close()
    let again = try await TestFileSystem.openSSH(there, on: loop)
    _ = try await FileCopier().copy(
      CopyRequest(
        source: FileLocation(again, from),
        target: FileLocation(local, to),
        options: CopyOptions(replaces: true),
        checkpoint: checkpoint
      )
    ) { _ in }
    await again.close()
    try await TestProgram.run("/usr/bin/cmp", [from.text, to.text])
    #expect(try await Self.names(here).map(\.text) == ["to"])
  }
}

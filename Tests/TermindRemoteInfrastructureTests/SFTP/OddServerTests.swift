import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

@Suite("SFTP with odd servers") struct OddServerTests {
  private static func path(_ text: String) throws -> RemotePath { try #require(RemotePath(text)) }

  private static func withLoop(_ body: (EventLoop) async throws -> Void) async throws {
    let loop = try EventLoop(name: "sftp-odd")
    defer { loop.shutdown() }
    try await body(loop)
  }

  @Test("names that lead out of the directory are refused and told")
  func badNames() async throws {
    try await Self.withLoop { loop in
      let listings = Locked(0)
      let server = ScriptedSFTPServer { request, _ in
        switch request.kind {
        case .openDirectory: return request.handle()
        case .readDirectory:
          let turn = listings.withLock { turn in
            turn += 1
            return turn
          }
          guard turn == 1 else { return request.status(1) }
          return request.names([
            Array(".".utf8), Array("..".utf8), Array("/etc/cron.d/x".utf8), Array("a/b".utf8), [],
            [0x61, 0, 0x62], Array("good".utf8),
          ])
        default: return request.status(0)
        }
      }
      let files = try await server.connect(on: loop)
      let listed = try await Listed.all(files, .root)
      #expect(await listed.entries.map(\.name.text) == ["good"])
      #expect(await listed.rejected == ["/etc/cron.d/x", "a/b", "", "a\\x00b"])
      await files.close()
    }
  }

  @Test("a large directory is listed, looked through and counted without a request for an entry")
  func noRequestForEach() async throws {
    try await Self.withLoop { loop in
      let turns = Locked(0)
      let server = ScriptedSFTPServer { request, _ in
        switch request.kind {
        case .openDirectory: return request.handle()
        case .readDirectory:
          let turn = turns.withLock { turns in
            turns += 1
            return turns
          }
          // Several requests are in flight: those behind the last answer are told the end.
          guard turn <= 20 else { return request.status(1) }
          let names = (0..<100).map { Array("file-\(turn)-\($0)".utf8) }
          return request.files(names, mode: 0o100_644)
        default: return request.status(0)
        }
      }
      let files = try await server.connect(on: loop)
      let listed = try await Listed.all(files, .root)
      #expect(await listed.entries.count == 2_000)
      #expect(await listed.entries.allSatisfy { $0.attributes.kind == .regular })
      turns.withLock { $0 = 0 }
      let found = try #require(FilePattern("file-7-*"))
      let result = await FileTreeWalk.find(found, in: .root, of: files) { _ in }
      #expect(result.paths.count == 100)
      turns.withLock { $0 = 0 }
      let totals = try await FileTreeWalk.count(
        await listed.entries,
        in: .root,
        of: files
      ) { _ in }
      #expect(totals.files == 2_000)
      let kinds = Set(server.requests.map(\.kind))
      #expect(kinds == [.openDirectory, .readDirectory, .close])
      await files.close()
    }
  }

  @Test("late answers of a cancelled request are never taken for another's")
  func lateAnswers() async throws {
    try await Self.withLoop { loop in
      let held = Locked<[[UInt8]]>([])
      let server = ScriptedSFTPServer { request, _ in
        if request.kind == .open, request.firstText == "/slow" {
          held.withLock { $0.append(request.handle([9])) }
          return []
        }
        if request.kind == .linkStatus { return request.attributes(size: 42) }
        return request.status(0)
      }
      let files = try await server.connect(on: loop)
      let slow = try Self.path("/slow")
      let task = Task {
        await reason { () throws(FileError) in _ = try await files.open(slow, .read) }
      }
      await server.wait(forRequests: 1)
      task.cancel()
      #expect(await task.value == .cancelled)
      #expect(try await files.attributes(of: .root, followingLinks: false).size == 42)
      // Now the answer comes: its handle is closed, and nobody else gets it.
      for reply in held.withLock({ $0 }) { server.deliver(reply) }
      await server.wait(forRequests: 3)
      let last = try #require(server.requests.last)
      #expect(last.kind == .close)
      #expect(last.body.last == 9)
      #expect(try await files.attributes(of: .root, followingLinks: false).size == 42)
      await files.close()
    }
  }

  @Test("answers in any order reach who asked")
  func anyOrder() async throws {
    try await Self.withLoop { loop in
      let held = Locked<[[UInt8]]>([])
      let server = ScriptedSFTPServer { request, server in
        let size = UInt64(request.firstText.utf8.count)
        let all = held.withLock { held in
          held.append(request.attributes(size: size))
          return held.count == 50 ? held : []
        }
        for reply in all.reversed() { server.deliver(reply) }
        return []
      }
      let files = try await server.connect(on: loop)
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for count in 1...50 {
          let path = try Self.path("/" + String(repeating: "x", count: count))
          group.addTask {
            try await files.attributes(of: path, followingLinks: false).size == UInt64(count + 1)
          }
        }
        for try await isRight in group { #expect(isRight) }
      }
      await files.close()
    }
  }

  @Test("an answer to nothing ends the conversation with a clear word")
  func unknownNumber() async throws {
    try await Self.withLoop { loop in
      let server = ScriptedSFTPServer { request, _ in
        ScriptedRequest(kind: .status, number: request.number &+ 77, body: []).status(0)
      }
      let files = try await server.connect(on: loop)
      let reason = await reason { () throws(FileError) in
        _ = try await files.attributes(of: .root, followingLinks: false)
      }
      #expect(reason == .protocolBroken("an answer to a request that was never sent"))
      guard case .protocolBroken = await files.waitUntilClosed().reason else {
        Issue.record("not told")
        return
      }
    }
  }

  @Test(
    "answers of another kind, or broken ones, end it too",
    arguments: [
      [0, 0, 0, 5, 104, 0, 0, 0, 1], [0, 0, 0, 9, 105, 0, 0, 0, 1, 0, 0, 0, 1], [255, 0, 0, 0],
    ]
  )
  func brokenAnswers(bytes: [UInt8]) async throws {
    try await Self.withLoop { loop in
      let server = ScriptedSFTPServer { _, _ in bytes }
      let files = try await server.connect(on: loop)
      guard
        case .protocolBroken = await reason({ () throws(FileError) in
          _ = try await files.attributes(of: .root, followingLinks: false)
        })
      else {
        Issue.record("not told")
        return
      }
    }
  }

  @Test("short reads are completed, whatever their order")
  func shortReads() async throws {
    let contents = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 2) }
    try await Self.withLoop { loop in
      let random = Locked(SeededGenerator(state: 4))
      let server = ScriptedSFTPServer { request, _ in
        switch request.kind {
        case .open: return request.handle()
        case .read:
          var decoder = SFTPDecoder(request.body)
          guard let _ = try? decoder.string(), let offset = try? decoder.longNumber(),
            let count = try? decoder.number()
          else { return request.status(5) }
          guard offset < UInt64(contents.count) else { return request.status(1) }
          let most = min(Int(count), contents.count - Int(offset))
          let part = random.withLock { Int.random(in: 1...most, using: &$0) }
          return request.data(Array(contents[Int(offset)..<(Int(offset) + part)]))
        default: return request.status(0)
        }
      }
      let files = try await server.connect(on: loop)
      let file = try await files.open(.root, .read)
      #expect(
        try await RemoteFileSystemContractTests.read(file.reader(from: 0, to: nil)) == contents
      )
      try await file.close()
      await files.close()
    }
  }

  @Test("a read that fails tells so after the bytes before it")
  func failedRead() async throws {
    try await Self.withLoop { loop in
      let server = ScriptedSFTPServer { request, _ in
        guard request.kind == .read else { return request.handle() }
        var decoder = SFTPDecoder(request.body)
        guard let _ = try? decoder.string(), let offset = try? decoder.longNumber() else {
          return []
        }
        return offset < 65_536
          ? request.data(Array(repeating: 1, count: 32_768))
          : request.status(4, "Input/output error")
      }
      let files = try await server.connect(on: loop)
      let reader = try await files.open(.root, .read).reader(from: 0, to: nil)
      #expect(try await reader.next()?.count == 32_768)
      #expect(try await reader.next()?.count == 32_768)
      do throws(FileError) {
        _ = try await reader.next()
        Issue.record("no error")
      } catch {
        #expect(error.reason == .failed)
        #expect(error.text == "Input/output error")
      }
      await files.close()
    }
  }

  @Test("what the account's shell prints before SFTP is named")
  func startUpText() async throws {
    try await Self.withLoop { loop in
      let result = await reason { () throws(FileError) in
        _ = try await SFTPFileSystem.start(place: .server("x")) {
          (receiver) async throws(ConnectionFailure) in
          let channel = ScriptedByteChannel(on: loop, receiver: receiver) { _, channel in
            channel.deliver(Array("Welcome to ".utf8))
            channel.deliver(Array("\u{1B}[1mhost\n".utf8))
          }
          return channel
        }
      }
      #expect(result == .startUpText("Welcome to \\x1b[1mhost\\x0a"))
    }
  }

  @Test("an account without SFTP is told in the server's words")
  func noSFTP() async throws {
    try await Self.withLoop { loop in
      let folder = try TemporaryFolder()
      let result = await reason { () throws(FileError) in
        do {
          _ = try await TestFileSystem.program("/bin/false", [], folder, on: loop)
        } catch let error as FileError {
          throw error
        } catch { return }
      }
      #expect(result == .noFileAccess("the SFTP server exited with status 1"))
      let refused = await reason { () throws(FileError) in
        _ = try await SFTPFileSystem.start(place: .server("x")) {
          (_) async throws(ConnectionFailure) in
          throw ConnectionFailure(
            hopIndex: 0,
            hopCount: 1,
            endpoint: SSHEndpoint(host: "x", port: 22),
            step: .openingChannel,
            cause: .channelRefused(request: "subsystem", reason: "subsystem request failed")
          )
        }
      }
      #expect(refused == .noFileAccess("subsystem request failed"))
      let silent = ScriptedByteChannelHost()
      let late = await reason { () throws(FileError) in
        _ = try await silent.start(on: loop, within: .milliseconds(50))
      }
      #expect(late == .noFileAccess("the server did not start SFTP"))
    }
  }

  /// A server that says nothing at all.
  struct ScriptedByteChannelHost {
    func start(on loop: EventLoop, within limit: Duration) async throws(FileError)
      -> SFTPFileSystem
    {
      try await SFTPFileSystem.start(place: .server("x"), within: limit) {
        (receiver) async throws(ConnectionFailure) in
        ScriptedByteChannel(on: loop, receiver: receiver) { _, _ in }
      }
    }
  }

  @Test("a lost connection ends everything that waits")
  func lost() async throws {
    try await Self.withLoop { loop in
      let server = ScriptedSFTPServer { request, _ in
        request.kind == .open ? request.handle() : []
      }
      let files = try await server.connect(on: loop)
      let file = try await files.open(.root, .update)
      let reads = Task {
        await reason { () throws(FileError) in _ = try await file.reader(from: 0, to: nil).next() }
      }
      let writes = Task {
        await reason { () throws(FileError) in
          let writer = file.writer(at: 0)
          try await writer.write([1])
          try await writer.finish()
        }
      }
      let lists = Task {
        await reason { () throws(FileError) in try await files.list(.root) { _ in } }
      }
      await server.wait(forRequests: 4)
      server.channel?.end(.signalled(name: "KILL"))
      let expected = FileErrorReason.connectionLost("the SFTP server was ended by signal KILL")
      #expect(await reads.value == expected)
      #expect(await writes.value == expected)
      #expect(await lists.value == expected)
      #expect(await files.waitUntilClosed().reason == expected)
      #expect(
        await reason { () throws(FileError) in try await files.removeFile(.root) } == expected
      )
    }
  }

  @Test("a server that stops answering is given up after a time, and all that waits with it")
  func silent() async throws {
    try await Self.withLoop { loop in
      let server = ScriptedSFTPServer { request, _ in
        request.kind == .open ? request.handle() : []
      }
      let files = try await server.connect(on: loop)
      await files.connection.limitSilence(to: .milliseconds(600))
      let file = try await files.open(.root, .update)
      async let listing = reason { () throws(FileError) in try await files.list(.root) { _ in } }
      async let looking = reason { () throws(FileError) in
        _ = try await files.attributes(of: .root, followingLinks: true)
      }
      let lost = FileErrorReason.connectionLost(
        "the SFTP server has not answered for 0 seconds"
      )
      #expect(await listing == lost)
      #expect(await looking == lost)
      #expect(
        await reason { () throws(FileError) in _ = try await file.attributes() } == lost
      )
      #expect(await files.waitUntilClosed().reason == lost)
    }
  }

  @Test("a server that answers something, and one that waits for its disk, are waited for")
  func slow() async throws {
    try await Self.withLoop { loop in
      let server = ScriptedSFTPServer(extensions: [SFTPExtension.sync]) { request, _ in
        switch request.kind {
        case .open: request.handle()
        case .extended: []
        default: request.status(2)
        }
      }
      let files = try await server.connect(on: loop)
      await files.connection.limitSilence(to: .seconds(1))
      let file = try await files.open(.root, .update)
      async let syncing: Void = file.sync()
      await server.wait(forRequests: 2)
      let request = try #require(server.requests.last)
      // Longer than others may take.
      try await Task.sleep(for: .milliseconds(1_800))
      server.deliver(request.status(0))
      try await syncing
      #expect(
        await reason { () throws(FileError) in
          _ = try await files.attributes(of: .root, followingLinks: true)
        } == .notFound
      )
      await files.close()
    }
  }

  @Test("requests wait while the channel takes nothing, in order")
  func congestion() async throws {
    try await Self.withLoop { loop in
      let server = ScriptedSFTPServer { request, _ in
        request.kind == .open ? request.handle() : request.status(0)
      }
      let files = try await server.connect(on: loop)
      let file = try await files.open(.root, .update)
      server.channel?.setAccepting(false)
      let writes = Task {
        let writer = file.writer(at: 0)
        for _ in 0..<40 { try await writer.write(ArraySlice(repeating: 1, count: 32_768)) }
        try await writer.finish()
      }
      await Task.yield()
      server.channel?.setAccepting(true)
      try await writes.value
      let offsets = server.requests.filter { $0.kind == .write }.compactMap { request -> UInt64? in
        var decoder = SFTPDecoder(request.body)
        _ = try? decoder.string()
        return try? decoder.longNumber()
      }
      #expect(offsets == (0..<40).map { UInt64($0) * 32_768 })
      await files.close()
    }
  }

  @Test("no more files are open at once than the server allows")
  func handleLimit() async throws {
    try await Self.withLoop { loop in
      let counts = Locked((open: 0, most: 0))
      let server = ScriptedSFTPServer(extensions: [SFTPExtension.limits]) { request, _ in
        switch request.kind {
        case .extended:
          var encoder = SFTPEncoder(.replyExtended, number: request.number)
          for number in [0, 0, 0, 3] { encoder.add(UInt64(number)) }
          return encoder.finished()
        case .open:
          counts.withLock { counts in
            counts.open += 1
            counts.most = max(counts.most, counts.open)
          }
          return request.handle()
        case .close:
          counts.withLock { $0.open -= 1 }
          return request.status(0)
        default: return request.status(0)
        }
      }
      let files = try await server.connect(on: loop)
      _ = await reason { () throws(FileError) in try await files.removeFile(.root) }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<20 {
          group.addTask {
            let file = try await files.open(.root, .read)
            await Task.yield()
            try await file.close()
          }
        }
        try await group.waitForAll()
      }
      // What is cancelled before it is sent, or while it waits, takes no room for good.
      for _ in 0..<10 {
        let task = Task {
          await reason { () throws(FileError) in
            let file = try await files.open(.root, .read)
            try await file.close()
          }
        }
        task.cancel()
        _ = await task.value
      }
      let after = try await files.open(.root, .read)
      try await after.close()
      #expect(counts.withLock { $0.most } <= 3)
      #expect(counts.withLock { $0.open } == 0)
      await files.close()
    }
  }

  @Test("operations that the server lacks are refused before they are sent")
  func lacking() async throws {
    try await Self.withLoop { loop in
      let server = ScriptedSFTPServer { request, _ in request.status(8) }
      let files = try await server.connect(on: loop)
      #expect(files.abilities == [])
      let path = try Self.path("/x")
      #expect(
        await reason { () throws(FileError) in
          try await files.rename(path, to: path, replacing: true)
        } == .unsupported
      )
      #expect(
        await reason { () throws(FileError) in _ = try await files.space(at: path) }
          == .unsupported
      )
      #expect(
        await reason { () throws(FileError) in try await files.makeHardLink(path, to: path) }
          == .unsupported
      )
      #expect(server.requests.isEmpty)
      #expect(
        await reason { () throws(FileError) in
          try await files.makeSymbolicLink(path, to: [0x78])
        } == .unsupported
      )
      #expect(try await files.ownerNames(users: [0], groups: []) == FileOwnerNames())
      await files.close()
    }
  }
}

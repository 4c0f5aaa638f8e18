import Glibc
import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

@Suite("Copies of one file") struct FileCopierTests {
  static let bytes: [UInt8] = (0..<3_000_001).map { UInt8(truncatingIfNeeded: ($0 &* 73) >> 4) }

  /// Two folders with a file system each.
  private static func with(
    _ kinds: (FileSystemKind, FileSystemKind),
    _ body: (TestFileSystem, TestFileSystem) async throws -> Void
  ) async throws {
    try await TestFileSystem.with(kinds.0) { source in
      try await TestFileSystem.with(kinds.1) { target in try await body(source, target) }
    }
  }

  private static func request(
    _ source: TestFileSystem,
    _ target: TestFileSystem,
    _ files: (any RemoteFileSystem)? = nil,
    replaces: Bool = false
  ) throws -> CopyRequest {
    CopyRequest(
      source: FileLocation(source.files, try source.path("from")),
      target: FileLocation(files ?? target.files, try target.path("to")),
      options: CopyOptions(replaces: replaces)
    )
  }

  /// The reason and what is left, or nil after success.
  private static func failure(_ request: CopyRequest) async -> CopyFailure? {
    do throws(CopyFailure) {
      _ = try await FileCopier().copy(request) { _ in }
      return nil
    } catch { return error }
  }

  private static func put(_ bytes: some Collection<UInt8>, _ path: String) throws {
    let bytes = Array(bytes)
    let descriptor = open(path, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0o640)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      try #require(count > 0)
      done += count
    }
  }

  private static func get(_ path: String) throws -> [UInt8] {
    try BoundedFile.read(path, limit: 10_000_000).bytes
  }

  private static func names(_ test: TestFileSystem) async throws -> [String] {
    try await Listed.all(test.files, test.path(".")).entries.map(\.name.text).sorted()
  }

  @Test(
    "keeps bytes, permissions and times, in every direction",
    arguments: FileSystemKind.allCases,
    FileSystemKind.allCases
  )
  func copies(from: FileSystemKind, to: FileSystemKind) async throws {
    try await Self.with((from, to)) { source, target in
      for size in [0, 1, 65_536, 65_537, 3_000_001] {
        for isKnown in [true, false] {
          try Self.put(Self.bytes.prefix(size), source.folder.file("from"))
          chmod(source.folder.file("from"), 0o4750)
          var times = [
            timespec(tv_sec: 11, tv_nsec: 0), timespec(tv_sec: 1_234_567_890, tv_nsec: 0),
          ]
          utimensat(AT_FDCWD, source.folder.file("from"), &times, 0)
          var request = try Self.request(source, target, replaces: true)
          request.options.readsBack = isKnown
          if isKnown { request.expectedSize = UInt64(size) }
          let seen = Locked<UInt64>(0)
          let result = try await FileCopier().copy(request) { count in
            seen.withLock { $0 = max($0, count) }
          }
          #expect(result.byteCount == UInt64(size))
          #expect(result.digest == Digest.sha256.hash(Self.bytes.prefix(size)))
          #expect(result.warnings == [])
          #expect(try Self.get(target.folder.file("to")) == Array(Self.bytes.prefix(size)))
          let kept = try await target.files.attributes(of: target.path("to"), followingLinks: false)
          #expect(kept.permissions == 0o4750)
          #expect(kept.modified?.seconds == 1_234_567_890)
          #expect(seen.withLock { $0 } == UInt64(size))
          #expect(try await Self.names(target) == ["to"])
        }
      }
    }
  }

  @Test("a server copies within itself without its data coming here")
  func copiesWithin() async throws {
    try await TestFileSystem.with(.openSSH) { test in
      try Self.put(Self.bytes, test.folder.file("from"))
      let result = try await FileCopier().copy(Self.request(test, test)) { _ in }
      #expect(result.digest == [])
      #expect(result.byteCount == UInt64(Self.bytes.count))
      #expect(try Self.get(test.folder.file("to")) == Self.bytes)
    }
  }

  @Test("a name that is taken is left alone, or replaced in one step")
  func taken() async throws {
    try await Self.with((.local, .openSSH)) { source, target in
      for size in [10, 100_000] {
        try Self.put(Self.bytes.prefix(size), source.folder.file("from"))
        try Self.put([9], target.folder.file("to"))
        var request = try Self.request(source, target)
        request.expectedSize = UInt64(size)
        #expect(await Self.failure(request) == CopyFailure(.refused(.exists)))
        #expect(try Self.get(target.folder.file("to")) == [9])
        request.options.replaces = true
        #expect(try await FileCopier().copy(request) { _ in }.hasReplaced)
        #expect(try Self.get(target.folder.file("to")).count == size)
        #expect(try await Self.names(target) == ["to"])
      }
    }
  }

  @Test("a file is never replaced by itself over another connection", arguments: [100, 700_000])
  func ontoItself(size: Int) async throws {
    try await TestFileSystem.with(.openSSH) { remote in
      let bytes = Self.bytes.prefix(size)
      try Self.put(bytes, remote.folder.file("from"))
      let path = try remote.path("from")
      let request = CopyRequest(
        source: FileLocation(LocalFileSystem(home: .root), path),
        target: FileLocation(remote.files, path),
        options: CopyOptions(replaces: true),
        expectedSize: UInt64(size)
      )
      #expect(await Self.failure(request) == CopyFailure(.refused(.ontoItself)))
      #expect(try Self.get(path.text) == Array(bytes))
      #expect(try await Self.names(remote) == ["from"])
    }
  }

  @Test("servers without a replacing rename, and without any, get the file all the same")
  func withoutRename() async throws {
    try await Self.with((.local, .openSSH)) { source, target in
      try Self.put(Self.bytes, source.folder.file("from"))
      for oddities in [
        OddFileSystem.Oddities(abilities: []),
        OddFileSystem.Oddities(abilities: [], renames: false),
      ] {
        let files = OddFileSystem(target.files, oddities)
        unlink(target.folder.file("to"))
        #expect(
          try await FileCopier().copy(Self.request(source, target, files)) { _ in }.hasReplaced
            == false
        )
        #expect(try Self.get(target.folder.file("to")) == Self.bytes)
        try Self.put([9], target.folder.file("to"))
        let request = try Self.request(source, target, files, replaces: true)
        #expect(try await FileCopier().copy(request) { _ in }.hasReplaced)
        #expect(try Self.get(target.folder.file("to")) == Self.bytes)
        #expect(try await Self.names(target) == ["to"])
      }
    }
  }

  @Test("when the name cannot be given, the original is back and the new data is kept")
  func failedRename() async throws {
    try await Self.with((.local, .openSSH)) { source, target in
      try Self.put(Self.bytes, source.folder.file("from"))
      try Self.put([9], target.folder.file("to"))
      // The first rename moves the original aside, the second one fails, the third one brings it back.
      let files = OddFileSystem(
        target.files,
        OddFileSystem.Oddities(abilities: [], renameLimit: 1)
      )
      let failure = await Self.failure(try Self.request(source, target, files, replaces: true))
      guard case .operation(.renaming, _)? = failure?.reason, let left = failure?.leftBehind else {
        Issue.record("\(String(describing: failure))")
        return
      }
      #expect(try Self.get(target.folder.file("to")) == [9])
      #expect(try Self.get(left.text) == Self.bytes)
    }
  }

  @Test("a server that stores less than it says is found out", arguments: [100_000, 3_000_001])
  func storesLess(size: Int) async throws {
    try await Self.with((.local, .openSSH)) { source, target in
      try Self.put(Self.bytes.prefix(size), source.folder.file("from"))
      let files = OddFileSystem(target.files, OddFileSystem.Oddities(keeps: 60_000))
      var request = try Self.request(source, target, files)
      request.expectedSize = UInt64(size)
      #expect(
        await Self.failure(request)
          == CopyFailure(.sizeDiffers(written: UInt64(size), found: 60_000))
      )
      #expect(try await Self.names(target) == [])
    }
  }

  @Test("attributes that cannot be kept are a warning, never a failure")
  func attributes() async throws {
    try await Self.with((.local, .openSSH)) { source, target in
      try Self.put(Self.bytes, source.folder.file("from"))
      let files = OddFileSystem(target.files, OddFileSystem.Oddities(changes: false))
      let result = try await FileCopier().copy(Self.request(source, target, files)) { _ in }
      #expect(result.warnings.map(\.reason) == [.unsupported, .unsupported])
      #expect(try Self.get(target.folder.file("to")) == Self.bytes)
    }
  }

  @Test(
    "a source that changes while it is read is no success",
    arguments: ["grow", "cut", "replace"]
  )
  func changingSource(how: String) async throws {
    try await Self.with((.local, .openSSH)) { source, target in
      let path = source.folder.file("from")
      try Self.put(Self.bytes, path)
      let isDone = Locked(false)
      let files = OddFileSystem(
        source.files,
        OddFileSystem.Oddities(onRead: { _ in
          guard
            !isDone.withLock({ done in
              defer { done = true }
              return done
            })
          else { return }
          switch how {
          case "grow":
            let descriptor = open(path, O_WRONLY | O_APPEND)
            write(descriptor, "x", 1)
            close(descriptor)
          case "cut": truncate(path, 1_000_000)
          default:
            var times = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 2, tv_nsec: 0)]
            utimensat(AT_FDCWD, path, &times, 0)
          }
        })
      )
      var request = try Self.request(source, target)
      request.source = FileLocation(files, request.source.path)
      #expect(await Self.failure(request) == CopyFailure(.sourceChanged))
      #expect(try await Self.names(target) == [])
    }
  }

  @Test(
    "a pause keeps what was written, and going on proves it",
    arguments: ["fine", "source", "partial"]
  )
  func pauses(what: String) async throws {
    try await Self.with((.local, .openSSH)) { source, target in
      try Self.put(Self.bytes, source.folder.file("from"))
      let control = CopyControl()
      let files = OddFileSystem(
        source.files,
        OddFileSystem.Oddities(onRead: { _ in control.pause() })
      )
      var request = try Self.request(source, target)
      // The first piece is read, and dropped by the pause: let one through.
      request.control = control
      let reads = Locked(0)
      let slow = OddFileSystem(
        files.base,
        OddFileSystem.Oddities(onRead: { _ in
          if reads.withLock({ reads in
            reads += 1
            return reads == 4
          }) {
            control.pause()
          }
        })
      )
      request.source = FileLocation(slow, request.source.path)
      let failure = try #require(await Self.failure(request))
      #expect(failure.reason == .paused)
      let checkpoint = try #require(failure.checkpoint)
      let offset = try #require(checkpoint.milestones.last?.offset)
      #expect(offset > 0 && offset < UInt64(Self.bytes.count))
      #expect(try Self.get(checkpoint.partial.text).count == Int(offset))
      switch what {
      case "source": try Self.put(Self.bytes.dropLast(), source.folder.file("from"))
      case "partial":
        let descriptor = open(checkpoint.partial.text, O_WRONLY)
        pwrite(descriptor, "?", 1, 5)
        close(descriptor)
      default: break
      }
      var again = try Self.request(source, target)
      again.checkpoint = checkpoint
      // What cannot be proved is written anew.
      if what != "source" {
        let result = try await FileCopier().copy(again) { _ in }
        #expect(result.digest == Digest.sha256.hash(Self.bytes))
        #expect(try Self.get(target.folder.file("to")) == Self.bytes)
        #expect(try await Self.names(target) == ["to"])
      } else {
        #expect(await Self.failure(again)?.reason == .notResumable)
        #expect(try await Self.names(target) == [])
      }
    }
  }

  @Test(
    "a cancelled copy removes what it wrote, and says what it could not remove",
    arguments: [true, false]
  )
  func cancelled(canRemove: Bool) async throws {
    try await Self.with((.local, .openSSH)) { source, target in
      try Self.put(Self.bytes, source.folder.file("from"))
      let gate = Locked(false)
      let slow = OddFileSystem(
        source.files,
        OddFileSystem.Oddities(onRead: { _ in
          gate.withLock { $0 = true }
          try? await Task.sleep(for: .seconds(3_600))
        })
      )
      let files = OddFileSystem(
        target.files,
        OddFileSystem.Oddities(isBusy: { _ in !canRemove })
      )
      var request = try Self.request(source, target, files)
      request.source = FileLocation(slow, request.source.path)
      let wanted = request
      let task = Task { await Self.failure(wanted) }
      while !gate.withLock({ $0 }) { await Task.yield() }
      task.cancel()
      let failure = try #require(await task.value)
      #expect(failure.reason == .cancelled)
      #expect((failure.leftBehind == nil) == canRemove)
      #expect(failure.leftBehindReason?.reason == (canRemove ? nil : .busy))
      #expect(try await Self.names(target).isEmpty == canRemove)
    }
  }

  @Test("after a lost connection the copy goes on over a new one")
  func lost() async throws {
    try await Self.with((.openSSH, .local)) { source, target in
      try Self.put(Self.bytes, source.folder.file("from"))
      let reads = Locked(0)
      let inner = source.files
      let cut = OddFileSystem(
        inner,
        OddFileSystem.Oddities(onRead: { _ in
          if reads.withLock({ reads in
            reads += 1
            return reads == 3
          }) {
            await inner.close()
          }
        })
      )
      var request = try Self.request(source, target)
      request.source = FileLocation(cut, request.source.path)
      let failure = try #require(await Self.failure(request))
      guard case .operation(.reading, let error) = failure.reason else {
        Issue.record("\(failure)")
        return
      }
      #expect(error.endsConnection)
      let checkpoint = try #require(failure.checkpoint)
      #expect(try await Self.names(target).count == 1)
      let loop = try EventLoop(name: "again")
      defer { loop.shutdown() }
      let files = try await TestFileSystem.openSSH(source.folder, on: loop)
      var again = try Self.request(source, target)
      again.source = FileLocation(files, again.source.path)
      again.checkpoint = checkpoint
      let first = Locked<UInt64?>(nil)
      let result = try await FileCopier().copy(again) { count in
        first.withLock { $0 = $0 ?? count }
      }
      #expect(result.digest == Digest.sha256.hash(Self.bytes))
      #expect(try #require(first.withLock { $0 }) > checkpoint.milestones[0].offset)
      #expect(try Self.get(target.folder.file("to")) == Self.bytes)
      #expect(try await Self.names(target) == ["to"])
      await files.close()
    }
  }

  @Test("directories, pipes and missing files are refused as such")
  func refused() async throws {
    try await Self.with((.local, .openSSH)) { source, target in
      #expect(
        await Self.failure(try Self.request(source, target))?.reason
          == .operation(
            .reading,
            FileError(
              .notFound,
              path: try source.path("from"),
              text: "No such file or directory"
            )
          )
      )
      mkdir(source.folder.file("from"), 0o700)
      guard
        case .operation(.reading, let error)? = await Self.failure(
          try Self.request(source, target)
        )?.reason
      else {
        Issue.record("not refused")
        return
      }
      #expect(error.reason == .isDirectory)
      let same = CopyRequest(
        source: FileLocation(source.files, try source.path("x")),
        target: FileLocation(source.files, try source.path("x"))
      )
      #expect(await Self.failure(same) == CopyFailure(.refused(.ontoItself)))
      #expect(try await Self.names(target) == [])
    }
  }
}

import Glibc
import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

/// What every file system keeps, proved on this machine's and on a real server.
@Suite("The contract of a file system") struct RemoteFileSystemContractTests {
  static let pattern: [UInt8] = (0..<700_001).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }

  @Test("starts at the home directory and resolves", arguments: FileSystemKind.allCases)
  func resolves(kind: FileSystemKind) async throws {
    try await TestFileSystem.with(kind) { test in
      let home = try await test.files.resolve(.start)
      #expect(home.text == test.folder.path)
      mkdir(test.folder.file("d"), 0o755)
      #expect(try await test.files.resolve(test.path("d/../d/.")).text == test.folder.file("d"))
      #expect(try await test.files.resolve(#require(RemotePath("d"))).text == test.folder.file("d"))
    }
  }

  @Test("lists every name exactly, with what it is", arguments: FileSystemKind.allCases)
  func lists(kind: FileSystemKind) async throws {
    try await TestFileSystem.with(kind) { test in
      let names: [[UInt8]] = [
        Array("plain".utf8), Array("bad\r".utf8), Array("line\nbreak".utf8), [0x61, 0xFF],
        Array("雪人☃".utf8), Array("-rf".utf8), Array(" ".utf8), Array("\u{1B}[2J".utf8),
        Array(repeating: 0x78, count: 255),
      ]
      for name in names {
        try await Self.write(test.files, test.path(bytes: name), Array(name.prefix(3)))
      }
      mkdir(test.folder.file("dir"), 0o750)
      symlink("nowhere", test.folder.file("broken"))
      symlink("dir", test.folder.file("link"))
      mkfifo(test.folder.file("pipe"), 0o600)
      let listed = try await Listed.all(test.files, test.path("."))
      let entries = await listed.entries
      let byName = Dictionary(uniqueKeysWithValues: entries.map { ($0.name.bytes, $0) })
      #expect(entries.count == names.count + 4)
      for name in names {
        let entry = try #require(byName[name])
        #expect(entry.attributes.kind == .regular)
        #expect(entry.attributes.size == UInt64(min(3, name.count)))
        let again = try await test.files.attributes(
          of: test.path(".").appending(entry.name),
          followingLinks: false
        )
        #expect(again.size == entry.attributes.size)
        #expect(again.modified?.seconds == entry.attributes.modified?.seconds)
      }
      #expect(byName[Array("dir".utf8)]?.attributes.kind == .directory)
      #expect(byName[Array("dir".utf8)]?.attributes.permissions == 0o750)
      #expect(byName[Array("broken".utf8)]?.attributes.kind == .symbolicLink)
      #expect(byName[Array("pipe".utf8)]?.attributes.kind == .pipe)
      let broken = try await test.files.link(at: test.path("broken"))
      #expect(broken.isBroken)
      #expect(broken.target == Array("nowhere".utf8))
      #expect(try await test.files.link(at: test.path("link")).attributes?.kind == .directory)
      let owner = try #require(byName[Array("plain".utf8)]?.attributes.userID)
      let owners = try await test.files.ownerNames(users: [owner, 4_000_000_000], groups: [])
      #expect(owners.users == [owner: OpenSSHServer.user])
    }
  }

  @Test("lists many entries in batches", arguments: FileSystemKind.allCases)
  func listsMany(kind: FileSystemKind) async throws {
    try await TestFileSystem.with(kind) { test in
      for number in 0..<3_000 {
        let descriptor = open(test.folder.file("file-\(number)"), O_CREAT | O_WRONLY, 0o600)
        close(descriptor)
      }
      let listed = try await Listed.all(test.files, test.path("."))
      #expect(await Set(listed.entries.map(\.name)).count == 3_000)
      #expect(await listed.batches > 1)
    }
  }

  @Test("a cancelled listing ends, and the next one is whole", arguments: FileSystemKind.allCases)
  func cancelledListing(kind: FileSystemKind) async throws {
    try await TestFileSystem.with(kind) { test in
      for number in 0..<2_000 {
        close(open(test.folder.file("file-\(number)"), O_CREAT | O_WRONLY, 0o600))
      }
      let path = try test.path(".")
      let files = test.files
      let gate = Listed()
      let task = Task {
        await reason { () throws(FileError) in
          try await files.list(path) { batch in
            await gate.add(batch)
            // Never goes on by itself.
            try? await Task.sleep(for: .seconds(3_600))
          }
        }
      }
      while await gate.batches == 0 { await Task.yield() }
      task.cancel()
      #expect(await task.value == .cancelled)
      #expect(try await Listed.all(files, path).entries.count == 2_000)
    }
  }

  @Test("writes and reads with many requests in flight", arguments: FileSystemKind.allCases)
  func contents(kind: FileSystemKind) async throws {
    try await TestFileSystem.with(kind) { test in
      let path = try test.path("file")
      try await Self.write(test.files, path, Self.pattern)
      let file = try await test.files.open(path, .read)
      #expect(try await Self.read(file.reader(from: 0, to: nil)) == Self.pattern)
      #expect(
        try await Self.read(file.reader(from: 1_000, to: 600_123))
          == Array(Self.pattern[1_000..<600_123])
      )
      #expect(try await Self.read(file.reader(from: 700_001, to: nil)) == [])
      #expect(
        try await Self.read(file.reader(from: 700_000, to: 800_000)) == [Self.pattern[700_000]]
      )
      #expect(try await file.read(at: 700_001, count: 10) == [])
      #expect(try await file.read(at: 699_999, count: 10).count == 2)
      #expect(try await file.attributes().size == 700_001)
      try await file.close()
      #expect(await reason { () throws(FileError) in _ = try await file.attributes() } != nil)
    }
  }

  @Test("a reader that is given up leaves the rest alone", arguments: FileSystemKind.allCases)
  func stoppedReader(kind: FileSystemKind) async throws {
    try await TestFileSystem.with(kind) { test in
      let path = try test.path("file")
      try await Self.write(test.files, path, Self.pattern)
      let file = try await test.files.open(path, .read)
      for _ in 0..<20 {
        let reader = file.reader(from: 0, to: nil)
        _ = try await reader.next()
        await reader.stop()
      }
      #expect(try await Self.read(file.reader(from: 0, to: nil)) == Self.pattern)
      try await file.close()
    }
  }

  @Test("new files never take a name that is there", arguments: FileSystemKind.allCases)
  func exclusive(kind: FileSystemKind) async throws {
    try await TestFileSystem.with(kind) { test in
      let path = try test.path("file")
      try await Self.write(test.files, path, [1])
      symlink("elsewhere", test.folder.file("link"))
      let link = try test.path("link")
      for taken in [path, link] {
        #expect(
          await reason { () throws(FileError) in
            _ = try await test.files.open(taken, .create(permissions: nil))
          } == .exists
        )
        #expect(
          await reason { () throws(FileError) in
            _ = try await test.files.writeSmallFile(taken, SmallFileContents(bytes: [1]))
          } == .exists
        )
      }
      #expect(access(test.folder.file("elsewhere"), F_OK) != 0)
    }
  }

  @Test("small files are read and written whole", arguments: FileSystemKind.allCases)
  func smallFiles(kind: FileSystemKind) async throws {
    try await TestFileSystem.with(kind) { test in
      for size in [0, 1, 4_096, 32_768, 32_769, 100_000] {
        let path = try test.path("small-\(size)")
        let bytes = Self.pattern.prefix(size)
        let times = FileTimes(
          accessed: FileTime(seconds: 1_000_000_000),
          modified: FileTime(seconds: 2_522_880_000)
        )
        let result = try await test.files.writeSmallFile(
          path,
          SmallFileContents(bytes: bytes, permissions: 0o4751, times: times)
        )
        #expect(result.size == UInt64(size))
        #expect(result.attributeProblem == nil)
        #expect(result.syncProblem == nil)
        let file = try await test.files.readSmallFile(path, limit: 200_000)
        #expect(file.bytes == bytes)
        #expect(!file.isCut)
        #expect(file.before.modified?.seconds == 2_522_880_000)
        #expect(file.after.permissions == 0o4751)
      }
      let cut = try await test.files.readSmallFile(test.path("small-100000"), limit: 1_000)
      #expect(cut.isCut)
      #expect(cut.bytes == Self.pattern.prefix(1_000))
      // Made up while it is read, with a size of 0.
      let status = try await test.files.readSmallFile(
        #require(RemotePath("/proc/self/status")),
        limit: 100_000
      )
      #expect(status.bytes.starts(with: "Name:".utf8))
    }
  }

  @Test("renames, with and without replacing", arguments: FileSystemKind.allCases)
  func renames(kind: FileSystemKind) async throws {
    try await TestFileSystem.with(kind) { test in
      let (one, two, three) = try (test.path("one"), test.path("two"), test.path("three"))
      try await Self.write(test.files, one, [1])
      try await Self.write(test.files, two, [2])
      #expect(
        await reason { () throws(FileError) in
          try await test.files.rename(one, to: two, replacing: false)
        } == .exists
      )
      #expect(try await test.files.readSmallFile(two, limit: 9).bytes == [2])
      try await test.files.rename(one, to: three, replacing: false)
      try await test.files.rename(three, to: two, replacing: true)
      #expect(try await test.files.readSmallFile(two, limit: 9).bytes == [1])
      #expect(
        await reason { () throws(FileError) in
          try await test.files.rename(one, to: two, replacing: true)
        } == .notFound
      )
    }
  }

  @Test("makes, changes and removes", arguments: FileSystemKind.allCases)
  func changes(kind: FileSystemKind) async throws {
    try await TestFileSystem.with(kind) { test in
      let files = test.files
      let directory = try test.path("dir")
      try await files.makeDirectory(directory, permissions: 0o711)
      #expect(try await files.attributes(of: directory, followingLinks: true).permissions == 0o711)
      #expect(
        await reason { () throws(FileError) in
          try await files.makeDirectory(directory, permissions: nil)
        } == .exists
      )
      let inner = try directory.appending(FileName("x"))
      try await Self.write(files, inner, [1, 2, 3])
      #expect(
        await reason { () throws(FileError) in try await files.removeDirectory(directory) }
          == .notEmpty
      )
      try await files.change(
        inner,
        FileAttributeChange(size: 2, permissions: 0o604),
        followingLinks: true
      )
      let changed = try await files.attributes(of: inner, followingLinks: true)
      #expect(changed.size == 2)
      #expect(changed.permissions == 0o604)
      let hard = try test.path("hard")
      try await files.makeHardLink(hard, to: inner)
      #expect(try await files.readSmallFile(hard, limit: 9).bytes == [1, 2])
      let link = try test.path("link")
      try await files.makeSymbolicLink(link, to: Array("dir".utf8))
      let times = FileTimes(
        accessed: FileTime(seconds: 5),
        modified: FileTime(seconds: 1_234_567_890)
      )
      try await files.change(link, FileAttributeChange(times: times), followingLinks: false)
      #expect(
        try await files.attributes(of: link, followingLinks: false).modified?.seconds
          == 1_234_567_890
      )
      #expect(
        try await files.attributes(of: link, followingLinks: true).modified?.seconds
          != 1_234_567_890
      )
      // The link goes, never what it leads to.
      try await files.removeFile(link)
      #expect(try await files.readSmallFile(inner, limit: 9).bytes == [1, 2])
      try await files.removeFile(inner)
      try await files.removeDirectory(directory)
      #expect(
        await reason { () throws(FileError) in
          _ = try await files.attributes(of: directory, followingLinks: false)
        } == .notFound
      )
    }
  }

  @Test("copies data by itself", arguments: FileSystemKind.allCases)
  func copiesData(kind: FileSystemKind) async throws {
    try await TestFileSystem.with(kind) { test in
      let (from, to) = try (test.path("from"), test.path("to"))
      try await Self.write(test.files, from, Self.pattern)
      try #require(test.files.abilities.contains(.copyData))
      let source = try await test.files.open(from, .read)
      let target = try await test.files.open(to, .create(permissions: 0o600))
      try await test.files.copyData(from: source, to: target, offset: 0, length: 300_000)
      try await test.files.copyData(from: source, to: target, offset: 300_000, length: 0)
      try await target.sync()
      #expect(try await Self.read(target.reader(from: 0, to: nil)) == Self.pattern)
      try await source.close()
      try await target.close()
    }
  }

  @Test("says why not", arguments: FileSystemKind.allCases)
  func errors(kind: FileSystemKind) async throws {
    try await TestFileSystem.with(kind) { test in
      let files = test.files
      let file = try test.path("file")
      let missing = try test.path("missing")
      try await Self.write(files, file, [1])
      mkdir(test.folder.file("dir"), 0o700)
      let directory = try test.path("dir")
      #expect(
        await reason { () throws(FileError) in _ = try await files.open(missing, .read) }
          == .notFound
      )
      #expect(
        await reason { () throws(FileError) in _ = try await files.open(directory, .update) }
          == .isDirectory
      )
      #expect(
        await reason { () throws(FileError) in try await files.list(file) { _ in } }
          == .notDirectory
      )
      #expect(
        await reason { () throws(FileError) in try await files.list(missing) { _ in } }
          == .notFound
      )
      #expect(
        await reason { () throws(FileError) in _ = try await files.link(at: file) } == .failed
      )
      let space = try await files.space(at: directory)
      #expect(space.total > 0 && space.available <= space.total && !space.isReadOnly)
    }
  }

  @Test("a full disk is called a full disk", arguments: FileSystemKind.allCases)
  func fullDisk(kind: FileSystemKind) async throws {
    // Every system has this device, which takes nothing.
    guard kind == .openSSH else { return }
    try await TestFileSystem.with(kind) { test in
      let file = try await test.files.open(
        #require(RemotePath("/dev/full")),
        .overwrite(permissions: nil)
      )
      let writer = file.writer(at: 0)
      let reason = await reason { () throws(FileError) in
        try await writer.write(Self.pattern[...])
        try await writer.finish()
      }
      // The disk behind /dev is not full, so no more is known than that it takes nothing.
      #expect(reason == .writeRefused)
      try await file.close()
    }
  }

  static func write(
    _ files: any RemoteFileSystem,
    _ path: RemotePath,
    _ bytes: [UInt8]
  ) async throws {
    let file = try await files.open(path, .create(permissions: 0o600))
    let writer = file.writer(at: 0)
    var rest = bytes[...]
    while !rest.isEmpty {
      try await writer.write(rest.prefix(100_000))
      rest = rest.dropFirst(100_000)
    }
    try await writer.finish()
    try await file.close()
  }

  static func read(_ reader: any FileReading) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    while let more = try await reader.next() { bytes += more }
    return bytes
  }
}

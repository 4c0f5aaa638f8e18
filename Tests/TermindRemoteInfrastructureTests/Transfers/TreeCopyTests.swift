import Glibc
import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

@Suite("Copies of trees") struct TreeCopyTests {
  /// Collects events.
  private final class Events: Sendable {
    private let events = Locked<[TransferEvent]>([])
    var all: [TransferEvent] { events.withLock { $0 } }
    func add(_ event: TransferEvent) { events.withLock { $0.append(event) } }
  }

  private static func copy(
    _ source: TestFileSystem,
    _ from: String,
    _ target: TestFileSystem,
    _ to: String,
    policy: ConflictPolicy = .skip,
    events: Events = Events()
  ) async throws(CopyFailure) -> TransferSummary {
    guard let from = RemotePath(source.folder.file(from)),
      let to = RemotePath(target.folder.file(to))
    else { throw CopyFailure(.cancelled) }
    let copy = TreeCopy(copier: FileCopier(), scheduler: TransferScheduler())
    return try await copy.run(
      TreeCopyRequest(
        source: FileLocation(source.files, from),
        target: FileLocation(target.files, to),
        options: CopyOptions(syncs: false),
        policy: policy,
        owner: TransferSource(rawValue: 1)
      )
    ) { events.add($0) }
  }

  private static func makeTree(_ folder: TemporaryFolder) throws {
    mkdir(folder.file("tree"), 0o750)
    mkdir(folder.file("tree/empty"), 0o711)
    mkdir(folder.file("tree/deep"), 0o700)
    mkdir(folder.file("tree/deep/er"), 0o500)
    chmod(folder.file("tree/deep/er"), 0o700)
    for number in 0..<150 {
      try folder.write("tree/deep/small-\(number)", "content \(number)")
    }
    try folder.write("tree/deep/er/bad\r\n\u{1B}[2J", "odd")
    try folder.write("tree/big", String(repeating: "0123456789", count: 50_000))
    symlink("deep", folder.file("tree/link"))
    symlink("nowhere", folder.file("tree/broken"))
    mkfifo(folder.file("tree/pipe"), 0o600)
    chmod(folder.file("tree/deep/er"), 0o500)
    var times = [timespec(tv_sec: 5, tv_nsec: 0), timespec(tv_sec: 999_999_999, tv_nsec: 0)]
    utimensat(AT_FDCWD, folder.file("tree/deep"), &times, 0)
  }

  /// What `find` and checksums say of a tree.
  private static func picture(_ folder: TemporaryFolder, _ name: String) async throws -> String {
    try await TestProgram.run(
      "/bin/sh",
      [
        "-c",
        "cd '\(folder.file(name))' && find . ! -type p ! -type f ! -type l -printf '%y %m %P\\n' | sort"
          + " && find . -type l -printf '%y %l %P\\n' | sort"
          + " && find . -type f -printf '%m %P\\0' | sort -z | tr '\\0' '\\n'"
          + " && find . -type f -print0 | sort -z | xargs -0 sha256sum",
      ]
    )
  }

  @Test("a tree goes up and comes down as it was")
  func roundTrip() async throws {
    try await TestFileSystem.with(.local) { local in
      try await TestFileSystem.with(.openSSH) { remote in
        try Self.makeTree(local.folder)
        let events = Events()
        let up = try await Self.copy(local, "tree", remote, "copy", events: events)
        #expect(up.copied == 152)
        #expect(up.directories == 4)
        #expect(up.links == 2)
        #expect(up.failed == 0)
        #expect(up.isComplete)
        #expect(
          events.all.contains(.skipped(try local.path("tree/pipe"), .special(.pipe)))
        )
        #expect(events.all.filter { $0 == .planned }.count == 1)
        let before = try await Self.picture(local.folder, "tree")
        #expect(try await Self.picture(remote.folder, "copy") == before)
        let deep = try await remote.files.attributes(
          of: remote.path("copy/deep"),
          followingLinks: false
        )
        #expect(deep.modified?.seconds == 999_999_999)
        let down = try await Self.copy(remote, "copy", local, "back")
        #expect(down.copied == 152)
        #expect(try await Self.picture(local.folder, "back") == before)
        for folder in [
          local.folder.file("back/deep/er"), local.folder.file("tree/deep/er"),
          remote.folder.file("copy/deep/er"),
        ] {
          chmod(folder, 0o700)
        }
      }
    }
  }

  @Test("merging follows the policy, file by file")
  func policies() async throws {
    try await TestFileSystem.with(.local) { local in
      try await TestFileSystem.with(.openSSH) { remote in
        mkdir(local.folder.file("tree"), 0o700)
        for name in ["one", "two"] { try local.folder.write("tree/\(name)", "new \(name)") }
        mkdir(remote.folder.file("copy"), 0o700)
        try remote.folder.write("copy/one", "old")
        try remote.folder.write("copy/other", "other")
        let skipped = try await Self.copy(local, "tree", remote, "copy", policy: .skip)
        #expect(skipped.copied == 1)
        #expect(skipped.skipped == 1)
        #expect(try TemporaryFolder.read(remote.folder.file("copy/one")) == "old")
        let both = try await Self.copy(local, "tree", remote, "copy", policy: .keepBoth)
        #expect(both.directories == 1)
        #expect(try TemporaryFolder.read(remote.folder.file("copy (2)/one")) == "new one")
        let over = try await Self.copy(local, "tree", remote, "copy", policy: .overwrite)
        #expect(over.copied == 2)
        #expect(try TemporaryFolder.read(remote.folder.file("copy/one")) == "new one")
        #expect(try TemporaryFolder.read(remote.folder.file("copy/other")) == "other")
        let newer = try await Self.copy(
          local,
          "tree",
          remote,
          "copy",
          policy: .overwriteIfNewerOrSizeDiffers
        )
        #expect(newer.copied == 0)
        #expect(newer.skipped == 2)
      }
    }
  }

  @Test("a directory is never copied into itself, nor anything onto itself")
  func intoItself() async throws {
    try await TestFileSystem.with(.openSSH) { remote in
      mkdir(remote.folder.file("tree"), 0o700)
      mkdir(remote.folder.file("tree/sub"), 0o700)
      symlink("tree", remote.folder.file("alias"))
      for (to, refusal) in [
        ("tree", CopyRefusal.ontoItself), ("tree/sub/x", .intoItself), ("alias/sub/x", .intoItself),
      ] {
        do throws(CopyFailure) {
          _ = try await Self.copy(remote, "tree", remote, to)
          Issue.record("copied to \(to)")
        } catch { #expect(error.reason == .refused(refusal)) }
      }
      #expect(access(remote.folder.file("tree/sub/x"), F_OK) != 0)
    }
  }

  @Test("one file that fails does not stop the others")
  func failures() async throws {
    try await TestFileSystem.with(.local) { local in
      try await TestFileSystem.with(.openSSH) { remote in
        mkdir(local.folder.file("tree"), 0o700)
        for number in 0..<20 { try local.folder.write("tree/\(number)", "x") }
        try local.folder.write("tree/big", String(repeating: "x", count: 200_000))
        mkdir(remote.folder.file("copy"), 0o700)
        mkdir(remote.folder.file("copy/7"), 0o700)
        mkdir(remote.folder.file("copy/big"), 0o700)
        let events = Events()
        let summary = try await Self.copy(
          local,
          "tree",
          remote,
          "copy",
          policy: .overwrite,
          events: events
        )
        #expect(summary.copied == 19)
        #expect(summary.failed == 2)
        let missing = events.all.compactMap { event -> String? in
          if case .missing(let root, _) = event { return root.source.name?.text }
          return nil
        }
        #expect(missing.sorted() == ["7", "big"])
      }
    }
  }

  @Test("removal takes links, never what they lead to", arguments: FileSystemKind.allCases)
  func removal(kind: FileSystemKind) async throws {
    try await TestFileSystem.with(kind) { test in
      mkdir(test.folder.file("keep"), 0o700)
      try test.folder.write("keep/file", "kept")
      mkdir(test.folder.file("tree"), 0o700)
      mkdir(test.folder.file("tree/sub"), 0o700)
      for number in 0..<100 { try test.folder.write("tree/sub/\(number)", "12345") }
      symlink("../keep", test.folder.file("tree/link"))
      symlink("keep", test.folder.file("alias"))
      let root = try await test.files.resolve(.start)
      func entry(_ name: String) async throws -> FileEntry {
        FileEntry(
          name: try FileName(name),
          attributes: try await test.files.attributes(of: test.path(name), followingLinks: false)
        )
      }
      let tree = [try await entry("tree")]
      let count = try await FileTreeWalk.count(tree, in: root, of: test.files) { _ in }
      #expect(count.files == 101)
      #expect(count.directories == 2)
      #expect(count.bytes >= 500)
      let report = await FileTreeWalk.remove(tree, in: root, of: test.files) { _ in }
      #expect(report.removed == 103)
      #expect(report.failures.isEmpty)
      let alias = [try await entry("alias")]
      #expect(await FileTreeWalk.remove(alias, in: root, of: test.files) { _ in }.removed == 1)
      #expect(try TemporaryFolder.read(test.folder.file("keep/file")) == "kept")
      #expect(access(test.folder.file("tree"), F_OK) != 0)
    }
  }
}

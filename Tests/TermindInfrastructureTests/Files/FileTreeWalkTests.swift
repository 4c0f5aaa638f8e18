import Glibc
import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindTestSupport
import Testing

@Suite("Counting and removing trees") struct FileTreeWalkTests {
  private let folder: TemporaryFolder
  private let files: LocalFileSystem
  private let root: RemotePath

  init() throws {
    folder = try TemporaryFolder()
    root = try #require(RemotePath(folder.path))
    files = LocalFileSystem(home: root)
  }

  private func make(_ directories: String...) {
    for name in directories { mkdir(folder.file(name), 0o700) }
  }

  private func exists(_ name: String) -> Bool {
    var status = stat()
    return lstat(folder.file(name), &status) == 0
  }

  private func entries() async throws -> [FileEntry] {
    let collected = Collected()
    try await files.list(root) { await collected.add($0.entries) }
    return await collected.entries.sorted { $0.name < $1.name }
  }

  private func entry(_ name: String) async throws -> FileEntry {
    try #require(try await entries().first { $0.name.text == name })
  }

  private actor Collected {
    var entries: [FileEntry] = []
    func add(_ more: [FileEntry]) { entries += more }
  }

  private func remove(_ names: String...) async throws -> FileRemovalReport {
    let chosen = try await entries().filter { names.contains($0.name.text) }
    return await FileTreeWalk.remove(chosen, in: root, of: files) { _ in }
  }

  @Test("counts what is under a directory, links as themselves")
  func counts() async throws {
    make("tree", "tree/a", "tree/b", "outside")
    try folder.write("tree/a/one", "12345")
    try folder.write("tree/two", "1")
    try folder.write("outside/many", String(repeating: "x", count: 1_000))
    symlink(folder.file("outside"), folder.file("tree/link"))
    let totals = try await FileTreeWalk.count([entry("tree")], in: root, of: files) { _ in }
    #expect(totals.directories == 3 && totals.files == 3 && totals.bytes == 6)
    #expect(totals.failures.isEmpty)
  }

  @Test("removes a tree, and of the links in it only the links")
  func removesLinks() async throws {
    make("tree", "tree/deep", "tree/deep/er", "target")
    try folder.write("target/kept", "kept")
    try folder.write("tree/deep/er/file", "gone")
    symlink(folder.file("target"), folder.file("tree/deep/to-directory"))
    symlink(folder.file("target/kept"), folder.file("tree/to-file"))
    symlink("nowhere", folder.file("tree/broken"))
    let report = try await remove("tree")
    #expect(report.failures.isEmpty && !report.isStopped)
    #expect(report.removed == 7)
    #expect(!exists("tree"))
    #expect(try TemporaryFolder.read(folder.file("target/kept")) == "kept")
  }

  @Test("a link to a directory is removed itself")
  func removesLink() async throws {
    make("target")
    try folder.write("target/kept", "kept")
    symlink(folder.file("target"), folder.file("link"))
    let report = try await remove("link")
    #expect(report.failures.isEmpty && report.removed == 1)
    #expect(!exists("link") && exists("target/kept"))
  }

  @Test("a directory that became a link since it was listed is not followed")
  func replacedByLink() async throws {
    make("tree", "target")
    try folder.write("target/kept", "kept")
    let listed = try await entry("tree")
    rmdir(folder.file("tree"))
    symlink(folder.file("target"), folder.file("tree"))
    let report = await FileTreeWalk.remove([listed], in: root, of: files) { _ in }
    #expect(report.failures.isEmpty && report.removed == 1)
    #expect(!exists("tree") && exists("target/kept"))
  }

  @Test("removes names that are hostile to terminals and shells")
  func hostileNames() async throws {
    make("tree")
    for name in ["-rf", "a\nb", "\u{1B}[31m", "bad\r", " ", "tab\t"] {
      try folder.write("tree/\(name)", "")
    }
    let report = try await remove("tree")
    #expect(report.failures.isEmpty && !exists("tree"))
  }

  @Test("what cannot be removed is told, and the rest is removed", .disabled(if: getuid() == 0))
  func failures() async throws {
    make("tree", "tree/locked", "tree/free")
    try folder.write("tree/locked/file", "")
    try folder.write("tree/free/file", "")
    chmod(folder.file("tree/locked"), 0o500)
    let report = try await remove("tree")
    chmod(folder.file("tree/locked"), 0o700)
    #expect(report.failures.map(\.reason) == [.denied])
    #expect(exists("tree/locked/file") && !exists("tree/free"))
  }

  @Test("what is gone already is told")
  func gone() async throws {
    try folder.write("file", "")
    let listed = try await entry("file")
    unlink(folder.file("file"))
    let report = await FileTreeWalk.remove([listed], in: root, of: files) { _ in }
    #expect(report.failures.map(\.reason) == [.notFound] && report.removed == 0)
  }

  @Test("stops when its task is cancelled")
  func cancelled() async throws {
    make("tree")
    for number in 0..<300 { try folder.write("tree/\(number)", "") }
    let listed = try await entry("tree")
    let (files, root) = (files, root)
    let task = Task {
      // Ends with the cancellation, so that nothing may be touched.
      try? await Task.sleep(for: .seconds(60))
      return await FileTreeWalk.remove([listed], in: root, of: files) { _ in }
    }
    task.cancel()
    let report = await task.value
    #expect(report.isStopped || report.failures.map(\.reason) == [.cancelled])
    #expect(exists("tree/299"))
  }

  @Test("removes many files and tells how far it is")
  func many() async throws {
    make("tree")
    for number in 0..<1_000 { try folder.write("tree/\(number)", "") }
    let told = Told()
    let listed = try await entry("tree")
    let report = await FileTreeWalk.remove([listed], in: root, of: files) { await told.add($0) }
    #expect(report.removed == 1_001 && !exists("tree"))
    #expect(await told.counts.count >= 10)
  }

  private actor Told {
    var counts: [UInt64] = []
    func add(_ count: UInt64) { counts.append(count) }
  }
}

@Suite("Finding names in trees") struct FileFindingTests {
  @Test("finds names below a directory, nearest first, and goes through no link")
  func finds() async throws {
    let folder = try TemporaryFolder()
    for name in ["a", "a/b", "c"] { mkdir(folder.file(name), 0o700) }
    for name in ["x.log", "a/y.log", "a/b/z.log", "c/other"] { try folder.write(name, "") }
    symlink(folder.file("a"), folder.file("c/link"))
    symlink(folder.path, folder.file("a/b/circle.log"))
    let root = try #require(RemotePath(folder.path))
    let files = LocalFileSystem(home: root)
    let pattern = try #require(FilePattern("*.log"))
    let found = await FileTreeWalk.find(pattern, in: root, of: files) { _ in }
    let names = found.paths.compactMap { root.names(to: $0)?.map(\.text).joined(separator: "/") }
    #expect(names.first == "x.log")
    #expect(names.sorted() == ["a/b/circle.log", "a/b/z.log", "a/y.log", "x.log"])
    #expect(found.seen == 9 && !found.isCut && found.failures.isEmpty)
    let cut = await FileTreeWalk.find(pattern, in: root, of: files, limit: 1) { _ in }
    #expect(cut.isCut && cut.paths.count == 1)
  }
}

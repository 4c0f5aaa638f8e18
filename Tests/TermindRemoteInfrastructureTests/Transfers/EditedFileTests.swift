import Glibc
import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindRemoteInfrastructure
import TermindTestSupport
import Testing

@Suite("Files that are edited in a copy") struct EditedFileTests {
  private let folder: TemporaryFolder
  private let files: LocalFileSystem
  private let edited: EditedFile

  init() throws {
    folder = try TemporaryFolder()
    mkdir(folder.file("there"), 0o700)
    mkdir(folder.file("here"), 0o700)
    let root = try #require(RemotePath(folder.path))
    files = LocalFileSystem(home: root)
    try folder.write("there/file", "before", mode: 0o640)
    edited = EditedFile(
      original: FileLocation(files, try #require(RemotePath("\(folder.path)/there/file"))),
      copy: FileLocation(files, try #require(RemotePath("\(folder.path)/here/file")))
    )
  }

  private var snapshot: FileLocation {
    get throws {
      FileLocation(files, try #require(RemotePath("\(folder.path)/here/snapshot")))
    }
  }

  private func text() throws -> String { try TemporaryFolder.read(folder.file("there/file")) }

  private func mode() -> mode_t {
    var status = stat()
    stat(folder.file("there/file"), &status)
    return status.st_mode & 0o7777
  }

  private func isThere(_ name: String) -> Bool {
    var status = stat()
    return lstat(folder.file(name), &status) == 0
  }

  private func failure(
    _ known: EditOriginal?,
    progress: @escaping @Sendable (UInt64) -> Void = { _ in }
  ) async throws -> CopyFailureReason? {
    do {
      _ = try await edited.store(replacing: known, through: try snapshot, progress: progress)
      return nil
    } catch let failure as CopyFailure { return failure.reason }
  }

  @Test("what is stored has the new bytes, the mode of the original, and becomes what is known")
  func stores() async throws {
    let known = try await edited.fetch { _ in }
    #expect(try TemporaryFolder.read(folder.file("here/file")) == "before")
    #expect(try await edited.digest() == known.digest)
    try folder.write("here/file", "after", mode: 0o600)
    let (now, warnings) = try await edited.store(replacing: known, through: snapshot) { _ in }
    #expect(try text() == "after" && mode() == 0o640 && warnings.isEmpty)
    #expect(try await edited.digest() == now.digest && now.digest != known.digest)
    #expect(!isThere("here/snapshot"))
    // Once more, from what is known now.
    try folder.write("here/file", "again", mode: 0o600)
    #expect(try await failure(now) == nil)
    #expect(try text() == "again")
  }

  @Test("an original of another size, time, mode or content is not overwritten")
  func changed() async throws {
    let known = try await edited.fetch { _ in }
    try folder.write("here/file", "mine", mode: 0o600)
    try folder.write("there/file", "longer than before", mode: 0o640)
    #expect(try await failure(known) == .targetChanged)
    try folder.write("there/file", "before", mode: 0o640)
    // Size and content are back, the time is not.
    let later = timespec(tv_sec: 2_000_000_000, tv_nsec: 0)
    utimensat(AT_FDCWD, folder.file("there/file"), [later, later], 0)
    #expect(try await failure(known) == .targetChanged)
    let fresh = try await edited.fetch { _ in }
    chmod(folder.file("there/file"), 0o644)
    #expect(try await failure(fresh) == .targetChanged)
    chmod(folder.file("there/file"), 0o640)
    // Other bytes of one size, with the time put back.
    try folder.write("there/file", "BEFORE", mode: 0o640)
    utimensat(AT_FDCWD, folder.file("there/file"), [later, later], 0)
    #expect(try await failure(fresh) == .targetChanged)
    #expect(try text() == "BEFORE")
    unlink(folder.file("there/file"))
    #expect(try await failure(fresh) == .targetChanged)
    #expect(!isThere("there/file") && !isThere("here/snapshot"))
  }

  @Test("a change while the copy travels is found before the new file gets its name")
  func changedMeanwhile() async throws {
    let known = try await edited.fetch { _ in }
    // Large enough to travel in parts.
    try folder.write("here/file", String(repeating: "x", count: 1_000_000), mode: 0o600)
    let place = folder.file("there/file")
    let reason = try await failure(known) { _ in
      let file = open(place, O_WRONLY | O_TRUNC)
      _ = write(file, "theirs", 6)
      close(file)
    }
    #expect(reason == .targetChanged)
    #expect(try text() == "theirs")
    #expect(folder.names("there") == ["file"])
  }

  @Test(
    "whoever says so overwrites, also what is gone; or stores beside it, never onto another file"
  )
  func overwrites() async throws {
    let known = try await edited.fetch { _ in }
    try folder.write("here/file", "mine", mode: 0o600)
    try folder.write("there/file", "theirs")
    chmod(folder.file("there/file"), 0o604)
    #expect(try await failure(nil) == nil)
    #expect(try text() == "mine" && mode() == 0o604)
    unlink(folder.file("there/file"))
    #expect(try await failure(nil) == nil)
    #expect(try text() == "mine")
    let other = try #require(RemotePath("\(folder.path)/there/file (2)"))
    let snapshot = FileLocation(files, try #require(RemotePath(folder.file("here/.snapshot"))))
    let (now, warnings) = try await edited.store(under: other, like: known, through: snapshot)
    #expect(try TemporaryFolder.read(folder.file("there/file (2)")) == "mine")
    #expect(now.attributes.permissions == known.attributes.permissions && warnings.isEmpty)
    #expect(folder.names("here") == ["file"])
    await #expect(throws: CopyFailure(.refused(.exists))) {
      try await edited.store(under: other, like: known, through: snapshot)
    }
  }

  @Test("a digest is that of the tool of that name")
  func digests() async throws {
    try folder.write("large", String(repeating: "y", count: 300_000))
    let location = FileLocation(files, try #require(RemotePath(folder.file("large"))))
    let digest = try await FileDigest.sha256(location)
    let text = digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    #expect(try await TestProgram.run("/usr/bin/sha256sum", [folder.file("large")]).hasPrefix(text))
  }

  @Test("saves are heard of, also when a new file takes the place of the old one")
  func watches() throws {
    let watch = try #require(DirectoryWatch(folder.file("here")))
    #expect(!DescriptorWait.readable([watch.descriptor], milliseconds: 0)[0])
    try folder.write("here/file", "saved")
    #expect(DescriptorWait.readable([watch.descriptor], milliseconds: 5_000)[0])
    watch.drain()
    #expect(!DescriptorWait.readable([watch.descriptor], milliseconds: 0)[0])
    try folder.write("there/new", "saved")
    rename(folder.file("there/new"), folder.file("here/file"))
    #expect(DescriptorWait.readable([watch.descriptor], milliseconds: 5_000)[0])
    #expect(DirectoryWatch(folder.file("nowhere")) == nil)
  }
}

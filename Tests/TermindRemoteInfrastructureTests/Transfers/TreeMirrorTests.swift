import Glibc
import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

@Suite("Mirrors of directories") struct TreeMirrorTests {
  /// What a comparison of both folders finds in the second that does not belong there.
  private static func mirror(_ bench: TransferBench) async throws -> TreeMirror {
    let local = LocalFileSystem(home: .root)
    let source = try #require(RemotePath(bench.here.path))
    let target = try #require(RemotePath(bench.there.path))
    let found = Locked(MirrorSurplus())
    _ = try await TreeComparison.run(
      FileLocation(local, source),
      FileLocation(local, target),
      by: .sizeAndTime
    ) { difference in found.withLock { $0.take(difference) } }
    return TreeMirror(source: source, target: target, surplus: found.withLock { $0 })
  }

  private func refusal(
    _ source: FileLocation,
    _ target: FileLocation,
    deletes: Bool = true
  ) async -> CopyFailureReason? {
    do throws(CopyFailure) {
      try await TreeMirror.check(source, target, deletes: deletes)
      return nil
    } catch { return error.reason }
  }

  @Test(
    "a target that holds the source is refused, by its path, by a link, and by another connection"
  )
  func holders() async throws {
    let bench = try TransferBench(isOne: true)
    mkdir(bench.here.file("data"), 0o700)
    mkdir(bench.here.file("data/deep"), 0o700)
    mkdir(bench.here.file("data/deep/src"), 0o700)
    mkdir(bench.here.file("other"), 0o700)
    symlink("data", bench.here.file("link"))
    let local = LocalFileSystem(home: .root)
    let server = try await bench.open()
    func here(_ name: String) throws -> FileLocation {
      FileLocation(local, try #require(RemotePath(bench.here.file(name))))
    }
    func there(_ name: String) throws -> FileLocation {
      FileLocation(server, try #require(RemotePath(bench.here.file(name))))
    }
    let holds = CopyFailureReason.refused(.holdsSource)
    #expect(await refusal(try here("data/deep/src"), try here("data")) == holds)
    #expect(await refusal(try here("data/deep/src"), try here("link")) == holds)
    #expect(await refusal(try there("data/deep/src"), try here("data")) == holds)
    #expect(await refusal(try there("data/deep/src"), try here("link")) == holds)
    #expect(await refusal(try there("data"), try here("data")) == holds)
    #expect(await refusal(try here("data"), try here("data")) == .refused(.ontoItself))
    #expect(await refusal(try here("data"), try here("data/deep")) == .refused(.intoItself))
    #expect(await refusal(try there("other"), try here("data")) == nil)
    #expect(await refusal(try there("other"), try here("not/there")) == nil)
    #expect(await refusal(try there("data/deep/src"), try here("data"), deletes: false) == nil)
    // The mark is gone again.
    #expect(bench.here.names("data") == ["deep"])
    await server.close()
  }

  @Test("nothing is deleted before all is copied; trying again ends it")
  func deletesLast() async throws {
    let bench = try TransferBench()
    for name in ["good", "bad"] { try bench.here.write(name, "from the source") }
    try bench.there.write("extra", "only there")
    mkdir(bench.there.file("tree"), 0o700)
    try bench.there.write("tree/in", "only there")
    let mirror = try await Self.mirror(bench)
    #expect(mirror.surplus.count == 2)
    // A directory stands in the way of one file that was not there when both were compared.
    mkdir(bench.there.file("bad"), 0o700)
    let job = try await bench.job(["good", "bad"], policy: .overwriteIfDiffers, mirror: mirror)
    await job.run()
    #expect(job.batch.failureCount == 1 && job.batch.deletedCount == 0)
    #expect(job.batch.notes == [.surplusKept])
    #expect(bench.names == ["good", "bad", "extra", "tree"])
    rmdir(bench.there.file("bad"))
    await job.retry()
    #expect(job.batch.failureCount == 0 && job.batch.deletedCount == 3)
    #expect(bench.names == ["good", "bad"])
  }

  @Test("what stands in the way of another kind goes after the rest was copied, and is replaced")
  func obstacles() async throws {
    let bench = try TransferBench()
    mkdir(bench.here.file("kind"), 0o700)
    try bench.here.write("kind/in", "new")
    try bench.here.write("file", "a file now")
    try bench.here.write("first", "first")
    try bench.there.write("kind", "a file in the way")
    mkdir(bench.there.file("file"), 0o700)
    try bench.there.write("file/old", "old")
    let mirror = try await Self.mirror(bench)
    #expect(mirror.surplus.obstacles.count == 2 && mirror.surplus.extras.isEmpty)
    let job = try await bench.job(
      ["kind", "file", "first"],
      policy: .overwriteIfDiffers,
      mirror: mirror
    )
    await job.run()
    #expect(job.batch.failureCount == 0 && job.batch.deletedCount == 3)
    #expect(try await bench.isSame("kind/in"))
    #expect(try await bench.isSame("file"))
    #expect(try await bench.isSame("first"))
  }

  @Test("what stands in the way stays where the rest could not be copied")
  func keptObstacle() async throws {
    let bench = try TransferBench()
    mkdir(bench.here.file("kind"), 0o700)
    try bench.here.write("bad", "from the source")
    try bench.there.write("kind", "a file in the way")
    let mirror = try await Self.mirror(bench)
    mkdir(bench.there.file("bad"), 0o700)
    let job = try await bench.job(["kind", "bad"], policy: .overwriteIfDiffers, mirror: mirror)
    await job.run()
    #expect(job.batch.failureCount == 1)
    #expect(try TemporaryFolder.read(bench.there.file("kind")) == "a file in the way")
  }

  @Test("what the source has got since the comparison stays, and so do parts of other copies")
  func newSinceThen() async throws {
    let bench = try TransferBench()
    try bench.there.write("late", "old")
    try bench.there.write("gone", "old")
    try bench.there.write(".x.termind-1.part", "of another copy")
    let mirror = try await Self.mirror(bench)
    try bench.here.write("late", "newer")
    let job = try await bench.job(["late"], policy: .overwriteIfDiffers, mirror: mirror)
    await job.run()
    #expect(bench.names == ["late", ".x.termind-1.part"])
    #expect(try await bench.isSame("late"))
  }

  @Test("nothing more is deleted while it is paused", arguments: [false, true])
  func pausesBetweenDeletions(isCancelled: Bool) async throws {
    let bench = try TransferBench()
    try bench.here.write("good", "from the source")
    for name in ["x", "y", "z"] { try bench.there.write(name, "only there") }
    let paused = Locked<TransferJob?>(nil)
    bench.oddities.withLock {
      $0 = OddFileSystem.Oddities(onRemove: { _ in await paused.withLock { $0 }?.pause() })
    }
    let mirror = try await Self.mirror(bench)
    let job = try await bench.job(["good"], policy: .overwriteIfDiffers, mirror: mirror)
    paused.withLock { $0 = job }
    let run = Task { await job.run() }
    try await bench.wait("the first deletion", job) { $0.deletedCount == 1 && $0.isPaused }
    // What does not wait has long deleted the next one by then.
    try await Task.sleep(for: .milliseconds(100))
    #expect(job.batch.deletedCount == 1 && bench.names.count == 3)
    paused.withLock { $0 = nil }
    if isCancelled { run.cancel() } else { await job.resume() }
    await run.value
    #expect(job.batch.deletedCount == (isCancelled ? 1 : 3))
    #expect(bench.names.count == (isCancelled ? 3 : 1))
  }
}

import Glibc
import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

/// A transfer between a folder of this machine and one of a server, whose connections a test can break.
final class TransferBench: Sendable {
  let here: TemporaryFolder
  let there: TemporaryFolder
  let loop: EventLoop
  let bandwidth = BandwidthLimit(bytesPerSecond: nil)
  let scheduler = TransferScheduler()
  /// How many messages a new connection takes before its server is killed; nil takes all.
  let cut = Locked<Int?>(nil)
  private let programs = Locked<[ProgramByteChannel]>([])
  /// How often a connection was opened.
  let openings = Locked(0)
  /// What stands between the copy and the server's files.
  let oddities = Locked<OddFileSystem.Oddities?>(nil)

  /// Makes a bench.
  ///
  /// - Parameter isOne: Whether both ends are one folder by two ways.
  /// - Throws: What the folders or the loop fail with.
  init(isOne: Bool = false) throws {
    here = try TemporaryFolder()
    there = isOne ? here : try TemporaryFolder()
    loop = try EventLoop(name: "job")
  }

  func open() async throws(TransferOpenFailure) -> any RemoteFileSystem {
    openings.withLock { $0 += 1 }
    let count = cut.withLock { $0 }
    do throws(FileError) {
      let files = try await SFTPFileSystem.start(place: .server("bench")) {
        [self] (receiver) async throws(ConnectionFailure) in
        do {
          let base = try ProgramByteChannel(
            TestFileSystem.server,
            directory: there.path,
            on: loop,
            receiver: receiver
          )
          programs.withLock { $0.append(base) }
          guard let count else { return base }
          return CutByteChannel(base, after: count)
        } catch { preconditionFailure("\(error)") }
      }
      guard let oddities = oddities.withLock({ $0 }) else { return files }
      return OddFileSystem(files, oddities)
    } catch { throw TransferOpenFailure(error, .lost(reason: "cut")) }
  }

  /// Kills the servers of all connections.
  func kill() {
    for program in programs.withLock({ $0 }) { Glibc.kill(program.processNumber, SIGKILL) }
  }

  /// The work of copying names from here to there, or back.
  func job(
    _ names: [String],
    up: Bool = true,
    policy: ConflictPolicy = .skip,
    policies: [FileName: ConflictPolicy] = [:],
    newNames: [FileName: FileName] = [:],
    isMove: Bool = false,
    into directory: String = "",
    number: Int = 1,
    mirror: TreeMirror? = nil
  ) async throws -> TransferJob {
    let from = up ? here : there
    let to = up ? there : here
    let local = LocalFileSystem(home: .root)
    var entries: [FileEntry] = []
    for name in names {
      let path = try #require(RemotePath(from.file(name)))
      entries.append(
        FileEntry(
          name: try FileName(name),
          attributes: try await local.attributes(of: path, followingLinks: false)
        )
      )
    }
    func end(_ path: String, isServer: Bool) throws -> TransferEnd {
      TransferEnd(
        name: isServer ? "bench" : "local",
        place: isServer ? .server("bench") : .thisMachine,
        directory: try #require(RemotePath(path))
      )
    }
    let batch = TransferBatch(
      number: number,
      names: entries.map(\.name),
      source: try end(from.path, isServer: !up),
      target: try end(to.file(directory), isServer: up),
      isMove: isMove
    )
    let openHere: TransferJob.Opening = { () async throws(TransferOpenFailure) in
      LocalFileSystem(home: .root)
    }
    let openThere: TransferJob.Opening = { () async throws(TransferOpenFailure) in
      try await self.open()
    }
    return TransferJob(
      batch,
      TransferJob.Plan(
        entries: entries,
        policy: policy,
        newNames: newNames,
        policies: policies,
        mirror: mirror
      ),
      openSource: up ? openHere : openThere,
      openTarget: up ? openThere : openHere,
      scheduler: scheduler,
      bandwidth: bandwidth
    )
  }

  /// The names there, without order.
  var names: Set<String> { Set(there.names(".")) }

  func isSame(_ name: String) async throws -> Bool {
    try TemporaryFolder.read(here.file(name)) == TemporaryFolder.read(there.file(name))
  }

  /// Waits until the shown state is what a test waits for.
  func wait(
    _ what: String,
    _ job: TransferJob,
    _ isTrue: @escaping @Sendable (TransferBatch) -> Bool
  ) async throws {
    try await waitUntil(what, seconds: 30) { isTrue(job.batch) }
  }

  deinit { loop.shutdown() }
}

@Suite("The work of a transfer") struct TransferJobTests {
  private static let big = String(repeating: "0123456789abcdef", count: 200_000)

  @Test("a pause stops at a safe place, and going on gives the whole file")
  func pauses() async throws {
    let bench = try TransferBench()
    try bench.here.write("big", Self.big)
    await bench.bandwidth.setRate(400_000)
    let job = try await bench.job(["big"])
    let run = Task { await job.run() }
    try await bench.wait("the first bytes", job) { $0.byteCount > 0 }
    await job.pause()
    try await bench.wait("the pause", job) { $0.rows.map(\.state) == [.paused] }
    #expect(job.batch.state == .paused && !job.batch.isMoving)
    #expect(bench.names.count { $0.hasSuffix(".part") } == 1 && !bench.names.contains("big"))
    await bench.bandwidth.setRate(nil)
    await job.resume()
    await run.value
    #expect(job.batch.state == .done && job.batch.doneCount == 1)
    #expect(job.batch.byteCount == 3_200_000)
    #expect(bench.names == ["big"])
    #expect(try await bench.isSame("big"))
  }

  @Test(
    "a file that changes during a pause fails with a reason, and is copied anew when tried again"
  )
  func changedInPause() async throws {
    let bench = try TransferBench()
    try bench.here.write("big", Self.big)
    await bench.bandwidth.setRate(400_000)
    let job = try await bench.job(["big"])
    let run = Task { await job.run() }
    try await bench.wait("the first bytes", job) { $0.byteCount > 0 }
    await job.pause()
    try await bench.wait("the pause", job) { $0.rows.map(\.state) == [.paused] }
    try bench.here.write("big", "now short")
    await bench.bandwidth.setRate(nil)
    await job.resume()
    await run.value
    #expect(job.batch.failures.map(\.state) == [.failed(CopyFailure(.notResumable))])
    #expect(bench.names == [])
    await job.retry()
    #expect(job.batch.failureCount == 0 && job.batch.doneCount == 1)
    #expect(try await bench.isSame("big"))
  }

  @Test("one file waits or is left out, and the others do not mind")
  func oneFile() async throws {
    let bench = try TransferBench()
    for name in ["a", "b", "c"] { try bench.here.write(name, Self.big) }
    await bench.bandwidth.setRate(1_000_000)
    let job = try await bench.job(["a", "b", "c"])
    let run = Task { await job.run() }
    try await bench.wait("all of them", job) { $0.rows.count { $0.byteCount > 0 } == 3 }
    await job.pause(1)
    await job.skip(2)
    try await bench.wait("one that waits", job) { batch in
      batch.rows.contains { $0.state == .paused && $0.item.number == 1 }
        && batch.rows.contains { $0.state == .skipped && $0.item.number == 2 }
    }
    await bench.bandwidth.setRate(nil)
    try await bench.wait("the third", job) { $0.doneCount == 1 }
    #expect(job.batch.isOpen)
    await job.resume(1)
    await run.value
    #expect(job.batch.doneCount == 2 && job.batch.skippedCount == 1 && job.batch.failureCount == 0)
    #expect(bench.names == ["a", "c"])
  }

  @Test("a file that waits can be the next one, or left out before it begins")
  func order() async throws {
    let bench = try TransferBench()
    await bench.scheduler.setLimits(TransferLimits(total: 1, perHost: 1))
    let text = String(repeating: "x", count: 100_000)
    for number in 1...6 { try bench.here.write("\(number)", text) }
    await bench.bandwidth.setRate(100_000)
    let job = try await bench.job((1...6).map { String($0) })
    let run = Task { await job.run() }
    try await bench.wait("the first", job) { $0.isPlanned && $0.rows.first?.state == .running }
    await job.move(6, toFront: true)
    await job.skip(5)
    await bench.bandwidth.setRate(nil)
    await run.value
    #expect(job.batch.doneCount == 5 && job.batch.skippedCount == 1)
    // The latest is first: what was left out ended in its turn.
    let ended = job.batch.rows.reversed().map(\.item.number)
    #expect(ended.firstIndex(of: 6) ?? 9 < ended.firstIndex(of: 2) ?? 0)
    #expect(!bench.names.contains("5"))
  }

  @Test("a cancelled transfer leaves no half file, also of what was paused")
  func cancels() async throws {
    let bench = try TransferBench()
    for name in ["a", "b"] { try bench.here.write(name, Self.big) }
    await bench.bandwidth.setRate(400_000)
    let job = try await bench.job(["a", "b"])
    let run = Task { await job.run() }
    try await bench.wait("both", job) { $0.rows.count { $0.byteCount > 0 } == 2 }
    await job.pause(1)
    try await bench.wait("one that waits", job) { $0.rows.contains { $0.state == .paused } }
    run.cancel()
    await run.value
    #expect(job.batch.state == .cancelled && job.batch.cancelledCount == 2)
    #expect(bench.names == [])
  }

  @Test("what failed is tried again: files that were gone, and directories that were in the way")
  func retries() async throws {
    let bench = try TransferBench()
    mkdir(bench.here.file("tree"), 0o700)
    for name in ["one", "two", "way"] { try bench.here.write("tree/\(name)", name) }
    try bench.here.write("tree/late", Self.big)
    mkdir(bench.there.file("tree"), 0o700)
    mkdir(bench.there.file("tree/way"), 0o700)
    await bench.scheduler.setLimits(TransferLimits(total: 1, perHost: 1))
    let job = try await bench.job(["tree"], policy: .overwrite)
    await job.pause()
    let run = Task { await job.run() }
    try await bench.wait("the connection", job) { _ in bench.openings.withLock { $0 } == 1 }
    #expect(job.batch.doneCount == 0 && job.batch.foundCount == 0)
    await job.resume()
    await run.value
    #expect(job.batch.doneCount == 3 && job.batch.failureCount == 1)
    #expect(job.batch.failures.first?.item.source.name?.text == "way")
    rmdir(bench.there.file("tree/way"))
    await job.retry()
    #expect(job.batch.state == .done && job.batch.failureCount == 0)
    for name in ["one", "two", "way", "late"] { #expect(try await bench.isSame("tree/\(name)")) }
  }

  @Test("a file that is deleted while it waits fails by itself")
  func deletedInQueue() async throws {
    let bench = try TransferBench()
    for name in ["a", "b"] { try bench.here.write(name, Self.big) }
    await bench.scheduler.setLimits(TransferLimits(total: 1, perHost: 1))
    await bench.bandwidth.setRate(1_000_000)
    let job = try await bench.job(["a", "b"])
    let run = Task { await job.run() }
    try await bench.wait("the first", job) { $0.isPlanned && $0.byteCount > 0 }
    unlink(bench.here.file("b"))
    await bench.bandwidth.setRate(nil)
    await run.value
    #expect(job.batch.doneCount == 1 && job.batch.failureCount == 1)
    #expect(bench.names == ["a"])
    try bench.here.write("b", "back")
    await job.retry()
    #expect(job.batch.doneCount == 2 && job.batch.failureCount == 0)
    #expect(try await bench.isSame("b"))
  }

  @Test("a directory that a link replaces after it was found is not followed")
  func linkInPlaceOfDirectory() async throws {
    let bench = try TransferBench()
    let there = bench.there
    for name in ["tree", "tree/turns", "tree/stays", "outside"] { mkdir(there.file(name), 0o700) }
    try there.write("tree/turns/own", "own")
    try there.write("tree/stays/own", "own")
    try there.write("outside/secret", "secret")
    bench.oddities.withLock {
      $0 = OddFileSystem.Oddities(onListed: { directory in
        guard directory.name?.bytes == Array("tree".utf8) else { return }
        unlink(there.file("tree/turns/own"))
        rmdir(there.file("tree/turns"))
        symlink(there.file("outside"), there.file("tree/turns"))
      })
    }
    let job = try await bench.job(["tree"], up: false)
    await job.run()
    #expect(bench.here.names("tree/turns").isEmpty && bench.here.names("tree/stays") == ["own"])
    #expect(job.batch.failureCount == 1)
    guard case .missing(let error)? = job.batch.failures.first?.state else {
      Issue.record("\(job.batch.failures)")
      return
    }
    #expect(error.reason == .notDirectory && error.path?.text.hasSuffix("turns") == true)
  }

  @Test(
    "a directory that changes while it is copied: what arrives is whole, and a second copy is equal"
  )
  func changesMeanwhile() async throws {
    let bench = try TransferBench()
    for name in ["tree", "tree/goes", "tree/turns"] { mkdir(bench.there.file(name), 0o700) }
    for number in 0..<4 { try bench.there.write("tree/big-\(number)", Self.big) }
    for name in ["goes", "turns"] {
      for number in 0..<80 { try bench.there.write("tree/\(name)/\(number)", "content \(number)") }
    }
    let hasChanged = Locked(false)
    let there = bench.there
    bench.oddities.withLock {
      $0 = OddFileSystem.Oddities(onRead: { _ in
        guard
          !hasChanged.withLock({ has in
            defer { has = true }
            return has
          })
        else { return }
        // While the first bytes are on their way.
        unlink(there.file("tree/big-3"))
        for name in ["goes", "turns"] {
          for number in 0..<80 { unlink(there.file("tree/\(name)/\(number)")) }
          rmdir(there.file("tree/\(name)"))
        }
        _ = try? there.write("tree/turns", "a file now")
        _ = try? there.write("tree/new", "came later")
      })
    }
    await bench.scheduler.setLimits(TransferLimits(total: 1, perHost: 1))
    let job = try await bench.job(["tree"], up: false)
    await job.run()
    #expect(hasChanged.withLock { $0 } && job.batch.state == .done)
    // What is gone failed by itself.
    if bench.here.names("tree").contains("big-3") {
      #expect(try TemporaryFolder.read(bench.here.file("tree/big-3")) == Self.big)
    } else {
      #expect(job.batch.failureCount > 0)
    }
    for number in 0..<3 {
      #expect(try TemporaryFolder.read(bench.here.file("tree/big-\(number)")) == Self.big)
    }
    let names = ["tree", "tree/goes", "tree/turns"].flatMap { bench.here.names($0) }
    #expect(!names.contains { $0.hasSuffix(".part") })
    for name in bench.here.names("tree/goes") {
      #expect(try TemporaryFolder.read(bench.here.file("tree/goes/\(name)")) == "content \(name)")
    }
    bench.oddities.withLock { $0 = nil }
    try await TestProgram.run("/bin/rm", ["-rf", bench.here.file("tree")])
    let again = try await bench.job(["tree"], up: false)
    await again.run()
    #expect(again.batch.failureCount == 0)
    try await TestProgram.run(
      "/usr/bin/diff",
      ["-r", "--no-dereference", bench.there.file("tree"), bench.here.file("tree")]
    )
  }

  @Test("a move removes what is complete at its new place, and nothing else")
  func moves() async throws {
    let bench = try TransferBench()
    mkdir(bench.here.file("tree"), 0o700)
    try bench.here.write("tree/file", "moved")
    try bench.here.write("taken", "of here")
    try bench.there.write("taken", "of there")
    let job = try await bench.job(["tree", "taken"], isMove: true)
    await job.run()
    #expect(job.batch.doneCount == 1 && job.batch.skippedCount == 1)
    #expect(access(bench.here.file("tree"), F_OK) != 0)
    #expect(try TemporaryFolder.read(bench.here.file("taken")) == "of here")
    #expect(try TemporaryFolder.read(bench.there.file("tree/file")) == "moved")
  }

  @Test("a move leaves where it was what came, or changed, after it was copied")
  func movesChanging() async throws {
    let bench = try TransferBench()
    mkdir(bench.there.file("tree"), 0o700)
    try bench.there.write("tree/log", Self.big)
    try bench.there.write("quiet", Self.big)
    let folder = bench.there
    bench.oddities.withLock {
      $0 = OddFileSystem.Oddities(onRead: { path in
        guard path.name?.text == "log" else { return }
        // What fails here shows below.
        _ = try? folder.write("tree/late", "written while it was moved")
      })
    }
    let job = try await bench.job(["tree", "quiet"], up: false, isMove: true)
    await job.run()
    #expect(job.batch.state == .done && job.batch.failureCount == 0)
    #expect(job.batch.stayingCount == 1)
    let late = try #require(RemotePath(folder.file("tree/late")))
    #expect(job.batch.notes.contains(.changed(late)))
    #expect(try TemporaryFolder.read(folder.file("tree/late")) == "written while it was moved")
    #expect(try TemporaryFolder.read(folder.file("tree/log")) == Self.big)
    #expect(try TemporaryFolder.read(bench.here.file("tree/log")) == Self.big)
    #expect(access(folder.file("quiet"), F_OK) != 0)
  }

  @Test(
    "directories that nobody walks any more are missing, and none of them is removed",
    arguments: [FileErrorReason.protocolBroken("cut"), .connectionLost("cut")]
  )
  func unwalked(reason: FileErrorReason) async throws {
    let bench = try TransferBench()
    let folder = bench.there
    for name in ["a", "b", "c"] {
      mkdir(folder.file(name), 0o700)
      try folder.write("\(name)/file", name)
    }
    let left = Locked(6)
    bench.oddities.withLock {
      $0 = OddFileSystem.Oddities(refuses: { path in
        guard path.name?.text == "c" else { return nil }
        return left.withLock { left in
          guard left > 0 else { return nil }
          left -= 1
          return FileError(reason, path: path)
        }
      })
    }
    let job = try await bench.job(["a", "b", "c"], up: false, isMove: true)
    let poke = Task {
      while !Task.isCancelled {
        if case .waiting = job.batch.state { await job.resume() }
        // Cancelled with the move.
        try? await Task.sleep(for: .milliseconds(5))
      }
    }
    await job.run()
    #expect(job.batch.failureCount == 3)
    for name in ["a", "b", "c"] {
      #expect(try TemporaryFolder.read(folder.file("\(name)/file")) == name)
    }
    left.withLock { $0 = 0 }
    await job.retry()
    poke.cancel()
    #expect(job.batch.state == .done && job.batch.failureCount == 0)
    for name in ["a", "b", "c"] {
      #expect(try TemporaryFolder.read(bench.here.file("\(name)/file")) == name)
      #expect(access(folder.file(name), F_OK) != 0)
    }
  }

  @Test("a directory that could not be looked at is tried again as one")
  func lostRoot() async throws {
    let bench = try TransferBench()
    for name in ["one", "two"] {
      mkdir(bench.here.file(name), 0o700)
      try bench.here.write("\(name)/file", name)
    }
    for names in [["one"], ["one", "two"]] {
      let job = try await bench.job(names, policy: .overwrite)
      rename(bench.here.file("one"), bench.here.file("away"))
      await job.run()
      #expect(job.batch.failureCount == 1)
      rename(bench.here.file("away"), bench.here.file("one"))
      await job.retry()
      #expect(job.batch.state == .done && job.batch.failureCount == 0)
      for name in names { #expect(try await bench.isSame("\(name)/file")) }
    }
  }

  @Test(
    "single names are decided by themselves: replaced, called otherwise, or kept beside each other"
  )
  func choices() async throws {
    let bench = try TransferBench()
    for name in ["over", "both", "other", "skip"] {
      try bench.here.write(name, "new")
      try bench.there.write(name, "old \(name)")
    }
    let job = try await bench.job(
      ["over", "both", "other", "skip"],
      policies: [try FileName("over"): .overwrite, try FileName("both"): .keepBoth],
      newNames: [try FileName("other"): try FileName("another")]
    )
    await job.run()
    #expect(job.batch.doneCount == 3 && job.batch.skippedCount == 1 && job.batch.isPlanned)
    #expect(bench.names == ["over", "both", "both (2)", "other", "another", "skip"])
    #expect(try TemporaryFolder.read(bench.there.file("over")) == "new")
    #expect(try TemporaryFolder.read(bench.there.file("both")) == "old both")
    #expect(try TemporaryFolder.read(bench.there.file("other")) == "old other")
  }

  @Test("two transfers to one name never mix: one file is there, whole")
  func twoToOne() async throws {
    let bench = try TransferBench()
    try bench.here.write("name", Self.big)
    await bench.bandwidth.setRate(1_000_000)
    let first = try await bench.job(["name"], number: 1)
    let second = try await bench.job(["name"], number: 2)
    async let one: Void = first.run()
    async let two: Void = second.run()
    try await bench.wait("both", first) { $0.byteCount > 0 && second.batch.byteCount > 0 }
    await bench.bandwidth.setRate(nil)
    _ = await (one, two)
    #expect(first.batch.doneCount + second.batch.doneCount == 1)
    #expect(first.batch.failureCount + second.batch.failureCount == 1)
    let failures = first.batch.failures + second.batch.failures
    #expect(failures.map(\.state) == [.failed(CopyFailure(.refused(.exists)))])
    #expect(bench.names == ["name"])
    #expect(try await bench.isSame("name"))
  }

  @Test(
    "what is moved or copied onto itself by another connection stays as it is",
    arguments: [true, false],
    [ConflictPolicy.overwrite, .overwriteIfNewerOrSizeDiffers]
  )
  func ontoItself(isMove: Bool, policy: ConflictPolicy) async throws {
    let bench = try TransferBench(isOne: true)
    try bench.here.write("file", "the only one")
    mkdir(bench.here.file("tree"), 0o700)
    mkdir(bench.here.file("tree/empty"), 0o700)
    try bench.here.write("tree/inner", "the only one")
    symlink("inner", bench.here.file("tree/link"))
    let job = try await bench.job(["file", "tree"], policy: policy, isMove: isMove)
    await job.run()
    #expect(job.batch.doneCount == 0 && job.batch.failureCount == 2)
    let refused = TransferRow.State.failed(CopyFailure(.refused(.ontoItself)))
    #expect(job.batch.failures.map(\.state) == [refused, refused])
    #expect(bench.names == ["file", "tree"])
    #expect(Set(bench.here.names("tree")) == ["empty", "inner", "link"])
    #expect(try TemporaryFolder.read(bench.here.file("file")) == "the only one")
  }

  @Test("a directory is not copied into itself by another connection", arguments: [false, true])
  func intoItself(isHidden: Bool) async throws {
    let bench = try TransferBench(isOne: true)
    mkdir(bench.here.file("tree"), 0o700)
    mkdir(bench.here.file("tree/sub"), 0o700)
    try bench.here.write("tree/file", "once")
    try bench.here.write("tree/sub/old", "there before")
    if isHidden {
      // A server whose paths are others, as behind a chroot.
      bench.oddities.withLock {
        $0 = OddFileSystem.Oddities(resolvesTo: RemotePath("/nowhere/here"))
      }
    }
    let job = try await bench.job(["tree"], into: "tree/sub")
    await job.run()
    let names = Set(bench.here.names("tree/sub"))
    if isHidden {
      #expect(job.batch.doneCount <= 2 && job.batch.skippedCount == 1)
      #expect(job.batch.notes.count == 1)
      #expect(names == ["old", "tree"])
      #expect(try TemporaryFolder.read(bench.here.file("tree/sub/tree/file")) == "once")
      #expect(bench.here.names("tree/sub/tree/sub/tree").isEmpty)
    } else {
      #expect(job.batch.failures.map(\.state) == [.failed(CopyFailure(.refused(.intoItself)))])
      #expect(names == ["old"])
    }
  }

  @Test("names that differ only in case are told where they are one", arguments: [false, true])
  func folding(overwrites: Bool) async throws {
    let bench = try TransferBench()
    bench.oddities.withLock { $0 = OddFileSystem.Oddities(foldsCase: true) }
    mkdir(bench.here.file("tree"), 0o700)
    try bench.here.write("tree/README", "large")
    try bench.here.write("tree/readme", "small")
    try bench.here.write("tree/other", "other")
    let job = try await bench.job(["tree"], policy: overwrites ? .overwrite : .skip)
    await job.run()
    #expect(job.batch.doneCount == 2 && job.batch.failureCount == 1)
    #expect(job.batch.failures.map(\.state) == [.failed(CopyFailure(.refused(.exists)))])
    #expect(bench.there.names("tree").count == 2)
  }

  @Test("names that differ only in how a letter is written are told where they are one")
  func normalising() async throws {
    let bench = try TransferBench()
    // Its names are compared as texts, as file systems do that keep one form of each letter.
    bench.oddities.withLock { $0 = OddFileSystem.Oddities(foldsCase: true) }
    mkdir(bench.here.file("tree"), 0o700)
    for name in ["caf\u{E9}", "cafe\u{301}"] { try bench.here.write("tree/\(name)", "coffee") }
    #expect(bench.here.names("tree").count == 2)
    let job = try await bench.job(["tree"], policy: .overwrite)
    await job.run()
    #expect(job.batch.doneCount == 1 && job.batch.failureCount == 1)
    #expect(job.batch.failures.map(\.state) == [.failed(CopyFailure(.refused(.exists)))])
    // Where they are two, both are there.
    let plain = try TransferBench()
    mkdir(plain.here.file("tree"), 0o700)
    for name in ["caf\u{E9}", "cafe\u{301}"] { try plain.here.write("tree/\(name)", "coffee") }
    let other = try await plain.job(["tree"])
    await other.run()
    #expect(other.batch.doneCount == 2 && plain.there.names("tree").count == 2)
  }

  @Test("many entries of one directory are looked at beside each other, and each is there")
  func many() async throws {
    let bench = try TransferBench()
    let names = (0..<120).map { "file-\($0)" }
    for name in names { try bench.here.write(name, name) }
    try bench.there.write("file-7", "there before")
    let job = try await bench.job(names + ["file-8"])
    await job.run()
    #expect(job.batch.doneCount == 119 && job.batch.skippedCount == 1)
    #expect(bench.names.count == 120)
    #expect(try TemporaryFolder.read(bench.there.file("file-7")) == "there before")
    #expect(try TemporaryFolder.read(bench.there.file("file-8")) == "file-8")
  }
}

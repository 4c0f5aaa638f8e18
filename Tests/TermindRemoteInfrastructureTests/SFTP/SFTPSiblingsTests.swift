import Glibc
import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

/// Hands on what a channel brings after a time, as a long line does.
private final class LateReceiver: ByteChannelReceiving {
  private let base: any ByteChannelReceiving
  private let loop: EventLoop
  private let delay: Duration

  init(_ base: any ByteChannelReceiving, _ delay: Duration, on loop: EventLoop) {
    self.base = base
    self.delay = delay
    self.loop = loop
  }

  private func later(_ body: @escaping @Sendable (any ByteChannelReceiving) -> Void) {
    loop.schedule(after: delay) { [base] in body(base) }
  }

  func received(_ bytes: UnsafeRawBufferPointer) {
    let copy = unsafe Array(bytes)
    later { base in copy.withUnsafeBytes { unsafe base.received($0) } }
  }

  func receivedError(_ bytes: UnsafeRawBufferPointer) {}
  func finishedReceiving() { later { $0.finishedReceiving() } }
  // Room is a matter of this side.
  func mayContinueSending() { base.mayContinueSending() }
  func ended(_ end: TerminalChannelEnd) { later { $0.ended(end) } }
}

@Suite("A large file over several conversations", .timeLimit(.minutes(5)))
struct SFTPSiblingsTests {
  /// A server behind a long line, with a folder here and one there.
  private struct Bench {
    static let size = 30_000_000
    let here: TemporaryFolder
    let there: TemporaryFolder
    let loop: EventLoop
    /// The further channels that were asked for.
    let opened = Locked<[CountedChannel]>([])
    let asked = Locked(0)

    init() throws {
      here = try TemporaryFolder()
      there = try TemporaryFolder()
      loop = try EventLoop(name: "lanes")
      var state: UInt64 = 88_172_645_463_325_252
      var bytes = [UInt8](repeating: 0, count: Self.size)
      for index in bytes.indices {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        bytes[index] = UInt8(truncatingIfNeeded: state)
      }
      try SFTPSiblingsTests.put(bytes, here.file("from"))
    }

    func open(
      _ receiver: any ByteChannelReceiving,
      _ delay: Duration
    ) -> ProgramByteChannel {
      do {
        return try ProgramByteChannel(
          TestFileSystem.server,
          directory: there.path,
          on: loop,
          receiver: LateReceiver(receiver, delay, on: loop)
        )
      } catch { preconditionFailure("\(error)") }
    }

    /// Starts SFTP.
    ///
    /// - Parameters:
    ///   - delay: How long each answer takes.
    ///   - cut: After how many messages the first further server is killed.
    ///   - refuses: Whether further channels are refused.
    /// - Returns: The server's files.
    /// - Throws: Why there are none.
    func start(
      delay: Duration,
      cut: Int = .max,
      refuses: Bool = false
    ) async throws(FileError) -> SFTPFileSystem {
      let more: SFTPFileSystem.ChannelOpening = { receiver throws(ConnectionFailure) in
        asked.withLock { $0 += 1 }
        guard !refuses else {
          throw ConnectionFailure(
            hopIndex: 0,
            hopCount: 1,
            endpoint: SSHEndpoint(host: "test"),
            step: .connected,
            cause: .channelRefused(request: "session", reason: "open failed")
          )
        }
        let limit = opened.withLock { $0.isEmpty } ? cut : .max
        let channel = CountedChannel(open(receiver, delay), limit)
        opened.withLock { $0.append(channel) }
        return channel
      }
      return try await SFTPFileSystem.start(place: .server("lanes"), more: more) { receiver in
        open(receiver, delay)
      }
    }

    func request(_ files: any RemoteFileSystem, _ checkpoint: CopyCheckpoint? = nil) throws
      -> CopyRequest
    {
      CopyRequest(
        source: FileLocation(
          LocalFileSystem(home: .root),
          try #require(RemotePath(here.file("from")))
        ),
        target: FileLocation(files, try #require(RemotePath(there.file("to")))),
        options: CopyOptions(syncs: false),
        checkpoint: checkpoint
      )
    }

    func check() async throws {
      try await TestProgram.run("/usr/bin/cmp", [here.file("from"), there.file("to")])
      let path = try #require(RemotePath(there.path))
      let names = try await Listed.all(LocalFileSystem(home: .root), path).entries.map(\.name.text)
      #expect(names == ["to"])
    }
  }

  /// Counts what is sent, and kills the server after so many messages.
  private final class CountedChannel: ByteChannel {
    private let base: ProgramByteChannel
    private let limit: Int
    let sent = Locked((messages: 0, bytes: 0))

    init(_ base: ProgramByteChannel, _ limit: Int) {
      self.base = base
      self.limit = limit
    }

    var executor: any SerialExecutor { base.executor }
    var queuedByteCount: Int { base.queuedByteCount }

    @discardableResult func send(_ bytes: [UInt8]) -> Bool {
      guard base.send(bytes) else { return false }
      let count = sent.withLock { sent in
        sent.messages += 1
        sent.bytes += bytes.count
        return sent.messages
      }
      if count == limit { kill(base.processNumber, SIGKILL) }
      return true
    }

    func finishSending() { base.finishSending() }
    func setReceiving(_ isOn: Bool) { base.setReceiving(isOn) }
    func signal(_ name: String) { base.signal(name) }
    func close() { base.close() }
  }

  private static func put(_ bytes: [UInt8], _ path: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    defer { close(file) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) }
      guard count > 0 else { throw TestFailure("write: \(errno)") }
      rest = rest.dropFirst(count)
    }
  }

  @Test("is what a long line gets, and the file is whole")
  func longLine() async throws {
    let bench = try Bench()
    defer { bench.loop.shutdown() }
    let files = try await bench.start(delay: .milliseconds(150))
    let result = try await FileCopier().copy(try bench.request(files)) { _ in }
    #expect(result.byteCount == UInt64(Bench.size))
    let bytes = bench.opened.withLock { $0.map { $0.sent.withLock(\.bytes) } }
    #expect(bytes.count == 2)
    // Each had its part of what was left when they were there.
    #expect(bytes.allSatisfy { $0 > 2_000_000 })
    await files.close()
    try await bench.check()
  }

  @Test("is not made where the line is short")
  func shortLine() async throws {
    let bench = try Bench()
    defer { bench.loop.shutdown() }
    let files = try await bench.start(delay: .zero)
    _ = try await FileCopier().copy(try bench.request(files)) { _ in }
    #expect(bench.asked.withLock { $0 } == 0)
    await files.close()
    try await bench.check()
  }

  @Test("is given up where the server opens no more channels, which is asked once")
  func refused() async throws {
    let bench = try Bench()
    defer { bench.loop.shutdown() }
    let files = try await bench.start(delay: .milliseconds(150), refuses: true)
    _ = try await FileCopier().copy(try bench.request(files)) { _ in }
    #expect(bench.asked.withLock { $0 } == SFTPSiblings.count)
    await files.close()
    try await bench.check()
  }

  @Test("that loses one of them goes on from what can be proved, whatever holes are behind it")
  func cut() async throws {
    let bench = try Bench()
    defer { bench.loop.shutdown() }
    let files = try await bench.start(delay: .milliseconds(150), cut: 40)
    var checkpoint: CopyCheckpoint?
    let request = try bench.request(files)
    do throws(CopyFailure) {
      _ = try await FileCopier().copy(request) { _ in }
      Issue.record("nothing was lost")
    } catch {
      guard case .operation(.writing, let inner) = error.reason else {
        Issue.record("\(error)")
        return
      }
      #expect(inner.endsConnection)
      checkpoint = error.checkpoint
    }
    #expect(checkpoint != nil)
    // The first conversation is still there, and what was lost is not asked for again.
    let result = try await FileCopier().copy(try bench.request(files, checkpoint)) { _ in }
    #expect(result.byteCount == UInt64(Bench.size))
    await files.close()
    try await bench.check()
  }
}

@Suite("What was written before") struct ContentProofTests {
  private static let bytes = FileCopierTests.bytes

  private static func milestones(_ offsets: [Int]) throws -> [CopyCheckpoint.Milestone] {
    offsets.map {
      CopyCheckpoint.Milestone(
        offset: UInt64($0),
        digest: Digest.sha256.hash(bytes.prefix($0))
      )
    }
  }

  @Test(
    "counts up to the last milestone before the first difference",
    arguments: [
      (wrong: nil, proven: 3_000_000), (wrong: 2_500_000, proven: 2_000_000),
      (wrong: 1_000_000, proven: 1_000_000), (wrong: 999_999, proven: 0),
    ] as [(wrong: Int?, proven: Int)]
  )
  func counts(wrong: Int?, proven: Int) throws {
    let wanted = try Self.milestones([1_000_000, 2_000_000, 3_000_000])
    let proof = try #require(ContentProof(wanted))
    var found = Self.bytes
    if let wrong { found[wrong] &+= 1 }
    for start in stride(from: 0, to: found.count, by: 261_120) where !proof.isOver {
      proof.update(found[start..<min(start + 261_120, found.count)])
    }
    let digest = try #require(proof.proven)
    #expect(digest.count == UInt64(proven))
    #expect(digest.milestones == wanted.filter { $0.offset <= UInt64(proven) })
    #expect(digest.value() == Digest.sha256.hash(Self.bytes.prefix(proven)))
  }
}

import FoundationEssentials
import Glibc
import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindRemoteInfrastructure

/// Copies and listings over a loopback connection, with every check of the product, against OpenSSH's `sftp`.
///
/// Both connect first, which is part of neither figure of large work and a small part of `sftp`'s.
enum SFTPCase {
  private static let bulkSize = 1_000_000_000
  private static let smallCount = 5_000
  private static let listCount = 100_000
  private static let rounds = 3

  /// Where everything of one case lies.
  private struct Bench {
    let scratch: ScratchFolder
    let server: LoopbackSSHServer

    init() throws {
      try PeerProgram.require([.sshd, .sshKeygen, .sftp])
      scratch = try ScratchFolder()
      server = try LoopbackSSHServer(scratch: scratch, servesFiles: true)
    }

    /// Seconds of an `sftp` that runs one command.
    func sftp(_ command: String) throws -> Double {
      let batch = try scratch.write("batch", command + "\n")
      let start = ContinuousClock.now
      let done = try FinishedProgram.run(
        server.sftpCommand(batch: batch),
        environment: BenchEnvironment.variables(home: server.home),
        scratch: scratch,
        seconds: 300
      )
      guard done.status == 0 else {
        throw BenchError.failed(step: command, diagnostic: done.output)
      }
      return (ContinuousClock.now - start).seconds
    }

    /// Seconds of a copy, checked like any other.
    func copy(_ from: String, _ to: String, isUpload: Bool) throws -> Double {
      let (user, port, key) = (server.user, server.port, server.userKey)
      let store = scratch.file("store-\(UInt32.random(in: 0 ... .max)).sqlite")
      return try Waiting.result {
        let remote = try await LoopbackFiles.connect(user: user, port: port, key: key, store: store)
        let local = LocalFileSystem(home: .root)
        guard let from = RemotePath(from), let to = RemotePath(to) else {
          throw BenchError.failed(step: "copy", diagnostic: "no path")
        }
        let (source, target): (any RemoteFileSystem, any RemoteFileSystem) =
          isUpload ? (local, remote.files) : (remote.files, local)
        let copy = TreeCopy(copier: FileCopier(), scheduler: TransferScheduler())
        let start = ContinuousClock.now
        let summary = try await copy.run(
          TreeCopyRequest(
            source: FileLocation(source, from),
            target: FileLocation(target, to),
            options: CopyOptions(syncs: false),
            policy: .overwrite,
            owner: TransferSource(rawValue: 1)
          )
        ) { _ in }
        let seconds = (ContinuousClock.now - start).seconds
        await remote.close()
        guard summary.failed == 0, summary.copied > 0 else {
          throw BenchError.failed(step: "copy", diagnostic: "\(summary)")
        }
        return seconds
      }
    }
  }

  /// One large file, both ways.
  static func bulk(_ report: Report) throws {
    let bench = try Bench()
    let file = bench.scratch.file("bulk")
    try make(file, size: bulkSize)
    let target = bench.scratch.file("copy")
    for isUpload in [false, true] {
      var (ours, peer) = (Samples(), Samples())
      for _ in 0..<rounds {
        try Interruption.check()
        peer.add(
          Double(bulkSize) / 1_000_000
            / (try bench.sftp("\(isUpload ? "put" : "get") \(file) \(target)"))
        )
        unsafe unlink(target)
        ours.add(
          Double(bulkSize) / 1_000_000 / (try bench.copy(file, target, isUpload: isUpload))
        )
        unsafe unlink(target)
      }
      add(
        report,
        "sftp-bulk",
        isUpload ? "1 GB put" : "1 GB get",
        ours,
        peer,
        "MB/s",
        .ratioAtLeast(isUpload ? 1.1 : 0.9)
      )
    }
  }

  /// Many small files, both ways.
  static func small(_ report: Report) throws {
    let bench = try Bench()
    let folder = try bench.scratch.makeFolder("small")
    for number in 0..<smallCount { try make("\(folder)/file-\(number)", size: 4_096) }
    for isUpload in [false, true] {
      var (ours, peer) = (Samples(), Samples())
      for round in 0..<rounds {
        try Interruption.check()
        let target = bench.scratch.file("copy-\(isUpload)-\(round)")
        peer.add(try bench.sftp("\(isUpload ? "put" : "get") -r \(folder) \(target)"))
        ours.add(try bench.copy(folder, target + "-ours", isUpload: isUpload))
      }
      add(
        report,
        "sftp-small",
        isUpload ? "5,000 x 4 KB put" : "5,000 x 4 KB get",
        ours,
        peer,
        "s",
        .ratioAtMost(0.1)
      )
    }
  }

  /// A large directory: until the first rows, and all of it.
  static func list(_ report: Report) throws {
    let bench = try Bench()
    let folder = try bench.scratch.makeFolder("many")
    for number in 0..<listCount { try make("\(folder)/entry-\(number)", size: 0) }
    let (user, port, key) = (bench.server.user, bench.server.port, bench.server.userKey)
    var (first, all, peer) = (Samples(), Samples(), Samples())
    for round in 0..<rounds {
      try Interruption.check()
      peer.add(try bench.sftp("ls -1 \(folder)"))
      let store = bench.scratch.file("store-\(round).sqlite")
      let figures = try Waiting.result {
        let remote = try await LoopbackFiles.connect(user: user, port: port, key: key, store: store)
        guard let path = RemotePath(folder) else {
          throw BenchError.failed(step: "list", diagnostic: "no path")
        }
        let seen = Locked((count: 0, first: Double.nan))
        let start = ContinuousClock.now
        try await remote.files.list(path) { batch in
          seen.withLock { seen in
            if seen.count == 0 { seen.first = (ContinuousClock.now - start).seconds }
            seen.count += batch.entries.count
          }
        }
        let seconds = (ContinuousClock.now - start).seconds
        await remote.close()
        let (count, first) = seen.withLock { $0 }
        guard count == listCount else {
          throw BenchError.failed(step: "list", diagnostic: "\(count) entries")
        }
        return (first, seconds)
      }
      first.add(figures.0 * 1000)
      all.add(figures.1)
    }
    report.add(
      Measurement(
        caseName: "sftp-list",
        name: "first rows of 100,000",
        ours: first.median,
        peer: nil,
        peerName: nil,
        unit: "ms",
        budget: .oursAtMost(50),
        runs: rounds
      )
    )
    add(report, "sftp-list", "all of 100,000 entries", all, peer, "s", .ratioAtMost(1))
  }

  private static func add(
    _ report: Report,
    _ caseName: String,
    _ name: String,
    _ ours: Samples,
    _ peer: Samples,
    _ unit: String,
    _ budget: Budget
  ) {
    report.add(
      Measurement(
        caseName: caseName,
        name: name,
        ours: ours.median,
        peer: peer.median,
        peerName: "sftp",
        unit: unit,
        budget: budget,
        runs: rounds
      )
    )
  }

  /// Writes a file of bytes that do not repeat at short distances.
  private static func make(_ path: String, size: Int) throws {
    let descriptor = unsafe open(path, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw BenchError.failed(step: "write \(path)", diagnostic: "error \(errno)")
    }
    defer { _ = close(descriptor) }
    let block = size < 65_536 ? Array(repeating: UInt8(7), count: size) : pattern
    var left = size
    while left > 0 {
      let count = unsafe block.withUnsafeBytes {
        unsafe write(descriptor, $0.baseAddress, min(left, $0.count))
      }
      guard count > 0 else {
        throw BenchError.failed(step: "write \(path)", diagnostic: "error \(errno)")
      }
      left -= count
    }
  }

  private static let pattern: [UInt8] = (0..<1_048_576).map {
    UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13)
  }
}

import FoundationEssentials
import Glibc
import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindRemoteInfrastructure

/// What the cases about files share: a server, files, and copies by Termind and by others.
///
/// Files lie in memory where there is room, so that no disk is measured. Connecting is no part of any figure: Termind
/// connects before the clock starts, and from the time of the others that of an empty listing is taken.
final class FilesBench {
  let scratch: ScratchFolder
  let server: LoopbackSSHServer
  /// Where the files are.
  let files: ScratchFolder
  private let proxy: DelayProxy?
  private var connecting: [FileClient: Double] = [:]
  private var lastNumber = 0

  /// Starts a server, at the end of a long line if one is asked for.
  init(roundTrip: Duration? = nil) throws {
    try PeerProgram.require([.sshd, .sshKeygen] + FileClient.allCases.map(\.program))
    scratch = try ScratchFolder()
    files = try ScratchFolder(below: ScratchFolder.memory)
    let server = try LoopbackSSHServer(scratch: scratch, servesFiles: true)
    self.server = server
    proxy = try roundTrip.map { try DelayProxy(to: server.port, roundTrip: $0) }
    _ = try files.makeFolder("empty")
  }

  private var port: Int { proxy?.port ?? server.port }

  /// A path that nothing has yet.
  func unused() -> String {
    lastNumber += 1
    return files.file("new-\(lastNumber)")
  }

  // MARK: Others

  /// Seconds that another client takes for some work, without connecting.
  func time(_ client: FileClient, _ work: FileClient.Work) throws -> Double {
    if connecting[client] == nil {
      var samples = Samples()
      for _ in 0..<3 { samples.add(try run(client, .list(files.file("empty")))) }
      connecting[client] = samples.median
    }
    return max(0.000_1, try run(client, work) - (connecting[client] ?? 0))
  }

  private func run(_ client: FileClient, _ work: FileClient.Work) throws -> Double {
    try Interruption.check()
    let command = try client.command(for: work, on: server, port: port, scratch: scratch)
    let start = ContinuousClock.now
    let done = try FinishedProgram.run(
      command,
      environment: BenchEnvironment.variables(home: server.home),
      scratch: scratch,
      seconds: 120
    )
    let seconds = (ContinuousClock.now - start).seconds
    guard done.status == 0 else {
      throw BenchError.failed(step: "\(client) \(work)", diagnostic: done.output)
    }
    return seconds
  }

  // MARK: Termind

  /// How to reach the server.
  func access(_ engine: LoopbackFiles.Engine) -> LoopbackFiles.Access {
    lastNumber += 1
    return LoopbackFiles.Access(
      user: server.user,
      port: port,
      key: server.userKey,
      engine: engine,
      store: scratch.file("store-\(lastNumber).sqlite"),
      runtime: scratch.file("run")
    )
  }

  /// Seconds of a copy with every check of the product; what was copied is taken away again.
  func copy(
    _ from: String,
    isUpload: Bool,
    engine: LoopbackFiles.Engine = .libSSH2
  ) throws -> Double {
    try Interruption.check()
    let access = access(engine)
    let to = unused()
    defer { Self.remove(to) }
    return try Waiting.result {
      let remote = try await LoopbackFiles.connect(access)
      let local = LocalFileSystem(home: .root)
      let (source, target): (any RemoteFileSystem, any RemoteFileSystem) =
        isUpload ? (local, remote.files) : (remote.files, local)
      let copy = TreeCopy(copier: FileCopier(), scheduler: TransferScheduler())
      let start = ContinuousClock.now
      let summary = try await copy.run(
        TreeCopyRequest(
          source: FileLocation(source, try Self.path(from)),
          target: FileLocation(target, try Self.path(to)),
          // Nothing to which it is compared waits for the disk.
          options: CopyOptions(syncs: false),
          policy: .overwrite,
          owner: TransferSource(rawValue: 1)
        )
      ) { _ in }
      let seconds = (ContinuousClock.now - start).seconds
      await remote.close()
      guard summary.failed == 0, summary.copied > 0 else {
        throw BenchError.failed(step: "copy \(from)", diagnostic: "\(summary)")
      }
      return seconds
    }
  }

  /// A path for the product.
  static func path(_ text: String) throws(BenchError) -> RemotePath {
    guard let path = RemotePath(text) else {
      throw .failed(step: "use \(text)", diagnostic: "it is no path")
    }
    return path
  }

  // MARK: Files

  /// Removes a file or tree that was copied.
  static func remove(_ path: String) {
    // What stays goes with the whole folder.
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Makes a file of bytes that do not repeat at short distances.
  func makeFile(_ name: String, size: Int) throws(BenchError) -> String {
    let path = files.file(name)
    let descriptor = unsafe open(path, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw .failed(step: "write \(path)", diagnostic: "error \(errno)")
    }
    defer { _ = close(descriptor) }
    var left = size
    while left > 0 {
      let count = unsafe Self.pattern.withUnsafeBytes {
        unsafe write(descriptor, $0.baseAddress, min(left, $0.count))
      }
      guard count > 0 else { throw .failed(step: "write \(path)", diagnostic: "error \(errno)") }
      left -= count
    }
    return path
  }

  /// Makes a folder with files in it.
  func makeTree(_ name: String, count: Int, size: Int) throws(BenchError) -> String {
    let folder = try files.makeFolder(name)
    for number in 0..<count { _ = try makeFile("\(name)/file-\(number)", size: size) }
    return folder
  }

  private static let pattern: [UInt8] = (0..<1_048_576).map {
    UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13)
  }
}

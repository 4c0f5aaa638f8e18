import FoundationEssentials
import Glibc
import TermindTerminal

/// Copies and a large listing in a running server, by the keys of its file panes: how much memory they take, and what a terminal pane of
/// the same host feels of them.
final class SFTPServerCase {
  private static let name = "sftp-server"
  private static let memoryBudget = Budget.oursAtMost(64)

  private let files: ScratchFolder
  private let instance: TermindInstance
  private let terminal: DrivenTerminal
  private let server: Int32
  private let shell: String
  private let remote: String
  private let local: String
  private let report: Report

  static func run(_ report: Report) throws {
    try PeerProgram.require([.sshd, .sshKeygen, .sftpServer])
    let scratch = try ScratchFolder()
    let files = try ScratchFolder(below: ScratchFolder.memory)
    let server = try LoopbackSSHServer(scratch: scratch)
    let instance = try TermindInstance(scratch: scratch, home: server.home)
    let bench = try SFTPServerCase(report, files, instance, server)
    var idle = Samples()
    try bench.focus(bench.shell)
    try EchoTyping.type(200, bench.terminal, into: &idle)
    try bench.large(idle)
    try bench.small()
    try bench.list()
  }

  /// Opens a terminal on the server, its files and those of this machine beside each other.
  private init(
    _ report: Report,
    _ files: ScratchFolder,
    _ instance: TermindInstance,
    _ server: LoopbackSSHServer
  ) throws {
    self.report = report
    self.files = files
    self.instance = instance
    for folder in ["there", "here"] { _ = try files.makeFolder(folder) }
    terminal = try instance.open([], columns: 200)
    try terminal.settle()
    shell = try instance.control("open", server.address).filter(\.isNumber)
    try terminal.wait(forText: LoopbackSSHServer.promptSign)
    try terminal.settle()
    try terminal.type("\u{0}S")
    remote = try Self.pane(instance, of: "sftp")
    try instance.control("wait", "--state", "up", "--pane", remote)
    try terminal.type("\u{0}F")
    local = try Self.pane(instance, of: "files")
    try terminal.settle()
    self.server = try instance.serverNumber()
  }

  private struct PaneRow: Decodable {
    let id: UInt64
    let kind: String
  }

  /// The pane of a kind, once there is one.
  private static func pane(_ instance: TermindInstance, of kind: String) throws -> String {
    for _ in 0..<200 {
      let text = try instance.control("panes", "--json")
      let rows = try JSONDecoder().decode([PaneRow].self, from: Data(text.utf8))
      if let row = rows.first(where: { $0.kind == kind }) { return "\(row.id)" }
      _ = try Interruption.check()
    }
    throw BenchError.timeout(awaited: "a pane of \(kind)", screen: "")
  }

  // MARK: Keys

  private func focus(_ pane: String) throws {
    try instance.control("focus", "--pane", pane)
    try terminal.settle()
  }

  /// Shows a directory in a pane of files, which gets the focus.
  private func go(_ pane: String, to path: String, until text: String) throws {
    try focus(pane)
    try terminal.type("g")
    try terminal.wait(forText: "Go to")
    try terminal.type("\(path)\r")
    try terminal.wait(forText: text, seconds: 60)
    try terminal.settle()
  }

  /// Copies the last entry of a pane's directory to the other one, and waits until it is there.
  private func copy(from pane: String, to path: String, _ meanwhile: () throws -> Void = {}) throws
  {
    try focus(pane)
    try terminal.type("G")
    try terminal.settle()
    try terminal.type("\u{1B}[15~")
    try meanwhile()
    let deadline = ContinuousClock.now + .seconds(120)
    while !ScratchFolder.exists(path) {
      _ = try terminal.pump(milliseconds: 20)
      guard ContinuousClock.now < deadline else {
        throw BenchError.timeout(awaited: "the copy \(path)", screen: terminal.text)
      }
    }
    try terminal.settle()
  }

  private func make(_ folder: String, count: Int, size: Int) throws {
    let path = try files.makeFolder(folder)
    let bytes = [UInt8](repeating: 7, count: size)
    for number in 0..<count { try files.write("\(folder)/file-\(number)", bytes) }
    guard ScratchFolder.exists(path) else {
      throw BenchError.failed(step: "make files", diagnostic: path)
    }
  }

  // MARK: Figures

  private func large(_ idle: Samples) throws {
    let size = report.isQuick ? 500_000_000 : 2_000_000_000
    for isUpload in [false, true] {
      let (source, target) = isUpload ? (local, remote) : (remote, local)
      let from = try files.makeFolder("large-\(isUpload)")
      let to = try files.makeFolder("large-\(isUpload)-copy")
      // A file without blocks reads as zeros, which is as much work for everybody but its disk.
      let file = try files.write("large-\(isUpload)/bulk", "")
      guard unsafe truncate(file, size) == 0 else {
        throw BenchError.failed(step: "lengthen \(file)", diagnostic: "error \(errno)")
      }
      try go(target, to: to, until: "Empty directory")
      try go(source, to: from, until: "1 entry")
      let peak = try ResidentPeak(of: server)
      var busy = Samples()
      try copy(from: source, to: "\(to)/bulk") {
        // The copy's own figures change all the time: there is no quiet to wait for.
        try instance.control("focus", "--pane", shell)
        try EchoTyping.type(200, terminal, into: &busy) { ScratchFolder.exists("\(to)/bulk") }
      }
      let name = "\(size / 1_000_000) MB \(isUpload ? "put" : "get")"
      add(name + ", memory", try peak.growth(), nil, "MB", Self.memoryBudget)
      for (label, part) in [("p50", 0.5), ("p99", 0.99)] {
        add(
          "key to echo beside it, \(label)",
          busy.percentile(part),
          idle.percentile(part),
          "ms",
          .ratioAtMost(2),
          runs: busy.values.count
        )
      }
      FilesBench.remove(to)
    }
  }

  private func small() throws {
    _ = try files.makeFolder("trees")
    try make("trees/small", count: report.isQuick ? 1_000 : 5_000, size: 4_096)
    let target = try files.makeFolder("small-copy")
    try go(local, to: target, until: "Empty directory")
    try go(remote, to: files.file("trees"), until: "1 entry")
    let peak = try ResidentPeak(of: server)
    let last = "\(target)/small"
    try copy(from: remote, to: last)
    try terminal.wait(forText: "copied to", seconds: 60)
    add("many small files, memory", try peak.growth(), nil, "MB", Self.memoryBudget)
  }

  private func list() throws {
    let count = report.isQuick ? 10_000 : 100_000
    try make("many", count: count, size: 0)
    let peak = try ResidentPeak(of: server)
    try go(remote, to: files.file("many"), until: "\(count / 1_000),000 entries")
    add("\(count) entries listed, memory", try peak.growth(), nil, "MB", Self.memoryBudget)
  }

  private func add(
    _ name: String,
    _ ours: Double,
    _ idle: Double?,
    _ unit: String,
    _ budget: Budget,
    runs: Int = 1
  ) {
    report.add(
      Measurement(
        caseName: Self.name,
        name: name,
        ours: ours,
        peer: idle,
        peerName: idle == nil ? nil : "idle",
        unit: unit,
        budget: budget,
        runs: runs
      )
    )
  }
}

/// One case: what it is called, what it measures, and how.
struct BenchCase: Sendable {
  let name: String
  let summary: String
  let run: @Sendable (Report) throws -> Void

  /// Every case, in the order in which they run.
  static let all = [
    BenchCase(name: "parse", summary: "emulator throughput against libvterm's screen layer") {
      try ParseCase.run($0)
    },
    BenchCase(name: "ssh-pane", summary: "100 MB through an SSH pane against ssh, and tmux + ssh") {
      try SSHPaneCase.run($0)
    },
    BenchCase(
      name: "ssh-engine",
      summary: "connecting and 100 MB through a pane on the OpenSSH engine against ssh"
    ) {
      try SSHEngineCase.run($0)
    },
    BenchCase(name: "key-echo", summary: "key to echo in an SSH pane against tmux + ssh") {
      try KeyEchoCase.run($0)
    },
    BenchCase(name: "local-echo", summary: "key to letter over a round trip of 200 ms") {
      try LocalEchoCase.run($0)
    },
    BenchCase(name: "first-frame", summary: "time to the first complete frame against tmux") {
      try FirstFrameCase.run($0)
    },
    BenchCase(
      name: "memory",
      summary: "resident memory of a pane with a full scrollback against tmux"
    ) {
      try MemoryCase.run($0)
    },
    BenchCase(name: "idle", summary: "wakeups of a server with 20 quiet panes") {
      try IdleCase.run($0)
    },
    BenchCase(name: "batch-start", summary: "20 hosts opened together against 20 ssh in tmux") {
      try BatchStartCase.run($0)
    },
    BenchCase(name: "quick-open", summary: "a keystroke in Quick Open over 10,000 hosts") {
      try QuickOpenCase.run($0)
    },
    BenchCase(name: "find", summary: "finding text in 100,000 lines against tmux copy mode") {
      try FindCase.run($0)
    },
    BenchCase(name: "reflow", summary: "a change of width over 4 x 100,000 lines against tmux") {
      try ReflowCase.run($0)
    },
    BenchCase(name: "vault-open", summary: "opening and listing 10,000 hosts") {
      try VaultOpenCase.run($0)
    },
    BenchCase(name: "sftp-bulk", summary: "1 GB there and back against sftp, rclone and lftp") {
      try SFTPBulkCase.run($0)
    },
    BenchCase(name: "sftp-small", summary: "5,000 files of 4 KB against sftp -r, rclone and lftp") {
      try SFTPSmallCase.run($0)
    },
    BenchCase(name: "sftp-latency", summary: "large and small files over a round trip of 40 ms") {
      try SFTPLatencyCase.run($0)
    },
    BenchCase(name: "sftp-list", summary: "a directory of 100,000 entries against ls of sftp") {
      try SFTPListCase.run($0)
    },
    BenchCase(name: "sftp-server", summary: "memory and key to echo while a server copies") {
      try SFTPServerCase.run($0)
    },
    BenchCase(name: "sftp-tree", summary: "the plan of a copy of 1,000,000 files") {
      try SFTPTreeCase.run($0)
    },
  ]
}

/// Where a case puts what it measured.
struct Report {
  /// Whether less is measured, for a look during work.
  let isQuick: Bool
  /// Takes one row at a time, as soon as it is known.
  let add: (Measurement) -> Void
}

import TermindTerminal

/// How many bytes a second the emulator takes, beside libvterm's screen layer on the same bytes.
enum ParseCase {
  private static let rows = 50
  private static let columns = 200
  private static let rounds = 7
  /// Bytes of one read from a program.
  private static let chunk = 65_536

  /// What is measured: its text, and how many times better than the peer it has to be; nil for what has no peer.
  private static let inputs: [(name: String, bytes: [UInt8], budget: Double?)] = [
    ("plain", ParseInput.plain(), 20), ("SGR-heavy", ParseInput.styled(), 5),
    ("CJK and emoji", ParseInput.wide(), 6), ("random bytes", ParseInput.random(), nil),
  ]

  static func run(_ report: Report) throws {
    for input in inputs {
      var ours = Samples()
      var peer = Samples()
      for _ in 0..<rounds {
        try Interruption.check()
        ours.add(try feedOurs(input.bytes))
        if input.budget != nil { peer.add(try feedPeer(input.bytes)) }
      }
      report.add(
        Measurement(
          caseName: "parse",
          name: input.name,
          ours: ours.median,
          peer: input.budget.map { _ in peer.median },
          peerName: input.budget.map { _ in "libvterm screen" },
          unit: "MB/s",
          budget: input.budget.map(Budget.ratioAtLeast),
          runs: rounds
        )
      )
    }
  }

  private static func feedOurs(_ bytes: [UInt8]) throws -> Double {
    let terminal = Terminal(size: TerminalSize(rows: rows, columns: columns))
    return unsafe rate(of: bytes) { unsafe terminal.feed($0) }
  }

  private static func feedPeer(_ bytes: [UInt8]) throws -> Double {
    let screen = try ScreenLayerHandle(rows: rows, columns: columns)
    return unsafe rate(of: bytes) { unsafe screen.write($0) }
  }

  /// Megabytes for each second of processor time of a sink, fed for at least a third of a second.
  ///
  /// Nothing here waits, so processor time says the same as time on a quiet machine, and more on a busy one.
  private static func rate(of bytes: [UInt8], _ sink: (UnsafeRawBufferPointer) -> Void) -> Double {
    var total = 0
    let start = ProcessorTime.now()
    var passed = Duration.zero
    repeat {
      unsafe bytes.withUnsafeBytes { all in
        var place = 0
        while place < all.count {
          let end = min(place + chunk, all.count)
          unsafe sink(UnsafeRawBufferPointer(rebasing: all[place..<end]))
          place = end
        }
      }
      total += bytes.count
      passed = ProcessorTime.now() - start
    } while passed < .milliseconds(333)
    return Double(total) / passed.seconds / 1e6
  }
}

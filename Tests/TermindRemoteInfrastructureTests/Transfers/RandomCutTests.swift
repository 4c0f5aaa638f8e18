import Foundation
import Glibc
import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

/// The same numbers in every run, so that a failure can be looked at again.
private struct FixedNumbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ state >> 29
  }
}

@Suite("Transfers that are cut at random points") struct RandomCutTests {
  /// One transfer of a small tree whose connection is cut once, and brought back.
  private static func transfer(_ round: Int, cutAfter count: Int, up: Bool) async throws -> Bool {
    let bench = try TransferBench()
    let (from, to) = up ? (bench.here, bench.there) : (bench.there, bench.here)
    mkdir(from.file("tree"), 0o700)
    mkdir(from.file("tree/sub"), 0o700)
    let large = String(repeating: "cut \(round) ", count: 40_000)
    var contents = ["large": large, "sub/large": large + "2"]
    for number in 0..<6 { contents["sub/small-\(number)"] = "small \(number) of \(round)" }
    for (name, text) in contents { try from.write("tree/\(name)", text) }
    symlink("large", from.file("tree/link"))
    let job = try await bench.job(["tree"], up: up)
    bench.cut.withLock { $0 = count }
    let run = Task { await job.run() }
    // Whoever opens it next has a line that holds.
    try await bench.wait("an end, or a loss", job) {
      if case .waiting = $0.state { return true }
      return !$0.isOpen
    }
    let wasCut = bench.openings.withLock { $0 } > 0 && job.batch.isOpen
    bench.cut.withLock { $0 = nil }
    while job.batch.isOpen {
      await job.resume()
      try await Task.sleep(for: .milliseconds(5))
    }
    await run.value
    // It could not begin: that is told, and trying again does all of it.
    if case .failed(let error) = job.batch.state {
      #expect(error.endsConnection, "\(round): \(error)")
      await job.retry()
    }
    #expect(job.batch.state == .done && job.batch.failureCount == 0, "\(round), after \(count)")
    for (name, text) in contents {
      let there = try? TemporaryFolder.read(to.file("tree/\(name)"))
      #expect(there == text, "\(round), after \(count): \(name)")
    }
    let names = Set(to.names("tree") + to.names("tree/sub"))
    #expect(names == Set(["large", "sub", "link"]).union((0..<6).map { "small-\($0)" }))
    #expect(to.names(".") == ["tree"])
    return wasCut
  }

  @Test("200 times: both ends are equal in the end, and nothing half is left")
  func cuts() async throws {
    var random = FixedNumbers(state: 7)
    let places = (0..<200).map { (round: $0, count: Int.random(in: 1...70, using: &random)) }
    let cut = try await withThrowingTaskGroup(of: Bool.self) { group in
      var cut = 0
      for (round, count) in places {
        if round >= 4, try await group.next() == true { cut += 1 }
        group.addTask {
          try await Self.transfer(round, cutAfter: count, up: round.isMultiple(of: 2))
        }
      }
      for try await wasCut in group where wasCut { cut += 1 }
      return cut
    }
    // Most of them lie within the transfer.
    #expect(cut > 100)
  }
}

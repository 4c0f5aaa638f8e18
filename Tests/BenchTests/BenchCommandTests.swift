import Foundation
import TermindTestSupport
import Testing

@testable import termind_bench

/// Foundation has a type of the same name.
private typealias Row = termind_bench.Measurement

/// The command of the benchmarks: what it takes and what it prints; what it measures is no test.
@Suite("termind-bench") struct BenchCommandTests {
  /// The built program, beside the test bundle.
  private static var program: String {
    let bundle = URL(filePath: ProcessInfo.processInfo.arguments[0]).deletingLastPathComponent()
    return bundle.appending(path: "termind-bench").path
  }

  private func run(_ words: String...) async throws -> (status: Int32, text: String) {
    let program = try TestProgram(Self.program, words)
    return (try await program.waitForExit(), program.text)
  }

  @Test("help names every case, and is no error", arguments: ["--help", "-h"])
  func help(option: String) async throws {
    let (status, text) = try await run(option)
    #expect(status == 0)
    for each in BenchCase.all {
      #expect(text.contains("  \(each.name)"), "\(each.name)")
      #expect(text.contains(each.summary))
    }
    #expect(text.contains("all          every case"))
  }

  @Test(
    "a command line that is wrong is refused with what is wrong and how it is used, status 2",
    arguments: [
      ([], "which case?"), (["--json"], "which case?"), (["frob"], "unknown case 'frob'"),
      (["find", "frob"], "unknown case 'frob'"), (["--frob"], "unknown option '--frob'"),
      (["find", "--JSON"], "unknown option '--JSON'"),
    ] as [([String], String)]
  )
  func refused(words: [String], text: String) async throws {
    let program = try TestProgram(Self.program, words)
    #expect(try await program.waitForExit() == 2)
    #expect(program.text.hasPrefix("termind-bench: \(text)\n\nusage: termind-bench CASE… [--json]"))
  }

  @Test("the cases have names of their own, those of the design first")
  func names() {
    let names = BenchCase.all.map(\.name)
    #expect(Set(names).count == names.count)
    for name in ["parse", "ssh-pane", "key-echo", "first-frame", "memory", "idle"] {
      #expect(names.contains(name), "\(name)")
    }
    #expect(!names.contains("all"))
  }

  private func decoded(_ row: Row) throws -> [String: Any] {
    let line = row.json
    #expect(!line.contains("\n"))
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
    return try #require(object as? [String: Any])
  }

  @Test("a row with everything has every field of the format")
  func fullRow() throws {
    let found = try decoded(
      Row(
        caseName: "parse",
        name: "plain",
        ours: 123.456789,
        peer: 10,
        peerName: "libvterm",
        unit: "MB/s",
        budget: .ratioAtLeast(20),
        runs: 5
      )
    )
    #expect(
      Set(found.keys) == [
        "case", "name", "ours", "peer", "peer_name", "unit", "ratio", "budget", "within_budget",
        "runs",
      ]
    )
    #expect(found["case"] as? String == "parse")
    #expect(found["name"] as? String == "plain")
    #expect(found["ours"] as? Double == 123.4568)
    #expect(found["peer"] as? Double == 10)
    #expect(found["peer_name"] as? String == "libvterm")
    #expect(found["unit"] as? String == "MB/s")
    #expect(found["ratio"] as? Double == 12.3457)
    #expect(found["budget"] as? String == "ratio >= 20")
    #expect(found["within_budget"] as? Bool == false)
    #expect(found["runs"] as? Int == 5)
  }

  @Test("what is not known is null, and the field is there all the same")
  func emptyRow() throws {
    let found = try decoded(
      Row(
        caseName: "idle",
        name: "a \"name\" / with\tsigns",
        ours: 0,
        peer: nil,
        peerName: nil,
        unit: "/s",
        budget: nil,
        runs: 1
      )
    )
    #expect(found.count == 10)
    for name in ["peer", "peer_name", "ratio", "budget", "within_budget"] {
      #expect(found[name] is NSNull, "\(name)")
    }
    #expect(found["name"] as? String == "a \"name\" / with\tsigns")
  }

  @Test(
    "a budget is kept at its limit and not beyond, and never without the ratio that it needs",
    arguments: [
      (Budget.ratioAtLeast(2), 4, 2, true), (.ratioAtLeast(2), 3.9, 2, false),
      (.ratioAtMost(1), 5, 5, true), (.ratioAtMost(1), 5.1, 5, false),
      (.oursAtMost(4), 4, nil, true), (.oursAtMost(4), 4.1, nil, false),
      (.ratioAtLeast(2), 4, nil, false), (.ratioAtMost(1), 4, nil, false),
      (.ratioAtMost(1), 4, 0, false),
    ] as [(Budget, Double, Double?, Bool)]
  )
  func budget(budget: Budget, ours: Double, peer: Double?, isKept: Bool) throws {
    let row = Row(
      caseName: "c",
      name: "n",
      ours: ours,
      peer: peer,
      peerName: peer == nil ? nil : "p",
      unit: "ms",
      budget: budget,
      runs: 3
    )
    #expect(row.isWithinBudget == isKept)
    // For a person the same, in as many columns as the heading names.
    #expect(row.row.contains(isKept ? " yes " : " NO "))
    #expect(row.row.contains(budget.text))
  }
}

import TermindInfrastructure

/// The command line of `termind-bench`.
enum BenchCommand {
  private static let usage = """
    usage: termind-bench CASE… [--json] [--quick]

    Measures Termind beside its peers and prints one row for each measurement; a budget that is not
    met is reported, not failed. --quick lets the cases about files take less of them. Cases:
    \(BenchCase.all.map { "  \($0.name.padded(to: 12)) \($0.summary)" }.joined(separator: "\n"))
      all          every case

    exit status: 0 all ran, 1 a case could not run, 2 the command line is wrong

    """

  /// Runs the named cases; the result is the exit status.
  static func run(_ words: ArraySlice<String>) -> UInt8 {
    var isJSON = false
    var isQuick = false
    var cases: [BenchCase] = []
    for word in words {
      switch word {
      case "--json": isJSON = true
      case "--quick": isQuick = true
      case "--help", "-h":
        return print(usage) ? 0 : 1
      case "all": cases += BenchCase.all
      default:
        guard let found = BenchCase.all.first(where: { $0.name == word }) else {
          let kind = word.hasPrefix("-") ? "option" : "case"
          StandardStream.error.say("termind-bench: unknown \(kind) '\(word)'\n\n\(usage)")
          return 2
        }
        cases.append(found)
      }
    }
    guard !cases.isEmpty else {
      StandardStream.error.say("termind-bench: which case?\n\n\(usage)")
      return 2
    }
    return run(cases, isJSON: isJSON, isQuick: isQuick)
  }

  private static func run(_ cases: [BenchCase], isJSON: Bool, isQuick: Bool) -> UInt8 {
    Interruption.install()
    var status: UInt8 = 0
    if !isJSON, !print(Measurement.heading) { return 1 }
    for each in cases {
      let report = Report(isQuick: isQuick) { measurement in
        if !print((isJSON ? measurement.json : measurement.row) + "\n") { status = 1 }
      }
      do {
        try Interruption.check()
        try each.run(report)
      } catch let error as BenchError {
        StandardStream.error.say("termind-bench: \(each.name): \(error.text)\n")
        status = 1
      } catch {
        StandardStream.error.say("termind-bench: \(each.name): \(error)\n")
        status = 1
      }
    }
    return status
  }

  /// Prints a part of the report; false when it could not be written.
  private static func print(_ text: String) -> Bool {
    do throws(StandardStreamError) { try StandardStream.output.write(text) } catch {
      StandardStream.error.say("termind-bench: the output cannot be written: \(error)\n")
      return false
    }
    return true
  }
}

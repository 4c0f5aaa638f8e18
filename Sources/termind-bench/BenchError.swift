/// Why a case could not run.
enum BenchError: Error {
  /// A program that is measured or measured against is not installed.
  case missing(program: String, package: String)
  /// The built `termind` does not lie beside this program.
  case notBuilt(path: String)
  /// What was waited for did not come.
  case timeout(awaited: String, screen: String)
  /// The person ended the bench.
  case interrupted
  /// A step failed.
  case failed(step: String, diagnostic: String)

  /// The words for a person.
  var text: String {
    switch self {
    case .missing(let program, let package):
      "'\(program)' is not installed; it is in the Debian package \(package)"
    case .notBuilt(let path):
      "there is no program at \(path); build it first, with the same configuration"
    case .timeout(let awaited, let screen):
      "waited in vain for \(awaited)" + (screen.isEmpty ? "" : "; the screen was:\n\(screen)")
    case .interrupted: "interrupted"
    case .failed(let step, let diagnostic): "\(step): \(diagnostic)"
    }
  }
}

/// A library that the program is linked with, as its owner reports it.
public nonisolated struct LinkedLibrary: Hashable, Sendable, Codable {
  /// The library's name.
  public var name: String
  /// The version that is loaded.
  public var version: String

  /// Names a library.
  public init(name: String, version: String) {
    self.name = name
    self.version = version
  }
}

/// What `termind doctor` found.
nonisolated struct DoctorReport: Hashable, Sendable, Codable {
  /// How a finding is to be taken.
  enum Verdict: String, Hashable, Sendable, Codable {
    /// As it should be.
    case fine
    /// Something works less well than it could.
    case limited
    /// Something does not work.
    case wrong
  }

  /// One thing that was looked at.
  struct Finding: Hashable, Sendable, Codable {
    var name: String
    var value: String
    var verdict: Verdict
    /// What to do about it; absent when nothing is to be done.
    var remedy: String?

    init(_ name: String, _ value: String, _ verdict: Verdict = .fine, remedy: String? = nil) {
      self.name = name
      self.value = value
      self.verdict = verdict
      self.remedy = remedy
    }
  }

  /// Findings under one title.
  struct Section: Hashable, Sendable, Codable {
    var title: String
    var findings: [Finding]
  }

  var sections: [Section] = []

  /// The worst verdict.
  var verdict: Verdict {
    let verdicts = Set(sections.flatMap(\.findings).map(\.verdict))
    return verdicts.contains(.wrong) ? .wrong : verdicts.contains(.limited) ? .limited : .fine
  }

  /// The report for a person.
  var text: String {
    var result = ""
    for section in sections where !section.findings.isEmpty {
      result += section.title + "\n"
      let width = section.findings.map(\.name.count).max() ?? 0
      for finding in section.findings {
        let mark =
          switch finding.verdict {
          case .fine: " "
          case .limited: "~"
          case .wrong: "!"
          }
        let padding = String(repeating: " ", count: width - finding.name.count)
        result += " \(mark) \(finding.name)\(padding)  \(finding.value)\n"
        if let remedy = finding.remedy {
          result += "   \(String(repeating: " ", count: width))  -> \(remedy)\n"
        }
      }
      result += "\n"
    }
    switch verdict {
    case .fine: result += "Nothing is wrong.\n"
    case .limited: result += "It works; what is marked with ~ could be better.\n"
    case .wrong: result += "What is marked with ! is wrong.\n"
    }
    return result
  }
}

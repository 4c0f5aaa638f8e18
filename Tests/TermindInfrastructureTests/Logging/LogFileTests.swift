import FoundationEssentials
import Testing

@testable import TermindInfrastructure

@Suite("Log file") struct LogFileTests {
  @Test("writes one line an event, control characters replaced")
  func lines() throws {
    let line = LogFile.line(.warning, "a\u{1B}[31m\nb\u{9B}", at: Date(timeIntervalSince1970: 0))
    #expect(
      String(decoding: line, as: UTF8.self)
        == "1970-01-01T00:00:00Z warning a\u{FFFD}[31m\u{FFFD}b\u{FFFD}\n"
    )
  }

  @Test("keeps two files of a bounded size")
  func bounded() throws {
    let scratch = try ScratchDirectory()
    let path = "\(scratch.path)/log"
    let log = LogFile(path: path, limit: 1000)
    for number in 0..<100 { log.write(.info, "line \(number)") }
    let new = try Data(contentsOf: URL(filePath: path))
    let old = try Data(contentsOf: URL(filePath: path + ".old"))
    #expect(new.count <= 1000)
    #expect(old.count <= 1000)
    #expect(String(decoding: new, as: UTF8.self).hasSuffix("line 99\n"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path).count == 2)
    #expect(scratch.mode(of: "log") == 0o600)
  }

  @Test("a log that cannot be written stops nobody")
  func unwritable() { LogFile(path: "/no/such/log").write(.error, "lost") }
}

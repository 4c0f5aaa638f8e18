import Foundation
import TermindDomain
import Testing

@testable import TermindTUI

/// What the commands read from and write to, and what they refuse: the built program on a store of its own.
@Suite("Sources of commands", .timeLimit(.minutes(10))) struct RecordSourcesTests {
  @Test("folders and devices are told as what they are", arguments: ["ssh-config", "csv", "putty"])
  func notRegular(kind: String) async throws {
    let termind = try CommandRun(home: TestHome())
    for path in ["/", "/dev/zero"] {
      let outcome = try await termind("import", kind, path, "--yes")
      #expect(outcome.status == 11)
      #expect(outcome.errors == "termind: '\(path)' cannot be read: not a regular file.\n")
    }
    let absent = try await termind("import", kind, "/nonexistent/file")
    #expect(absent.status == 4)
    #expect(absent.errors == "termind: There is no file '/nonexistent/file'.\n")
  }

  @Test("a pipe and standard input are imported, and nothing of them stays behind")
  func pipes() async throws {
    let termind = try CommandRun(home: TestHome())
    let table = try await termind.run(
      ["import", "csv", "-", "--yes"],
      input: "name,address\npiped,192.0.2.4\n"
    )
    #expect(table.status == 0, "\(table.output) \(table.errors)")
    #expect(table.output.contains("standard input"))
    let config = try await termind.run(
      ["import", "ssh-config", "/dev/stdin", "--yes"],
      input: "Host second\n  HostName 192.0.2.5\n"
    )
    #expect(config.status == 0, "\(config.output) \(config.errors)")
    #expect(config.output.contains("/dev/stdin"))
    let names = try await termind("host", "list", "--json").decoded([HostRow].self).map(\.name)
    #expect(names == ["piped", "second"])
    let shown = try await termind.run(
      ["import", "csv", "-"],
      input: "name,address\nthird,192.0.2.6\n"
    )
    #expect(shown.status == 12)
    #expect(shown.errors == "Nothing was imported; --yes imports this.\n")
    let broken = try await termind.run(["import", "csv", "-", "--yes"], input: "x\n")
    #expect(broken.status == 11)
    #expect(broken.errors.contains("'standard input' cannot be read"))
    let left = try FileManager.default.contentsOfDirectory(atPath: "\(termind.directory)/run")
    #expect(left.allSatisfy { !$0.hasPrefix("import-") })
  }

  @Test(
    "a way back to a host itself is refused with the hosts on it, also by a name that came later"
  )
  func cycles() async throws {
    let termind = try CommandRun(home: TestHome())
    #expect(try await termind("host", "add", "a", "--address", "192.0.2.1").status == 0)
    let own = try await termind("host", "edit", "a", "--jump", "a")
    #expect(own.status == 11)
    #expect(own.errors.contains("jump leads back to itself: a → a"))
    #expect(
      try await termind("host", "add", "b", "--address", "192.0.2.2", "--jump", "a").status == 0
    )
    let two = try await termind("host", "edit", "a", "--jump", "b")
    #expect(two.errors.contains("jump leads back to itself: a → b → a"))
    // `later` is only a name yet.
    #expect(
      try await termind("host", "add", "c", "--address", "192.0.2.3", "--jump", "later").status == 0
    )
    let later = try await termind("host", "add", "later", "--address", "192.0.2.4", "--jump", "c")
    #expect(later.status == 11)
    #expect(later.errors.contains("jump leads back to itself: later → c → later"))
    // Changed together, they are checked as they will be.
    let both = try await termind("host", "edit", "a", "b", "--jump", "c")
    #expect(both.status == 0, "\(both.errors)")
  }

  @Test("hosts that ssh does not reach are named where they are left out")
  func telnet() async throws {
    let termind = try CommandRun(home: TestHome())
    _ = try await termind("host", "add", "web", "--set", "address=192.0.2.1", "--add", "tag=x")
    _ = try await termind("host", "add", "switch", "--address", "sw", "--protocol", "telnet")
    let note = "Left out, since ssh does not speak Telnet: switch"
    let config = try await termind("export", "ssh-config")
    #expect(config.status == 0)
    #expect(config.output.hasPrefix("# \(note)\n\nHost web\n  HostName 192.0.2.1\n"))
    #expect(config.errors == note + "\n")
    let json = try await termind("export", "ssh-config", "--json")
    #expect(try json.decoded([ConfigRow].self).map(\.name) == ["web"])
    #expect(json.errors == note + "\n")
  }
}

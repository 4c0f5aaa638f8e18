import FoundationEssentials
import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindTUI

/// Host keys on the command line: the built program on a store of its own.
@Suite("Known hosts on the command line", .timeLimit(.minutes(10))) struct KnownHostCommandTests {
  private func key(_ letter: Character) -> String {
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI\(letter)8UXm60Bv6k6n9kZVKRxicjCPIwjzVc4+R/VnCcclb4"
  }

  @Test("a host that is kept as a hash is shown and removed by its name, together with plain lines")
  func hashed() async throws {
    let termind = try CommandRun(home: TestHome())
    let path = try termind.write(
      "secret.example \(key("A"))\n[secret.example]:2222 \(key("B"))\n",
      to: "hosts"
    )
    let program = try TestProgram("/usr/bin/ssh-keygen", ["-q", "-H", "-f", path])
    #expect(try await program.waitForExit() == 0)
    #expect(try await termind("import", "known-hosts", "hosts", "--yes").status == 0)
    #expect(try await termind("known-host", "add", "secret.example", "--key", key("C")).status == 0)
    let shown = try await termind("known-host", "show", "secret.example", "--json")
    let rows = try shown.decoded([KnownHostRow].self)
    #expect(rows.count == 2)
    #expect(rows.contains { $0.names.hasPrefix("|1|") })
    let ported = try await termind("known-host", "show", "[secret.example]:2222", "--json")
    #expect(try ported.decoded([KnownHostRow].self).count == 1)
    #expect(try await termind("known-host", "show", "other.example").status == 4)
    let refused = try await termind("known-host", "rm", "secret.example")
    #expect(refused.status == 10)
    for row in rows { #expect(refused.errors.contains(row.id)) }
    #expect(try await termind("known-host", "rm", "secret.example", "--all").status == 0)
    #expect(try await termind("known-host", "rm", "[Secret.Example]:2222").status == 0)
    #expect(try await termind("known-host", "list").output.isEmpty)
  }

  @Test("names with characters that act on a terminal are refused, and comments lose them")
  func invisible() async throws {
    let termind = try CommandRun(home: TestHome())
    for (field, arguments) in [
      ("host", ["x\u{1B}[31m", "--key", key("A")]),
      ("comment", ["x", "--key", key("A"), "--comment", "c\nx"]),
      ("comment", ["x", "--key", key("A"), "--comment", "c\u{1B}]0;t\u{7}"]),
    ] {
      let refused = try await termind.run(["known-host", "add"] + arguments)
      #expect(refused.status == 11)
      #expect(
        refused.errors
          == "termind: Nothing was saved: \(field) has characters that cannot be seen.\n"
      )
    }
    _ = try termind.write(
      "x\u{1B}[31m \(key("A"))\nfine \(key("B")) a\u{1B}[2Jb\n",
      to: "hosts"
    )
    let made = try await termind("import", "known-hosts", "hosts", "--yes")
    #expect(made.status == 0)
    #expect(made.output.contains("line 1: the host names have characters that cannot be seen"))
    #expect(try await termind("export", "known-hosts").output == "fine \(key("B")) a[2Jb\n")
  }
}

/// Fields of hosts that name something else.
@Suite("Names in fields of hosts", .timeLimit(.minutes(10))) struct HostFieldCommandTests {
  @Test("a theme that there is not is refused with the nearest one; the person's own are known")
  func theme() async throws {
    let termind = try CommandRun(home: TestHome())
    let wrong = try await termind("host", "add", "a", "--address", "h", "--theme", "Dracul")
    #expect(wrong.status == 11)
    #expect(wrong.errors.contains("theme: there is no 'Dracul'; did you mean 'Dracula'"))
    #expect(try await termind("host", "list").output.isEmpty)
    let own = "\(termind.home.paths.config)/themes"
    try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
    try Data("background = 000000\nforeground = ffffff\n".utf8)
      .write(to: URL(filePath: "\(own)/Mine"))
    #expect(
      try await termind("host", "add", "a", "--address", "h", "--theme", "Dracula").status == 0
    )
    let changed = try await termind("host", "edit", "a", "--theme", "Mine", "--json")
    #expect(try changed.decoded([HostRow].self).first?.theme == "Mine")
    let unset = try await termind("host", "edit", "a", "--unset", "theme", "--json")
    #expect(try unset.decoded([HostRow].self).first?.theme == nil)
  }
}

import FoundationEssentials
import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindTUI

/// What the built program does when its output takes nothing.
@Suite("Output that cannot be written", .timeLimit(.minutes(10))) struct CommandOutputTests {
  /// A device on which every write fails for want of room.
  private static let full = "/dev/full"

  @Test(
    "a full disk is an error of every command that prints",
    arguments: [
      ["--help"], ["--version"], ["host", "list"], ["export", "hosts"], ["doctor"],
    ]
  )
  func full(arguments: [String]) async throws {
    let termind = try CommandRun(home: TestHome())
    #expect(try await termind("host", "add", "web", "--address", "a").status == 0)
    let outcome = try await termind.run(arguments, output: Self.full)
    #expect(outcome.status == 1)
    #expect(
      outcome.errors == "termind: The output cannot be written: No space left on device.\n"
    )
  }

  @Test(
    "errors about the output are JSON where errors are",
    arguments: [["host", "list"], ["doctor"]]
  )
  func fullJSON(arguments: [String]) async throws {
    let termind = try CommandRun(home: TestHome())
    let outcome = try await termind.run(arguments + ["--json"], output: Self.full)
    #expect(outcome.status == 1)
    #expect(outcome.errors.hasPrefix("{\"error\":{\"code\":\"failed\""))
    #expect(outcome.errors.contains("No space left on device"))
  }

  @Test("an import whose preview cannot be shown imports nothing")
  func imported() async throws {
    let termind = try CommandRun(home: TestHome())
    let path = try termind.write("Host web\n  HostName a.example\n", to: "ssh.conf")
    let outcome = try await termind.run(["import", "ssh-config", path, "--yes"], output: Self.full)
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("No space left on device"))
    #expect(try await termind("host", "list", "--json").output == "[]\n")
  }

  @Test(
    "the answers of a running server meet a full disk as well",
    arguments: [["ls"], ["capture"]]
  )
  @MainActor func server(arguments: [String]) async throws {
    let server = try TestServer()
    let termind = try CommandRun(home: server.home)
    server.windows.reply = arguments == ["ls"] ? .windows([]) : .text("line\n")
    // Nothing to print is no error.
    let isEmpty = arguments == ["ls"]
    let outcome = try await termind.run(
      isEmpty ? ["ls"] : ["ctl"] + arguments,
      output: Self.full
    )
    #expect(outcome.status == (isEmpty ? 0 : 1))
    #expect(outcome.errors.contains("No space left on device") == !isEmpty)
  }

  @Test("a reader that has gone ends the command without a word, also where its signal is ignored")
  func closed() async throws {
    let termind = try CommandRun(home: TestHome())
    for trap in ["", "trap '' PIPE;"] {
      let text = try await script(
        trap + #"exec 3> >(exec <&-); wait $!; "$0" --help >&3; echo "status $?""#,
        home: termind.home
      )
      #expect(text == "status 141\n")
    }
  }

  @Test("a pipe that does not block is written whole")
  func nonblocking() async throws {
    let termind = try CommandRun(home: TestHome())
    let hosts = (0..<300).map { "Host host\($0)\n  HostName a\($0).example\n" }.joined()
    let path = try termind.write(hosts, to: "ssh.conf")
    #expect(try await termind("import", "ssh-config", path, "--yes").status == 0)
    let whole = try await termind("host", "list", "--json").output
    let reader = """
      import fcntl, os, subprocess, sys
      r, w = os.pipe()
      fcntl.fcntl(w, 1031, 4096)
      os.set_blocking(w, False)
      p = subprocess.Popen(sys.argv[1:] + ['host', 'list', '--json'], stdout=w)
      os.close(w)
      while part := os.read(r, 512):
          sys.stdout.write(part.decode())
      sys.exit(p.wait())
      """
    let read = try await TestProgram.run(
      "/usr/bin/python3",
      ["-c", reader, TestTerminal.program],
      environment: ["TERMIND_HOME": termind.home.path, "HOME": termind.home.path]
    )
    #expect(whole.utf8.count > 20_000)
    #expect(read == whole)
  }

  /// Runs a script of bash with the program as `$0`.
  private func script(_ text: String, home: TestHome) async throws -> String {
    try await TestProgram.run(
      "/bin/bash",
      ["-c", text, TestTerminal.program],
      environment: ["TERMIND_HOME": home.path, "HOME": home.path]
    )
  }
}

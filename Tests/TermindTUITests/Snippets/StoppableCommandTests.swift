import Glibc
import TermindTestSupport
import Testing

@testable import TermindTUI

@Suite("Commands that can be told to end") struct StoppableCommandTests {
  static let shells = ["/bin/sh", "/bin/bash", "/usr/bin/zsh", "/usr/bin/fish"]
  private static let mark = String(decoding: StoppableCommand.mark, as: UTF8.self)

  /// Starts a command as a server does: by the account's shell, which leads a session of its own.
  private func start(_ text: String, _ shell: String) throws -> TestProgram {
    try TestProgram("/usr/bin/setsid", [shell, "-c", StoppableCommand.command(text)])
  }

  private func number(in text: String) throws -> pid_t {
    try #require(text.split(whereSeparator: \.isNewline).last.flatMap { pid_t($0) })
  }

  @Test("a byte ends the command with everything that it started", arguments: shells)
  func stop(shell: String) async throws {
    let program = try start("sh -c 'sleep 600 & echo $!; wait'; echo went on", shell)
    try await program.wait(for: Self.mark)
    try await program.wait(for: "\n")
    let child = try number(in: program.text.replacing(Self.mark, with: ""))
    #expect(kill(child, 0) == 0)
    try program.write(StoppableCommand.stop)
    // Not an exit of its own: a signal ended it.
    #expect(try await program.waitForExit() == 0)
    #expect(!program.text.contains("went on"))
    // Whoever inherited it collects it.
    try await withDeadline("the end of \(child)") {
      while kill(child, 0) == 0 { try await Task.sleep(for: .milliseconds(5)) }
    }
  }

  @Test("text and status stay what they are, and nothing waits for input", arguments: shells)
  func plain(shell: String) async throws {
    let text = "echo \"a'b\" 'c\\d' \\! é\necho two\nexit 3"
    let program = try start(text, shell)
    #expect(try await program.waitForExit() == 3)
    let plain = try TestProgram(shell, ["-c", text])
    #expect(try await plain.waitForExit() == 3)
    #expect(program.text == Self.mark + plain.text)
  }

  @Test("the end of the input, as after a lost connection, ends nothing")
  func lost() async throws {
    let program = try start("sleep 1; echo survived", "/bin/sh")
    try await program.wait(for: Self.mark)
    program.endInput()
    #expect(try await program.waitForExit() == 0)
    #expect(program.text.hasSuffix("survived\n"))
  }

  @Test("without sh nothing of the command is run")
  func missing() async throws {
    let command = StoppableCommand.command("echo ran").replacing("/bin/sh", with: "/nowhere/sh")
    let program = try TestProgram("/bin/bash", ["-c", command])
    #expect(try await program.waitForExit() == StoppableCommand.refusal)
    #expect(!program.text.contains("ran\n"))
  }

  @Test("the mark is taken out of the output, wherever it is cut, and only once")
  func mark() {
    for cut in 0...StoppableCommand.mark.count {
      let output = RunOutput {}
      let bytes = Array("motd\n".utf8) + StoppableCommand.mark + Array("text\n".utf8)
      for part in [bytes.prefix(5 + cut), bytes.dropFirst(5 + cut)] {
        unsafe Array(part).withUnsafeBytes { unsafe output.received($0) }
      }
      #expect(output.isMarked && output.text.bytes == Array("motd\ntext\n".utf8))
      unsafe StoppableCommand.mark.withUnsafeBytes { unsafe output.received($0) }
      #expect(output.text.bytes.count == 10 + StoppableCommand.mark.count)
    }
  }
}

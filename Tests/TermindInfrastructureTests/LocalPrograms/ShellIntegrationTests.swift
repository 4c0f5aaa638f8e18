import Foundation
import Glibc
import TermindApplication
import TermindDomain
import TermindTestSupport
import Testing

@testable import TermindInfrastructure

/// Real shells in real pseudo-terminals, started so that they mark their prompts.
@Suite("Shell integration", .timeLimit(.minutes(3))) struct ShellIntegrationTests {
  private static let shells = ["/bin/bash", "/usr/bin/zsh", "/usr/bin/fish"]
  private let loop: EventLoop
  private let output = OutputCollector()
  private let home: TemporaryFolder

  init() throws {
    loop = try EventLoop(name: "test")
    home = try TemporaryFolder()
    try home.write(
      ".bash_profile",
      "PS1='own> '\nPROMPT_COMMAND='own_hook=$?;'\nHISTFILE=~/.history\n"
    )
    try home.write(".zshenv", "own_env=read\n")
    try home.write(
      ".zshrc",
      "PS1='own> '\nprecmd() { own_hook=$? }\nHISTFILE=~/.history\nSAVEHIST=9\n"
    )
    for name in [".config", ".config/fish"] { mkdir(home.file(name), 0o700) }
    try home.write(
      ".config/fish/config.fish",
      "function fish_prompt; printf 'own> '; end\nset fish_greeting\n"
    )
  }

  private func start(_ shell: String, _ script: String? = nil) throws -> LocalProgram {
    let script = try script ?? #require(LoginShellStart.localScript(for: shell))
    return try LocalProgram(
      LocalProgramRequest(
        .command([
          "/usr/bin/env", "-i", "HOME=\(home.path)", "SHELL=\(shell)", "TERM=xterm-256color",
          "LANG=C.UTF-8",
          "PATH=/usr/local/bin:/usr/bin:/bin", "ENV=kept", "/bin/sh", "-c", script,
        ]),
        directory: home.path,
        size: TerminalDimensions(rows: 30, columns: 90)
      ),
      version: "1.2.3",
      on: loop,
      output: output
    )
  }

  private func wait(_ part: String) async throws {
    try await waitUntil("'\(part)' in \(output.text.suffix(600).debugDescription)") {
      output.text.contains(part)
    }
  }

  private func enter(_ text: String, in program: LocalProgram) {
    _ = program.send(Array("\(text)\r".utf8))
  }

  @Test(
    "marks prompts, commands with their lines, ends with status and time, and tells the directory",
    arguments: shells
  )
  func marks(shell: String) async throws {
    let program = try start(shell)
    try await wait("own> \u{1B}]133;B\u{7}")
    #expect(output.text.contains("\u{1B}]133;A\u{7}"))
    enter("echo 'a;b' é && false", in: program)
    try await wait("\u{1B}]133;C;cmdline_url=echo%20%27a%3Bb%27%20%C3%A9%20%26%26%20false\u{7}")
    try await wait("\u{1B}]133;D;1;duration_ms=")
    enter("mkdir 'é d'", in: program)
    try await wait("\u{1B}]133;D;0;duration_ms=")
    enter("cd 'é d'", in: program)
    try await wait("\(home.path)/%C3%A9%20d\u{7}")
    program.close()
    _ = await output.end()
    loop.shutdown()
  }

  @Test(
    "leaves the person's hooks, status, history and environment alone, and no file behind",
    arguments: shells
  )
  func harmless(shell: String) async throws {
    let program = try start(shell)
    try await wait("own> \u{1B}]133;B\u{7}")
    enter("false", in: program)
    try await wait("\u{1B}]133;D;1")
    let isFish = shell.hasSuffix("fish")
    enter(
      isFish
        ? "echo kept=$ENV left=(env | grep -c ^TERMIND)"
        : "echo kept=$ENV left=$(env | grep -c ^TERMIND) hook=$own_hook",
      in: program
    )
    try await wait("kept=kept left=0")
    if !isFish { try await wait("left=0 hook=1") }
    if shell.hasSuffix("zsh") {
      enter("echo own=$own_env $ZDOTDIR. $options[login]", in: program)
      try await wait("own=read . on")
    } else if shell.hasSuffix("bash") {
      enter("shopt -q login_shell && shopt -qo posix || echo login-and-not-posix", in: program)
      try await wait("\u{7}login-and-not-posix\r\n")
      enter("history", in: program)
      try await wait("    1  false")
    }
    enter("exit", in: program)
    _ = await output.end()
    let saved = (try? TemporaryFolder.read(home.file(".history"))) ?? ""
    #expect(!saved.contains("__termind"))
    // Shells of other tests have theirs for a moment.
    try await waitUntil("no file is left in memory") {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: "/dev/shm")) ?? ["?"]
      return !names.contains { $0 == "?" || $0.hasPrefix("termind.") }
    }
    loop.shutdown()
  }

  @Test(
    "bash keeps the person's PROMPT_COMMAND, PS0, DEBUG trap, and a PS1 that is set at each prompt",
    arguments: ["PROMPT_COMMAND=own", "PROMPT_COMMAND=(own 'own_second=yes')"]
  )
  func bashHooks(prompt: String) async throws {
    try home.write(
      ".bash_profile",
      """
      HISTFILE=~/.history
      PS1='first> '
      own() { own_status=$?; PS1='own> '; }
      \(prompt)
      PS0='own-\\u-zero\\n'
      own_trap() { own_debug=$1; }
      trap 'own_trap "$BASH_COMMAND"' DEBUG
      """
    )
    let program = try start("/bin/bash")
    try await wait("own> \u{1B}]133;B\u{7}")
    enter("(exit 3)", in: program)
    try await wait("-zero\r")
    try await wait("\n\u{1B}]133;C;cmdline_url=%28exit%203%29\u{7}")
    try await wait("\u{1B}]133;D;3")
    enter("echo status=$own_status second=$own_second debug=$own_debug", in: program)
    let second = prompt.contains("second") ? "yes" : ""
    try await wait("status=3 second=\(second) debug=echo status=$own_status")
    enter("trap -p DEBUG; echo \"zero=${PS0%%-zero*}\"", in: program)
    try await wait("trap -- 'own_trap \"$BASH_COMMAND\"' DEBUG\r\nzero=own-\\u")
    // What is set by hand later is kept as well, and marked.
    enter("own() { PS1='later> '; }", in: program)
    try await wait("later> \u{1B}]133;B\u{7}")
    program.close()
    _ = await output.end()
    loop.shutdown()
  }

  @Test(
    "a shell that is given it twice marks each prompt once",
    arguments: ["/bin/bash", "/usr/bin/zsh"]
  )
  func twice(shell: String) async throws {
    let name = shell.hasSuffix("zsh") ? ".zshrc" : ".bash_profile"
    try home.write(name, "PS1='%{\u{1B}]133;A\u{7}%}own> %{\u{1B}]133;B\u{7}%}'\n")
    let program = try start(shell)
    try await wait("133;B\u{7}")
    enter("echo once-$((1+1))", in: program)
    try await wait("once-2\r\n")
    try await wait("\u{1B}]133;D;0")
    #expect(output.text.components(separatedBy: "133;C").count == 2)
    #expect(!output.text.contains("133;B\u{7}\u{1B}]133;B"))
    program.close()
    _ = await output.end()
    loop.shutdown()
  }

  @Test(
    "the command for servers reads alike in the shells that may run it",
    arguments: ["/bin/sh"] + shells
  )
  func command(reader: String) async throws {
    let login = try #require(LoginShellStart(in: StartDirectory("/usr/lib"), isIntegrated: true))
    try home.write(".hushlogin", "")
    let program = try start(
      "/bin/bash",
      "exec \(reader) -c \"$COMMAND\"".replacing("$COMMAND", with: Self.quoted(login.command))
    )
    try await wait("\u{1B}]7717;0\u{7}")
    try await wait("/usr/lib\u{7}")
    try await wait("own> \u{1B}]133;B\u{7}")
    program.close()
    _ = await output.end()
    loop.shutdown()
  }

  /// A text for the inside of double quotes of `sh`.
  private static func quoted(_ text: String) -> String {
    var quoted = ""
    for character in text {
      if "\\\"$`".contains(character) { quoted.append("\\") }
      quoted.append(character)
    }
    return quoted
  }
}

import Testing

@testable import TermindDomain

@Suite("Start directories") struct StartDirectoryTests {
  @Test("the home, however it is written, needs no command", arguments: ["", " ", "~", "~/"])
  func home(path: String) { #expect(StartDirectory(path) == nil) }

  @Test(
    "no path can end the quotes or the line",
    arguments: ["/srv/it's", "/a\"b", "/$(x)`y`", "/a\\b", "/é !", "-", "~/x;y", "a\u{1B}[m"]
  )
  func quoting(path: String) throws {
    let directory = try #require(StartDirectory(path))
    for isIntegrated in [false, true] { try check(directory, isIntegrated) }
  }

  private func check(_ directory: StartDirectory, _ isIntegrated: Bool) throws {
    let command = try #require(LoginShellStart(in: directory, isIntegrated: isIntegrated)).command
    let inside = command.dropFirst("exec /bin/sh -c '".count).dropLast()
    #expect(command.hasSuffix("'"))
    #expect(!inside.contains("'") && !inside.contains("\n") && !inside.contains("!"))
    #expect(!inside.contains("\\\\"))
    #expect(inside.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F })
  }

  @Test("a path below the home and one that is relative are seen from the home")
  func relative() throws {
    #expect(try #require(StartDirectory("~/app")).steps.contains("d=\"$HOME/\"app"))
    #expect(try #require(StartDirectory("-")).steps.contains("d=./-"))
    #expect(try #require(StartDirectory("/srv/app")).steps.contains("d=/srv/app"))
  }

  @Test("the sign is found wherever the output is split, and told once")
  func sign() {
    let output = Array("motd \u{1B}[m\u{1B}]77\u{1B}]7717;1\u{7}$ ".utf8)
    for split in 0...output.count {
      var sign = StartDirectorySign()
      let first = sign.feed(output[..<split])
      let second = sign.feed(output[split...])
      #expect([first, second].compactMap { $0 } == [.missing])
    }
    var sign = StartDirectorySign()
    #expect(sign.feed("\u{1B}]7717;0\u{7}".utf8) == .entered)
    #expect(sign.feed("\u{1B}]7717;x\u{7}\u{1B}]7718;0".utf8) == nil)
  }
}

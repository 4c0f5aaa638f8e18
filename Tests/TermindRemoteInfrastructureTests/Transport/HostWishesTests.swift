import Glibc
import TermindApplication
import TermindDomain
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

@Suite("What a host wishes for, at a real server") struct HostWishesTests {
  /// Starts the shell of a start directory, asks where it is, and gives what it printed.
  private func output(of path: String, _ server: OpenSSHServer, asking line: String = "pwd")
    async throws -> String
  {
    let harness = try TransportHarness()
    let transport = try await harness.open([server.hop])
    let receiver = RecordingReceiver()
    let directory = try #require(StartDirectory(path))
    let command = try #require(LoginShellStart(in: directory, isIntegrated: false)).command
    let channel = try await transport.openTerminal(.running(command), receiver: receiver)
    channel.send(Array("\(line); exit\n".utf8))
    _ = try await receiver.waitForEnd()
    await transport.close()
    return receiver.text
  }

  @Test(
    "a login shell starts in a directory of any name",
    arguments: ["plain", "we ird", "it's \"$(id)\" `id`", "é%n!", "-n", "*"]
  )
  func enters(name: String) async throws {
    let server = try await OpenSSHServer()
    let path = server.folder.file(name)
    mkdir(path, 0o700)
    // A login shell of bash says so in its options; the names of both are printed on lines of their own.
    let text = try await output(
      of: path,
      server,
      asking: "pwd; shopt -q login_shell && echo lo''gin"
    )
    #expect(text.contains("\u{1B}]7717;0\u{7}"))
    let lines = text.split(whereSeparator: \.isNewline)
    #expect(lines.contains { $0 == path }, "\(text.debugDescription)")
    if !["sh", "dash"].contains(Self.shell) { #expect(text.contains("login\r\n")) }
  }

  /// The name of the account's shell.
  private static var shell: String {
    guard let entry = getpwuid(getuid()), let shell = entry.pointee.pw_shell else { return "sh" }
    return String(cString: shell).split(separator: "/").last.map(String.init) ?? "sh"
  }

  @Test("a directory below the home is found there, and nothing stands in the history")
  func belowHome() async throws {
    let server = try await OpenSSHServer()
    mkdir(server.folder.file("home/app"), 0o700)
    let text = try await output(of: "~/app", server, asking: "pwd; echo $((`history | wc -l`+0))")
    #expect(text.contains("\(server.folder.file("home/app"))\r\n"))
    #expect(!text.contains("cd "))
  }

  @Test("a directory that is missing leaves the shell at home, in words")
  func missing() async throws {
    let server = try await OpenSSHServer()
    let text = try await output(of: "/no/such place", server)
    #expect(text.contains("\u{1B}]7717;1\u{7}"))
    #expect(text.contains("The start directory /no/such place cannot be entered"))
    #expect(text.contains("\(server.folder.file("home"))\r\n"))
  }

  @Test("variables reach the shell when the server accepts them, and are named when it does not")
  func variables() async throws {
    let server = try await OpenSSHServer(["AcceptEnv APP_*"])
    let harness = try TransportHarness()
    let transport = try await harness.open([server.hop])
    let receiver = RecordingReceiver()
    var request = ShellRequest.running("echo [$APP_MODE][$OTHER]")
    request.environment = [("APP_MODE", "a b"), ("OTHER", "x"), ("THIRD", "y")]
    let channel = try await transport.openTerminal(request, receiver: receiver)
    #expect(try await receiver.waitForEnd() == .exited(status: 0))
    #expect(receiver.text == "[a b][]\r\n")
    #expect(channel.refusedVariables == ["OTHER", "THIRD"])
    await transport.close()
  }

  @Test("a hop's own interval finds a dead peer, and an interval of zero never asks")
  func keepAlive() async throws {
    let server = try await ScriptedSSHServer()
    var limits = TransportLimits()
    limits.keepaliveInterval = .seconds(600)
    let harness = try TransportHarness(limits: limits)
    var hop = server.hop("none")
    hop.keepAlive = HopKeepAlive(seconds: 1, count: 2)
    let transport = try await harness.open([hop])
    let receiver = RecordingReceiver()
    _ = try await transport.openTerminal(.running(nil), receiver: receiver)
    try await receiver.wait(for: "ready")
    server.freeze()
    let failure = await transport.waitUntilClosed()
    server.thaw()
    #expect(failure.cause == .keepaliveTimedOut(seconds: 2))
  }

  @Test("the limits of a hop are the usual ones but for what it says")
  func limits() {
    let usual = TransportLimits()
    var hop = Hop(
      endpoint: SSHEndpoint(host: "h"),
      credentials: HopCredentials(username: "u")
    )
    #expect(usual.adapted(to: hop) == usual)
    hop.keepAlive = HopKeepAlive(seconds: 0)
    #expect(usual.adapted(to: hop).keepaliveInterval == .zero)
    #expect(usual.adapted(to: hop).keepaliveCount == usual.keepaliveCount)
    hop.keepAlive = HopKeepAlive(seconds: 40, count: 0)
    #expect(usual.adapted(to: hop).keepaliveInterval == .seconds(40))
    #expect(usual.adapted(to: hop).keepaliveCount == 1)
  }
}

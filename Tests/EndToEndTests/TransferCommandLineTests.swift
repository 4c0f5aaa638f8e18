import Foundation
import Glibc
import TermindTestSupport
import Testing

@Suite("termind cp, get, put and mirror over bad lines")
struct TransferCommandLineTests: TransferCommandBench {
  let home: TerminalHome
  let folder: TemporaryFolder

  init() throws {
    home = try TerminalHome()
    folder = try TemporaryFolder()
  }

  @Test("new keys every 256 KB change nothing, in either direction and on both sides at once")
  func rekeys() async throws {
    make("there", "back")
    try await shell("head -c 20000000 /dev/urandom > large")
    let (first, second) = (
      try await server("first", "RekeyLimit 256K"), try await server("second", "RekeyLimit 256K")
    )
    try await shell("$T put large first:\(folder.path)/there/")
    try await shell("$T cp first:\(folder.path)/there/large second:\(folder.path)/there/two")
    try await shell("$T get second:\(folder.path)/there/two back/")
    try await shell("cmp large there/large && cmp large back/two")
    withExtendedLifetime((first, second)) {}
  }

  @Test(
    "a way of half a second: trees travel, and an interrupt is no longer than a few round trips"
  )
  func distance() async throws {
    make("tree", "there")
    for number in 0..<60 { try folder.write("tree/\(number)", "content of \(number)") }
    try await shell("head -c 3000000 /dev/urandom > tree/large; truncate -s 4G sparse")
    let server = try await OpenSSHServer()
    let link = try await SlowLink(to: server.port, delay: 250, rate: 10_000_000)
    let key = try server.hostKeyLine().split(separator: " ").prefix(2).joined(separator: " ")
    try home.write(knownHosts: "[127.0.0.1]:\(link.port) \(key)\n")
    try home.install(key: server.userKey)
    let host = "'[\(OpenSSHServer.user)@127.0.0.1:\(link.port)]'"
    try await shell("$T put -r tree \(host):\(folder.path)/there; diff -r tree there/tree")
    let program = try TestProgram(
      "/bin/sh",
      [
        "-c",
        "exec '\(home.program)' put --json '\(folder.file("sparse"))' \(host):\(folder.path)/there",
      ],
      environment: home.variables
    )
    try await waitFor("the temporary file") {
      (try? names("there"))?.contains { $0.hasSuffix(".part") } == true
    }
    let clock = ContinuousClock()
    let began = clock.now
    program.signal(SIGINT)
    #expect(try await program.waitForExit() == 130)
    #expect(began.duration(to: clock.now) < .seconds(20))
    #expect(try names("there") == ["tree"])
    withExtendedLifetime(server) {}
  }

  @Test(
    "a line on which three of ten round trips lose a packet: a tree travels, and an interrupt ends in time, also of a dead line",
    .enabled(if: OpenSSHServer.canLose, "networks of one's own need root, and Debian's nftables")
  )
  func losses() async throws {
    make("tree", "there")
    for number in 0..<10 { try folder.write("tree/\(number)", "content of \(number)") }
    try await shell("head -c 400000 /dev/urandom > tree/large; truncate -s 4G sparse")
    let server = try await OpenSSHServer(losing: 15)
    let key = try server.hostKeyLine().split(separator: " ").prefix(2).joined(separator: " ")
    try home.write(knownHosts: "[127.0.0.1]:\(server.port) \(key)\n")
    try home.install(key: server.userKey)
    let there = "'[\(OpenSSHServer.user)@127.0.0.1:\(server.port)]':\(folder.path)/there"
    let reach = server.reach.joined(separator: " ")
    try await shell("\(reach) $T put -r tree \(there); diff -r tree there/tree")
    for isCut in [false, true] {
      let line = "cd '\(folder.path)'; exec \(reach) '\(home.program)' put --json sparse \(there)"
      let program = try TestProgram("/bin/sh", ["-c", line], environment: home.variables)
      try await waitFor("the temporary file") {
        (try? names("there"))?.contains { $0.hasSuffix(".part") } == true
      }
      if isCut {
        try await shell(
          "\(reach) nft flush chain inet t i && \(reach) nft add rule inet t i meta l4proto tcp drop"
        )
      }
      let clock = ContinuousClock()
      let began = clock.now
      program.signal(SIGINT)
      #expect(try await program.waitForExit() == 130)
      #expect(began.duration(to: clock.now) < .seconds(60))
      if !isCut { #expect(try names("there") == ["tree"]) }
    }
    withExtendedLifetime(server) {}
  }
}

import Glibc
import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

@Suite("OpenSSH engine: loops that were shut down", .timeLimit(.minutes(10)))
struct OpenSSHShutdownTests {
  @Test(
    "the process of a connection goes with its loop, leaves no zombie, and close() returns",
    arguments: [false, true]
  )
  func shutdown(closesFirst: Bool) async throws {
    let server = try await OpenSSHServer()
    let harness = try OpenSSHHarness()
    let transport = try await harness.open([server.hop])
    let connection = try #require(transport as? OpenSSHTransport).destination
    let process = try #require(await connection.master?.number)
    let closing = Task {
      if closesFirst { await transport.close() }
    }
    harness.loops.shutdown()
    try await withDeadline("the close") {
      await transport.close()
      await closing.value
    }
    try await waitUntil("the end of \(process)") { kill(process, 0) != 0 }
    #expect(harness.leftovers.isEmpty)
    #expect(await transport.waitUntilClosed().cause == .cancelled)
  }
}

import TermindApplication
import TermindDomain
import Testing

@testable import TermindPersistence

@Suite("History of commands") struct CommandHistoryTests {
  let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  @Test("each place has its own, the newest first, at most a thousand")
  func places() async throws {
    let store = try await folder.open()
    let host = HostRecord(name: "web", endpoint: SSHEndpoint(host: "10.0.0.1"))
    try await store.save(host)
    for number in 0..<1_010 {
      try await store.record(CommandRecord(text: "c\(number)", started: 1), at: .host(host.id))
    }
    try await store.record(CommandRecord(text: "here", started: 2), at: .local)
    try await store.record(CommandRecord(text: "there", started: 3, status: 1), at: .target("a@b"))
    let commands = try await store.commands(at: .host(host.id), limit: 5_000)
    #expect(commands.count == 1_000)
    #expect(commands.first?.text == "c1009" && commands.last?.text == "c10")
    #expect(try await store.commands(at: .local, limit: 9).map(\.text) == ["here"])
    #expect(try await store.commands(at: .target("a@b"), limit: 9).map(\.status) == [1])
    try await store.forgetCommands(at: .local)
    #expect(try await store.commands(at: .local, limit: 9) == [])
  }

  @Test("those of a host go with it, and none come back")
  func deleted() async throws {
    let store = try await folder.open()
    let host = HostRecord(name: "web", endpoint: SSHEndpoint(host: "10.0.0.1"))
    try await store.save(host)
    try await store.record(CommandRecord(text: "a", started: 1), at: .host(host.id))
    try await store.delete([.host(host.id)])
    try await store.record(CommandRecord(text: "b", started: 2), at: .host(host.id))
    #expect(try await store.commands(at: .host(host.id), limit: 9) == [])
  }

  @Test("what begins with a blank is not to be kept", arguments: [" ls", "\tls", ""])
  func blanks(text: String) { #expect(!CommandRecord.isWorthKeeping(text)) }
}

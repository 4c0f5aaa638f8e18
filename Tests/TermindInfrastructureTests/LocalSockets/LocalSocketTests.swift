import Testing

@testable import TermindInfrastructure

@Suite("Local sockets") struct LocalSocketTests {
  @Test("bytes and descriptors arrive together")
  func descriptors() throws {
    let (left, right) = try LocalSocket.pair()
    let (inner, other) = try LocalSocket.pair()
    #expect(try left.send([1, 2, 3], descriptors: [inner.descriptor, inner.descriptor]) == 3)
    let input = try #require(try right.receive())
    #expect(input.bytes == [1, 2, 3])
    #expect(input.descriptors.count == 2)
    let passed = LocalSocket(try #require(input.descriptors.first))
    #expect(try passed.send([9]) == 1)
    #expect(try other.receive()?.bytes == [9])
  }

  @Test("a peer that has gone is empty input, and an error to send to")
  func closed() throws {
    var pair: (LocalSocket, LocalSocket)? = try LocalSocket.pair()
    let left = try #require(pair?.0)
    pair = nil
    #expect(try left.receive()?.bytes == [])
    #expect(throws: LocalSocketError.closed) { try left.send([1]) }
  }

  @Test("nobody listening, a dead server's file and a path that is too long are told apart")
  func connecting() throws {
    let scratch = try ScratchDirectory()
    let path = "\(scratch.path)/s"
    #expect(throws: LocalSocketError.absent) { try LocalSocket.connect(to: path) }
    var server: LocalSocket? = try LocalSocket.listen(at: path)
    let client = try LocalSocket.connect(to: path)
    #expect(try server?.accept() != nil)
    #expect(try server?.accept() == nil)
    #expect(scratch.mode(of: "s") == 0o600)
    try client.checkPeer()
    server = nil
    #expect(throws: LocalSocketError.absent) { try LocalSocket.connect(to: path) }
    _ = try LocalSocket.listen(at: path)
    let long = scratch.path + "/" + String(repeating: "x", count: 100)
    #expect(throws: LocalSocketError.pathTooLong(path: long)) { try LocalSocket.connect(to: long) }
  }
}

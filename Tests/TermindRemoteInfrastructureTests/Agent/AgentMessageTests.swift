import Testing

@testable import TermindRemoteInfrastructure

@Suite("Agent messages") struct AgentMessageTests {
  @Test(
    "carry the flags of the RSA algorithms",
    arguments: [("ssh-rsa", 0), ("rsa-sha2-256", 2), ("rsa-sha2-512", 4), ("ssh-ed25519", 0)]
  )
  func flags(algorithm: String, flags: UInt32) throws {
    let request = try #require(
      AgentMessage.signRequest([7, 8], keyBlob: [9], algorithm: algorithm)
    )
    var reader = WireReader(request)
    #expect(try reader.uint32() == UInt32(request.count - 4))
    #expect(try reader.byte() == 13)
    #expect(try reader.string() == [9])
    #expect(try reader.string() == [7, 8])
    #expect(try reader.uint32() == flags)
    #expect(reader.isAtEnd)
  }

  @Test("are bounded")
  func bounds() throws {
    let large = [UInt8](repeating: 0, count: AgentMessage.maximumByteCount)
    #expect(AgentMessage.signRequest(large, keyBlob: [], algorithm: "ssh-rsa") == nil)
    #expect(try AgentMessage.replyByteCount([0, 4, 0, 0]) == AgentMessage.maximumByteCount)
    #expect(throws: AgentError.malformed(reason: "reply length")) {
      try AgentMessage.replyByteCount([0, 4, 0, 1])
    }
  }

  @Test("with a weaker algorithm than asked for are not passed on")
  func downgrade() {
    var signature = WireWriter()
    signature.string("ssh-rsa")
    signature.string([1, 2, 3])
    var reply = WireWriter()
    reply.byte(14)
    reply.string(signature.bytes)
    #expect(throws: AgentError.malformed(reason: "signed with ssh-rsa")) {
      try AgentMessage.signature(reply.bytes, algorithm: "rsa-sha2-512")
    }
  }

  @Test("leave out keys that are not known, and keep the others")
  func unknownKeys() throws {
    var strange = WireWriter()
    strange.string("ssh-strange")
    var good = WireWriter()
    good.string("ssh-ed25519")
    good.string([UInt8](repeating: 3, count: 32))
    var reply = WireWriter()
    reply.byte(12)
    reply.uint32(2)
    for blob in [strange.bytes, good.bytes] {
      reply.string(blob)
      reply.string("comment")
    }
    let identities = try AgentMessage.identities(reply.bytes)
    #expect(identities.map(\.publicKey.blob) == [good.bytes])
  }

  @Test("never crash the reader, whatever they hold")
  func fuzz() throws {
    var good = WireWriter()
    good.string("ssh-ed25519")
    good.string([UInt8](repeating: 3, count: 32))
    var reply = WireWriter()
    reply.byte(12)
    reply.uint32(1)
    reply.string(good.bytes)
    reply.string("comment")
    var generator = SeededGenerator(state: 11)
    for _ in 0..<5000 {
      var damaged = Array(
        reply.bytes.prefix(Int.random(in: 0...reply.bytes.count, using: &generator))
      )
      for _ in 0..<Int.random(in: 0...3, using: &generator) where !damaged.isEmpty {
        damaged[Int.random(in: 0..<damaged.count, using: &generator)] = UInt8.random(
          in: 0...255,
          using: &generator
        )
      }
      // `try?`: damage may throw or leave a valid reply; neither may crash.
      let identities = try? AgentMessage.identities(damaged)
      #expect((identities?.count ?? 0) <= 1)
      let signature = try? AgentMessage.signature(damaged, algorithm: "ssh-ed25519")
      #expect((signature?.count ?? 0) <= damaged.count)
    }
  }
}

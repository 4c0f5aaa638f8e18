import Testing

@testable import TermindRemoteInfrastructure

@Suite("SSH public key blobs") struct SSHPublicKeyTests {
  @Test("an unknown type is named")
  func unknownType() {
    var writer = WireWriter()
    writer.string("ssh-fancy")
    #expect(throws: PublicKeyError.unknownType("ssh-fancy")) {
      try SSHPublicKey(blob: writer.bytes)
    }
  }
}

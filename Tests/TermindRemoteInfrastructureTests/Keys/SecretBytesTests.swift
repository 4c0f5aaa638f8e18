import Testing

@testable import TermindRemoteInfrastructure

@Suite("Secret bytes") struct SecretBytesTests {
  @Test("hold what they were given, and show only their length")
  func holds() {
    let secret = SecretBytes("hunter2".utf8)
    #expect(secret.copyBytes() == Array("hunter2".utf8))
    #expect("\(secret)" == "SecretBytes(7)")
    #expect(secret.slice(1..<3).copyBytes() == Array("un".utf8))
    #expect(secret.matches(SecretBytes("hunter2".utf8)))
    #expect(!secret.matches(SecretBytes("hunter3".utf8)))
    #expect(!secret.matches(SecretBytes("hunter".utf8)))
  }

  @Test("empty the array that they take over")
  func wipes() {
    var bytes = Array("password".utf8)
    let secret = SecretBytes(wiping: &bytes)
    #expect(bytes.isEmpty)
    #expect(secret.count == 8)
  }

  @Test("may be empty")
  func empty() {
    let secret = SecretBytes([])
    #expect(secret.isEmpty)
    #expect(secret.copyBytes().isEmpty)
    #expect(secret.slice(0..<0).isEmpty)
  }
}

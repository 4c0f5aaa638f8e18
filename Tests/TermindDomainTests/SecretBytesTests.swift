import TermindDomain
import Testing

@Suite("Secret bytes") struct SecretBytesTests {
  @Test("hold what they were given")
  func holds() {
    let secret = SecretBytes("hunter2".utf8)
    #expect(secret.copyBytes() == Array("hunter2".utf8))
    #expect(secret.slice(1..<3).copyBytes() == Array("un".utf8))
    #expect(secret.map { $0 } == Array("hunter2".utf8))
  }

  @Test("show dots wherever they are printed, alone and inside other values")
  func showsDots() {
    struct Holder { let secret: SecretBytes }
    let secret = SecretBytes("hunter2".utf8)
    var texts = [
      "\(secret)", String(reflecting: secret), "\([secret])", "\(Holder(secret: secret))",
    ]
    for value: Any in [secret, [secret], Holder(secret: secret), Optional(secret) as Any] {
      var text = ""
      dump(value, to: &text)
      texts.append(text)
    }
    #expect(Mirror(reflecting: secret).children.isEmpty)
    for text in texts {
      #expect(text.contains("•••"))
      #expect(!text.contains("hunter2"))
    }
  }

  @Test("are equal when their bytes are")
  func compares() {
    let secret = SecretBytes("hunter2".utf8)
    #expect(secret == SecretBytes("hunter2".utf8))
    #expect(secret != SecretBytes("hunter3".utf8))
    #expect(secret != SecretBytes("hunter".utf8))
    #expect(secret.hashValue == SecretBytes("hunter2".utf8).hashValue)
    #expect(SecretBytes([]) == SecretBytes([]))
  }

  @Test("empty the array that they take over")
  func wipes() {
    var bytes = Array("password".utf8)
    let secret = SecretBytes(wiping: &bytes)
    #expect(bytes.isEmpty)
    #expect(secret.count == 8)
  }

  @Test("are joined in order")
  func joins() {
    let parts = ["ab", "", "c"].map { SecretBytes($0.utf8) }
    #expect(SecretBytes(joining: parts).copyBytes() == Array("abc".utf8))
    #expect(SecretBytes(joining: []).isEmpty)
  }

  @Test("may be empty")
  func empty() {
    let secret = SecretBytes([])
    #expect(secret.isEmpty)
    #expect(secret.copyBytes().isEmpty)
    #expect(secret.slice(0..<0).isEmpty)
  }
}

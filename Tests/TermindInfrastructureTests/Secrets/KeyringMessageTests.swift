import TermindApplication
import TermindDomain
import Testing

@testable import TermindInfrastructure

@Suite("Messages of the keyring's helper") struct KeyringMessageTests {
  private static let id = SecretItemID()
  private static let requests: [KeyringRequest] = [
    .state, .unlock, .lock, .entries, .read(id), .delete(id),
    .store(id, SecretBytes([0, 1, 255]), label: "a label"), .replace(id, SecretBytes("other")),
  ]
  private static let replies: [KeyringReply] = [
    .done, .state(isLocked: true), .state(isLocked: false), .state(isLocked: nil),
    .secret(SecretBytes([0, 1, 255])), .entries([]),
    .entries([SecretEntry(id: id, label: "one"), SecretEntry(id: SecretItemID(), label: "")]),
    .failed(.locked), .failed(.dismissed), .failed(.notFound(id)),
    .failed(.noKeyring(diagnostic: "text")), .failed(.timedOut(seconds: 25)),
    .failed(.libraryMissing(name: "lib", diagnostic: "text")),
    .failed(.failed(diagnostic: "text")),
  ]

  @Test("requests and replies come out as they went in")
  func roundTrip() {
    for request in Self.requests { #expect(KeyringRequest(request.encoded) == request) }
    for reply in Self.replies { #expect(KeyringReply(reply.encoded) == reply) }
  }

  @Test("messages that end too early are refused, and arbitrary ones crash nothing")
  func broken() {
    for text in Self.requests.map(\.encoded) {
      for count in 0..<text.count { #expect(KeyringRequest(text.slice(0..<count)) == nil) }
    }
    for text in Self.replies.map(\.encoded) {
      for count in 0..<text.count { #expect(KeyringReply(text.slice(0..<count)) == nil) }
    }
    for kind in UInt8(0)...20 {
      let noise = (0..<60).map { _ in UInt8.random(in: 0...255) }
      _ = KeyringRequest(SecretBytes([0, 0, 0, kind] + noise))
      _ = KeyringReply(SecretBytes([0, 0, 0, kind] + noise))
    }
  }
}

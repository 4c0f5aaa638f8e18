internal import TermindDomain

/// What passes between one libssh2 session and the connection that owns it.
///
/// libssh2 never meets a socket: it sends into `outbound`, which always accepts, and receives from
/// `inbound`. The connection moves bytes between the queues and the real pipe, and bounds both by
/// not asking libssh2 for more while they are above their marks.
final class SessionMailbox {
  let inbound = ByteQueue(capacity: 65_536)
  let outbound = ByteQueue(capacity: 16_384)
  /// No byte will arrive any more; receiving then reports the end.
  var hasEnded = false
  /// The text of the server's disconnect message, when it sent one.
  var disconnectReason: String?
  /// What the unencrypted start of the stream told.
  var opening = OpeningObserver()
  /// What the packets told that libssh2 keeps to itself.
  var packets = PacketObserver()
  /// The public key exchange that waits for a signature.
  var signing = SigningExchange()
  /// Answers a round of keyboard-interactive, or the question for a new password; only called on the thread
  /// that asked for the method.
  var answerRound: ((InteractiveChallenge) -> [SecretBytes])?
}

/// One round of keyboard-interactive as libssh2 hands it over.
struct InteractiveChallenge: Hashable, Sendable {
  var title: String
  var instruction: String
  var prompts: [(text: String, echoes: Bool)]

  static func == (left: InteractiveChallenge, right: InteractiveChallenge) -> Bool {
    left.title == right.title && left.instruction == right.instruction
      && left.prompts.elementsEqual(right.prompts) { $0.text == $1.text && $0.echoes == $1.echoes }
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(title)
    hasher.combine(instruction)
    for prompt in prompts {
      hasher.combine(prompt.text)
      hasher.combine(prompt.echoes)
    }
  }
}

/// The state of a public key request between libssh2's sign callback and a signer that takes its time.
struct SigningExchange {
  /// What the server wants signed; set once it has accepted the key.
  var dataToSign: [UInt8]?
  /// The raw signature, without the algorithm name that libssh2 adds.
  var signature: [UInt8]?
  /// The request is to be given up.
  var isAborted = false
}

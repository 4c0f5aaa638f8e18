/// Reads the unencrypted start of a server's stream: its identification line and its offer of algorithms.
///
/// libssh2 reports a failed exchange as one number; the lists say which kind of algorithm was not common
/// (RFC 4253 sections 4.2, 6 and 7.1).
struct OpeningObserver {
  /// The lists of the server's `SSH_MSG_KEXINIT`, in its order of preference.
  struct Offer: Hashable, Sendable {
    var keyExchange: [String] = []
    var hostKey: [String] = []
    var cipherToServer: [String] = []
    var cipherToClient: [String] = []
    var macToServer: [String] = []
    var macToClient: [String] = []
  }

  /// Most bytes that are kept while looking for the line and the offer.
  private static let bound = 70_000

  /// What the server sent before its identification, or all of it when there is none; bounded.
  private(set) var preface = ""
  /// `SSH-2.0-…`, without the line end.
  private(set) var identification: String?
  private(set) var offer: Offer?
  private var pending: [UInt8] = []
  private var isDone = false

  mutating func observe(_ bytes: UnsafeRawBufferPointer) {
    guard !isDone else { return }
    unsafe pending.append(contentsOf: unsafe bytes.prefix(Self.bound))
    while identification == nil, let end = pending.firstIndex(of: 0x0A) {
      var line = pending[..<end]
      if line.last == 0x0D { line.removeLast() }
      let text = String(decoding: line.prefix(255), as: UTF8.self)
      pending.removeFirst(end + 1)
      if text.hasPrefix("SSH-") {
        identification = text
      } else if preface.utf8.count < 1_024 {
        preface += preface.isEmpty ? text : "\n" + text
      }
    }
    if identification != nil { readOffer() }
    if pending.count > Self.bound { finish() }
  }

  /// What a peer that is no SSH server sent, for people; at most a few hundred bytes.
  var banner: String {
    let rest = identification == nil ? String(decoding: pending.prefix(255), as: UTF8.self) : ""
    let text = preface.isEmpty ? rest : rest.isEmpty ? preface : preface + "\n" + rest
    return identification ?? String(text.prefix(400))
  }

  private mutating func finish() {
    isDone = true
    // One line without end is all that there is to show.
    if identification == nil, preface.isEmpty {
      preface = String(decoding: pending.prefix(255), as: UTF8.self)
    }
    pending = []
  }

  private mutating func readOffer() {
    guard pending.count >= 5 else { return }
    let length = Self.number(pending, 0)
    guard length >= 2, length <= 65_536 else { return finish() }
    guard pending.count >= 4 + length else { return }
    let padding = Int(pending[4])
    let payload = Array(pending[5..<(4 + length)].dropLast(padding))
    if payload.first == 20 { offer = Self.parse(payload) }
    finish()
  }

  private static func parse(_ payload: [UInt8]) -> Offer? {
    var place = 17
    var lists: [[String]] = []
    while lists.count < 6 {
      guard place + 4 <= payload.count else { return nil }
      let length = number(payload, place)
      guard length <= payload.count - place - 4 else { return nil }
      let text = payload[(place + 4)..<(place + 4 + length)]
      lists.append(text.split(separator: 0x2C).map { String(decoding: $0, as: UTF8.self) })
      place += 4 + length
    }
    return Offer(
      keyExchange: lists[0],
      hostKey: lists[1],
      cipherToServer: lists[2],
      cipherToClient: lists[3],
      macToServer: lists[4],
      macToClient: lists[5]
    )
  }

  private static func number(_ bytes: [UInt8], _ place: Int) -> Int {
    bytes[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) }
  }
}

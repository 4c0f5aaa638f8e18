extension TerminalState {
  /// Most bytes of a clipboard text.
  static let mostClipboardBytes = 1 << 20

  /// OSC 52: `SELECTION;BASE64`, or `SELECTION;?` to ask.
  ///
  /// A text without a letter of base64 clears the selection.
  mutating func performClipboard(_ bytes: ArraySlice<UInt8>) {
    guard let separator = bytes.firstIndex(of: 0x3B) else { return }
    let letters = Set("cpqs01234567".utf8)
    let selection = Array(bytes[..<separator].prefix(16).filter { letters.contains($0) })
    let text = bytes[(separator + 1)...]
    if text.elementsEqual([0x3F]) {
      // xterm names the selections that it asks when the program names none.
      let asked = selection.isEmpty ? Array("s0".utf8) : selection
      if configuration.allowsClipboardRead {
        events.append(.clipboardRead(selection: asked))
      } else {
        replyClipboard(selection: asked, bytes: [])
      }
      return
    }
    let decoded = Base64.decode(text)
    if decoded.count > Self.mostClipboardBytes {
      events.append(.clipboardTooLarge)
    } else {
      events.append(.clipboardWrite(selection: selection, bytes: decoded))
    }
  }

  /// Answers a `clipboardRead` event.
  ///
  /// - Parameters:
  ///   - selection: The letters of the event.
  ///   - bytes: The text; empty refuses. What is longer than the reply queue takes is refused too.
  mutating func replyClipboard(selection: [UInt8], bytes: [UInt8]) {
    let letters = String(decoding: selection, as: UTF8.self)
    let tooLong = bytes.count > ReplyQueue.most / 2
    reply(osc: "52;\(letters);\(Base64.encode(tooLong ? [] : bytes))")
  }
}

/// Base64 as RFC 4648 has it.
enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
  )

  private static let values: [Int8] = {
    var values = [Int8](repeating: -1, count: 256)
    for (value, letter) in alphabet.enumerated() { values[Int(letter)] = Int8(value) }
    return values
  }()

  /// The bytes of a text; what is no letter of base64 is passed over, as in xterm, and so are bits that make no byte.
  static func decode(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(text.count / 4 * 3)
    var collected: UInt32 = 0
    var bits: UInt32 = 0
    for letter in text {
      let value = values[Int(letter)]
      guard value >= 0 else { continue }
      collected = collected << 6 | UInt32(value)
      bits += 6
      guard bits >= 8 else { continue }
      bits -= 8
      decoded.append(UInt8(truncatingIfNeeded: collected >> bits))
    }
    return decoded
  }

  static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var place = 0
    while place < bytes.count {
      let left = bytes.count - place
      let first = UInt32(bytes[place]) << 16
      let second = left > 1 ? UInt32(bytes[place + 1]) << 8 : 0
      let bits = first | second | (left > 2 ? UInt32(bytes[place + 2]) : 0)
      text.append(alphabet[Int(bits >> 18)])
      text.append(alphabet[Int(bits >> 12 & 63)])
      text.append(left > 1 ? alphabet[Int(bits >> 6 & 63)] : 0x3D)
      text.append(left > 2 ? alphabet[Int(bits & 63)] : 0x3D)
      place += 3
    }
    return String(decoding: text, as: UTF8.self)
  }
}

extension TerminalState {
  /// Most bytes of a clipboard text.
  static let mostClipboardBytes = 1 << 20

  /// OSC 52: `SELECTION;BASE64`, or `SELECTION;?` to ask.
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
    guard let decoded = Base64.decode(text) else { return }
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

  /// The bytes, or nil when the text is not base64; missing padding is forgiven.
  static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(text.count / 4 * 3)
    var bits: UInt32 = 0
    var count = 0
    var rest = text
    while rest.last == 0x3D { rest.removeLast() }
    guard text.count - rest.count <= 2 else { return nil }
    for letter in rest {
      let value = values[Int(letter)]
      guard value >= 0 else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 1
      if count == 4 {
        decoded.append(UInt8(truncatingIfNeeded: bits >> 16))
        decoded.append(UInt8(truncatingIfNeeded: bits >> 8))
        decoded.append(UInt8(truncatingIfNeeded: bits))
        bits = 0
        count = 0
      }
    }
    switch count {
    case 0: break
    case 2: decoded.append(UInt8(truncatingIfNeeded: bits >> 4))
    case 3:
      decoded.append(UInt8(truncatingIfNeeded: bits >> 10))
      decoded.append(UInt8(truncatingIfNeeded: bits >> 2))
    default: return nil
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

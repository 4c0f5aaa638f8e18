extension InputDecoder {
  /// Most bytes in one paste event; a larger paste comes in several.
  public static let pasteChunkLimit = 65_536

  private static let endMark: [UInt8] = [0x1B, 0x5B, 0x32, 0x30, 0x31, 0x7E]

  mutating func beginPaste() {
    reset(to: .paste)
    pasted.removeAll(keepingCapacity: true)
    endMarkCount = 0
  }

  mutating func paste(_ byte: UInt8) {
    if byte == Self.endMark[endMarkCount] {
      endMarkCount += 1
      if endMarkCount == Self.endMark.count { endPaste() }
      return
    }
    if endMarkCount > 0 {
      for matched in Self.endMark.prefix(endMarkCount) { keep(matched) }
      endMarkCount = 0
      // Only the first byte of the mark can start it anew.
      if byte == Self.endMark[0] {
        endMarkCount = 1
        return
      }
    }
    keep(byte)
  }

  /// Takes pasted bytes up to the next ESC or the end of a piece, and returns the place after them.
  mutating func keepRun(of bytes: [UInt8], from start: Int) -> Int {
    let most = min(bytes.count, start + Self.pasteChunkLimit - pasted.count)
    var end = start
    while end < most, bytes[end] != 0x1B { end += 1 }
    // The last byte may complete a piece.
    pasted.append(contentsOf: bytes[start..<(end - 1)])
    keep(bytes[end - 1])
    return end
  }

  private mutating func keep(_ byte: UInt8) {
    pasted.append(byte)
    guard pasted.count == Self.pasteChunkLimit else { return }
    let end = Self.characterEnd(in: pasted)
    events.append(.paste(Array(pasted[..<end])))
    pasted.removeFirst(end)
  }

  /// Where the last whole character ends.
  private static func characterEnd(in bytes: [UInt8]) -> Int {
    var start = bytes.count - 1
    while start > bytes.count - 4, bytes[start] & 0xC0 == 0x80 { start -= 1 }
    let lead = bytes[start]
    let length = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    return start + length > bytes.count ? start : bytes.count
  }

  private mutating func endPaste() {
    if !pasted.isEmpty { events.append(.paste(pasted)) }
    pasted = []
    endMarkCount = 0
    reset(to: .ground)
  }

  /// The end mark is lost, or the rest of it is late.
  mutating func pasteTimeout() {
    let matched = endMarkCount
    endPaste()
    if matched == 1 || matched == 2 {
      reset(to: .late)
      sequence = Array(Self.endMark[1..<matched])
    } else if matched > 1 {
      state = .control
      sequence = Array(Self.endMark[1..<matched])
    }
  }
}

/// Turns pasted text into the bytes for a program.
///
/// With bracketed paste (mode 2004) the text stands between marks. Whatever the text holds, it cannot
/// end the paste early: escape characters and other controls are dropped, and with them every end mark.
/// Without the mode the text goes as if typed, so line ends become CR.
public enum PasteEncoder {
  /// How many bytes one chunk of a large paste holds at most, the marks aside.
  public static let chunkSize = 4096

  /// Returns all bytes of one paste.
  ///
  /// - Parameters:
  ///   - text: The pasted bytes, mostly UTF-8.
  ///   - isBracketed: Whether the program turned mode 2004 on.
  /// - Returns: The bytes for the program.
  public static func encode(_ text: [UInt8], isBracketed: Bool) -> [UInt8] {
    var stream = PasteStream(isBracketed: isBracketed)
    return stream.feed(text) + stream.finish()
  }

  /// Returns the bytes of one paste in pieces for a writer that goes on when the program has read.
  ///
  /// The opening mark stands in the first chunk and the closing one in the last, so they come in order
  /// and once; no chunk splits a character.
  public static func chunks(_ text: [UInt8], isBracketed: Bool) -> [[UInt8]] {
    split(encode(text, isBracketed: isBracketed), limit: chunkSize)
  }

  private static func split(_ bytes: [UInt8], limit: Int) -> [[UInt8]] {
    var chunks: [[UInt8]] = []
    var start = 0
    while start < bytes.count {
      var end = min(start + limit, bytes.count)
      // Step back to the start of a character, at most over the three bytes that can continue one.
      var steps = 0
      while end < bytes.count, steps < 3, bytes[end] & 0xC0 == 0x80 {
        end -= 1
        steps += 1
      }
      chunks.append(Array(bytes[start..<end]))
      start = end
    }
    return chunks
  }
}

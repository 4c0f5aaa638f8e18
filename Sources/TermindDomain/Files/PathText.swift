/// Bytes of a name or path as text that may be shown anywhere.
public enum PathText {
  /// Decodes UTF-8; what is none, and every scalar that would not be seen as itself, becomes its number.
  ///
  /// - Parameter bytes: A name, a path, or a text from a server.
  /// - Returns: One line without controls: bytes as `\xNN`, scalars as `\u{N}`.
  public static func safe(_ bytes: ArraySlice<UInt8>) -> String {
    if bytes.allSatisfy({ 0x20..<0x7F ~= $0 }) { return String(decoding: bytes, as: UTF8.self) }
    var result = ""
    var rest = bytes
    while let first = rest.first {
      guard let (scalar, length) = scalar(at: rest) else {
        result += "\\x" + hexadecimal(UInt32(first), digits: 2)
        rest = rest.dropFirst()
        continue
      }
      if isVisible(scalar) {
        result.unicodeScalars.append(scalar)
      } else if scalar.value < 0x80 {
        result += "\\x" + hexadecimal(scalar.value, digits: 2)
      } else {
        result += "\\u{" + hexadecimal(scalar.value, digits: 1) + "}"
      }
      rest = rest.dropFirst(length)
    }
    return result
  }

  /// Whether the bytes are UTF-8 that needs no escape.
  public static func isPlain(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      guard let (scalar, length) = scalar(at: rest), isVisible(scalar) else { return false }
      rest = rest.dropFirst(length)
    }
    return true
  }

  private static func scalar(at bytes: ArraySlice<UInt8>) -> (Unicode.Scalar, Int)? {
    var decoder = UTF8()
    var iterator = bytes.prefix(4).makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return nil }
    return (scalar, UTF8.width(scalar))
  }

  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
      .unassigned:
      false
    default: true
    }
  }

  private static func hexadecimal(_ number: UInt32, digits: Int) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}

/// The escapes of a `text:` action: `\n`, `\r`, `\t`, `\e`, `\\`, `\xNN` and `\u{N}`.
enum ActionText {
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "\u{1B}": result += "\\e"
      default:
        if scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) {
          let digits = String(scalar.value, radix: 16)
          result += "\\x" + String(repeating: "0", count: 2 - digits.count) + digits
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result
  }

  /// The text that the escapes stand for; nil when one is not complete.
  static func unescaped(_ text: String) -> String? {
    var result = String.UnicodeScalarView()
    var rest = Substring(text).unicodeScalars
    while let scalar = rest.popFirst() {
      guard scalar == "\\" else {
        result.append(scalar)
        continue
      }
      guard let kind = rest.popFirst() else { return nil }
      switch kind {
      case "n": result.append("\n")
      case "r": result.append("\r")
      case "t": result.append("\t")
      case "e": result.append("\u{1B}")
      case "\\": result.append("\\")
      case "x":
        guard let scalar = hex(&rest, count: 2) else { return nil }
        result.append(scalar)
      case "u":
        guard rest.popFirst() == "{", let end = rest.firstIndex(of: "}") else { return nil }
        var digits = rest[..<end]
        guard let scalar = hex(&digits, count: digits.count) else { return nil }
        result.append(scalar)
        rest = rest[rest.index(after: end)...]
      default: return nil
      }
    }
    return String(result)
  }

  private static func hex(
    _ rest: inout Substring.UnicodeScalarView,
    count: Int
  ) -> Unicode.Scalar? {
    guard count > 0, rest.count >= count else { return nil }
    let digits = String(rest.prefix(count))
    rest.removeFirst(count)
    guard digits.utf8.allSatisfy({ $0 != 0x2B && $0 != 0x2D }) else { return nil }
    return UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init)
  }
}

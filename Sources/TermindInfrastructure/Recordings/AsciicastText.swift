/// Writes the lines of an asciicast, version 2: a header, then one line for each event.
///
/// The format is described at docs.asciinema.org/manual/asciicast/v2: each line is JSON, times are seconds since the start.
struct AsciicastText {
  /// The bytes of a character whose rest has not come yet.
  private var partial: [UInt8] = []

  /// The first line.
  ///
  /// - Parameters:
  ///   - columns: The width at the start, in cells.
  ///   - rows: The height at the start, in cells.
  ///   - startedAt: Seconds since 1970.
  ///   - title: What it is of.
  ///   - terminalType: The TERM value of the program.
  /// - Returns: The line with its end.
  static func header(
    columns: Int,
    rows: Int,
    startedAt: Int64,
    title: String,
    terminalType: String
  ) -> String {
    "{\"version\": 2, \"width\": \(columns), \"height\": \(rows), \"timestamp\": \(startedAt), "
      + "\"title\": \(quoted(title)), \"env\": {\"TERM\": \(quoted(terminalType))}}\n"
  }

  /// A line for output; empty when the bytes only begin a character.
  mutating func output(_ bytes: [UInt8], after time: Duration) -> String {
    var bytes = partial + bytes
    let rest = Self.unfinished(bytes)
    partial = Array(bytes.suffix(rest))
    bytes.removeLast(rest)
    guard !bytes.isEmpty else { return "" }
    return Self.event("o", Self.quoted(String(decoding: bytes, as: UTF8.self)), after: time)
  }

  /// A line for a new size.
  static func resize(columns: Int, rows: Int, after time: Duration) -> String {
    event("r", "\"\(columns)x\(rows)\"", after: time)
  }

  private static func event(_ kind: String, _ json: String, after time: Duration) -> String {
    let (seconds, attoseconds) = time.components
    let micros = String(attoseconds / 1_000_000_000_000)
    let padded = String(repeating: "0", count: 6 - micros.count) + micros
    return "[\(seconds).\(padded), \"\(kind)\", \(json)]\n"
  }

  /// How many bytes at the end begin a character that may be completed yet.
  private static func unfinished(_ bytes: [UInt8]) -> Int {
    for back in 1...3 where back <= bytes.count {
      let byte = bytes[bytes.count - back]
      if byte & 0xC0 == 0x80 { continue }
      return UTF8Lead.length(byte) > back ? back : 0
    }
    return 0
  }

  /// A text as a JSON string of plain ASCII controls.
  static func quoted(_ text: String) -> String {
    var json = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": json += "\\\""
      case "\\": json += "\\\\"
      case "\n": json += "\\n"
      case "\r": json += "\\r"
      case "\t": json += "\\t"
      case _ where scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value):
        let digits = String(scalar.value, radix: 16)
        json += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: json.unicodeScalars.append(scalar)
      }
    }
    return json + "\""
  }
}

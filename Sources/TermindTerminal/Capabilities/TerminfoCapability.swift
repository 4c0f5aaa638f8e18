/// What a terminfo name stands for.
public enum TerminfoCapability: Hashable, Sendable {
  /// The terminal has it.
  case flag
  /// A count.
  case number(Int)
  /// A byte string, with terminfo's `%` parameters left in.
  case string(String)

  /// The value as XTGETTCAP tells it; nothing for a flag.
  var value: String? {
    switch self {
    case .flag: nil
    case .number(let number): String(number)
    case .string(let text): text
    }
  }
}

extension TerminfoCapability {
  /// The name that the terminal gives itself.
  public static let terminalName = "xterm-256color"

  /// Returns what a terminfo name, or one of the termcap names `Co`, `TN` and `RGB`, stands for.
  public static func named(_ name: String) -> TerminfoCapability? { table[name] }

  /// Every name that is known, sorted.
  public static var allNames: [String] { table.keys.sorted() }

  /// Answers a request of XTGETTCAP: the bytes between `DCS + q` and its end.
  ///
  /// Each name is answered by itself and in order: `DCS 1 + r name=value ST`, all in hexadecimal, or
  /// `DCS 0 + r name ST` for a name that is not known. What is not hexadecimal is not echoed.
  /// - Parameter request: Names in hexadecimal, with `;` between them; only the first 64 are read.
  /// - Returns: The answers.
  public static func answer(to request: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    let names = request.split(separator: 0x3B, maxSplits: 64, omittingEmptySubsequences: false)
    for field in names.prefix(64) {
      guard let name = decode(field), !name.isEmpty else {
        output += Array("\u{1B}P0+r\u{1B}\\".utf8)
        continue
      }
      let echo = encode(name)
      switch named(name) {
      case nil: output += Array("\u{1B}P0+r\(echo)\u{1B}\\".utf8)
      case .flag: output += Array("\u{1B}P1+r\(echo)\u{1B}\\".utf8)
      case .some(let capability):
        output += Array("\u{1B}P1+r\(echo)=\(encode(capability.value ?? ""))\u{1B}\\".utf8)
      }
    }
    return output
  }

  private static func decode(_ field: ArraySlice<UInt8>) -> String? {
    guard field.count % 2 == 0, field.count <= 128 else { return nil }
    var bytes: [UInt8] = []
    var place = field.startIndex
    while place < field.endIndex {
      guard let high = digit(field[place]), let low = digit(field[place + 1]) else { return nil }
      bytes.append(high << 4 | low)
      place += 2
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }

  private static func encode(_ text: String) -> String {
    text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
  }
}

/// Permission bits as people read and type them.
public enum FileModeText {
  /// The kind and the nine or so letters, as `ls -l` has them: `drwxr-xr-x`.
  ///
  /// - Parameters:
  ///   - kind: What the entry is.
  ///   - permissions: Its bits; nil gives question marks.
  /// - Returns: Ten characters.
  public static func letters(_ kind: FileKind, _ permissions: UInt32?) -> String {
    let first: Character =
      switch kind {
      case .regular: "-"
      case .directory: "d"
      case .symbolicLink: "l"
      case .pipe: "p"
      case .socket: "s"
      case .characterDevice: "c"
      case .blockDevice: "b"
      case .unknown: "?"
      }
    guard let bits = permissions else { return "\(first)?????????" }
    var text = String(first)
    for (shift, special, letter) in [(6, 0o4000, "s"), (3, 0o2000, "s"), (0, 0o1000, "t")]
      as [(UInt32, UInt32, String)]
    {
      let part = bits >> shift & 7
      text += part & 4 != 0 ? "r" : "-"
      text += part & 2 != 0 ? "w" : "-"
      let runs = part & 1 != 0
      if bits & special == 0 {
        text += runs ? "x" : "-"
      } else {
        text += runs ? letter : letter.uppercased()
      }
    }
    return text
  }

  /// The bits in octal, `0644`.
  public static func octal(_ permissions: UInt32) -> String {
    let text = String(permissions & 0o7777, radix: 8)
    return String(repeating: "0", count: max(4 - text.count, 0)) + text
  }

  /// Reads what a person types: octal (`644`), nine letters (`rw-r--r--`), or changes (`u+x,go-w`).
  ///
  /// - Parameters:
  ///   - text: As typed.
  ///   - current: The bits that changes start from.
  ///   - isDirectory: Whether `X` means `x`.
  /// - Returns: The new bits; nil when the text means none.
  public static func parse(
    _ text: String,
    current: UInt32,
    isDirectory: Bool = false
  ) -> UInt32? {
    let text = text.filter { $0 != " " }
    guard !text.isEmpty else { return nil }
    if text.allSatisfy({ ("0"..."7").contains($0) }) {
      guard (3...4).contains(text.count) else { return nil }
      return UInt32(text, radix: 8)
    }
    if text.count == 9, let bits = nine(Array(text)) { return bits }
    var bits = current & 0o7777
    for clause in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let next = apply(clause, to: bits, isDirectory: isDirectory) else { return nil }
      bits = next
    }
    return bits
  }

  private static func nine(_ letters: [Character]) -> UInt32? {
    var bits: UInt32 = 0
    for (place, letter) in letters.enumerated() {
      let bit = UInt32(1) << UInt32(8 - place)
      let special: UInt32 = [0o4000, 0o2000, 0o1000][place / 3]
      switch (place % 3, letter) {
      case (_, "-"): break
      case (0, "r"), (1, "w"), (2, "x"): bits |= bit
      case (2, place == 8 ? "t" : "s"): bits |= bit | special
      case (2, place == 8 ? "T" : "S"): bits |= special
      default: return nil
      }
    }
    return bits
  }

  /// Applies one change such as `go-w`.
  private static func apply(
    _ clause: Substring,
    to bits: UInt32,
    isDirectory: Bool
  ) -> UInt32? {
    guard let sign = clause.firstIndex(where: { "+-=".contains($0) }) else { return nil }
    var who: UInt32 = 0
    for letter in clause[..<sign] {
      switch letter {
      case "u": who |= 0o4700
      case "g": who |= 0o2070
      case "o": who |= 0o1007
      case "a": who |= 0o7777
      default: return nil
      }
    }
    if who == 0 { who = 0o7777 }
    var what: UInt32 = 0
    for letter in clause[clause.index(after: sign)...] {
      switch letter {
      case "r": what |= 0o444
      case "w": what |= 0o222
      case "x": what |= 0o111
      case "X": what |= isDirectory || bits & 0o111 != 0 ? 0o111 : 0
      case "s": what |= 0o6000
      case "t": what |= 0o1000
      default: return nil
      }
    }
    switch clause[sign] {
    case "+": return bits | what & who
    case "-": return bits & ~(what & who)
    default: return bits & ~(who & 0o777) | what & who
    }
  }
}

/// Terminal output of a few kinds, the same in every run.
enum ParseInput {
  /// A small generator of numbers with a fixed start.
  struct Numbers {
    private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// A number from 0 to `limit` - 1.
    mutating func next(_ limit: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(limit))
    }
  }

  private static let words = [
    "server", "started", "listening", "on", "port", "8080", "connection", "from", "10.0.0.17",
    "closed", "after", "12ms", "GET", "/index.html", "200", "warning:", "disk", "usage", "at",
    "91%",
    "worker[3]:", "retry", "in", "30s", "ok",
  ]

  /// Log lines of at most 120 columns, as `cat` of a text file sends them.
  static func plain(byteCount: Int = 4_000_000) -> [UInt8] {
    lines(byteCount) { line, numbers in
      let length = 20 + numbers.next(100)
      while line.count < length { line += "\(words[numbers.next(words.count)]) ".utf8 }
    }
  }

  /// Coloured listings and diffs: a change of style every word.
  static func styled(byteCount: Int = 4_000_000) -> [UInt8] {
    lines(byteCount) { line, numbers in
      for _ in 0..<12 {
        switch numbers.next(4) {
        case 0: line += "\u{1B}[1;3\(numbers.next(8))m".utf8
        case 1: line += "\u{1B}[38;5;\(numbers.next(256))m".utf8
        case 2:
          let colour = (numbers.next(256), numbers.next(256), numbers.next(256))
          line += "\u{1B}[38;2;\(colour.0);\(colour.1);\(colour.2)m".utf8
        default: line += "\u{1B}[7m".utf8
        }
        line += "\(words[numbers.next(words.count)])\u{1B}[0m ".utf8
      }
    }
  }

  /// Chinese, Japanese and Korean text with emoji and some Latin between.
  static func wide(byteCount: Int = 4_000_000) -> [UInt8] {
    let emoji = ["😀", "🚀", "🎉", "👍", "🔥", "✅", "🐧"]
    return lines(byteCount) { line, numbers in
      for _ in 0..<60 {
        switch numbers.next(20) {
        case 0: line += emoji[numbers.next(emoji.count)].utf8
        case 1: line += " ok ".utf8
        case 2..<6: line += scalar(0xAC00 + numbers.next(11_000))
        case 6..<9: line += scalar(0x3041 + numbers.next(80))
        default: line += scalar(0x4E00 + numbers.next(20_000))
        }
      }
    }
  }

  /// Lines of exactly `columns` columns, for a scrollback: ASCII, or with a 24-bit colour for each word.
  static func fullLines(_ count: Int, columns: Int, isColoured: Bool) -> [UInt8] {
    var numbers = Numbers()
    var bytes: [UInt8] = []
    for _ in 0..<count {
      var column = 0
      while column < columns {
        let word = words[numbers.next(words.count)] + " "
        let part = word.utf8.prefix(columns - column)
        if isColoured {
          let colour = (numbers.next(256), numbers.next(256), numbers.next(256))
          bytes += "\u{1B}[38;2;\(colour.0);\(colour.1);\(colour.2)m".utf8
        }
        bytes += part
        column += part.count
      }
      if isColoured { bytes += "\u{1B}[0m".utf8 }
      bytes += "\r\n".utf8
    }
    return bytes
  }

  /// Bytes of every value, as `cat /dev/urandom` shows them.
  static func random(byteCount: Int = 4_000_000) -> [UInt8] {
    var numbers = Numbers()
    return (0..<byteCount).map { _ in UInt8(numbers.next(256)) }
  }

  private static func lines(
    _ byteCount: Int,
    _ append: (inout [UInt8], inout Numbers) -> Void
  ) -> [UInt8] {
    var numbers = Numbers()
    var bytes: [UInt8] = []
    bytes.reserveCapacity(byteCount + 4096)
    while bytes.count < byteCount {
      var line: [UInt8] = []
      append(&line, &numbers)
      bytes += line
      bytes += "\r\n".utf8
    }
    return bytes
  }

  private static func scalar(_ value: Int) -> [UInt8] {
    Array(String(Unicode.Scalar(UInt32(value)) ?? "?").utf8)
  }
}

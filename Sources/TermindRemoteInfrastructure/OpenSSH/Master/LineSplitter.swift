/// Cuts a stream of text into lines, without keeping more than a bound of one that does not end.
struct LineSplitter {
  private var rest: [UInt8] = []
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// Takes bytes and gives the lines that are complete, without their ends.
  mutating func take(_ bytes: [UInt8]) -> [String] {
    var lines: [String] = []
    for byte in bytes {
      if byte == 0x0A {
        lines.append(finish())
      } else if rest.count < limit {
        rest.append(byte)
      }
    }
    return lines
  }

  /// Gives what stands after the last line end; nil when there is nothing.
  mutating func takeRest() -> String? { rest.isEmpty ? nil : finish() }

  private mutating func finish() -> String {
    if rest.last == 0x0D { rest.removeLast() }
    defer { rest = [] }
    return String(decoding: rest, as: UTF8.self)
  }
}

/// Reads the numbers of an SGR from its bytes: digits, semicolons and colons alone.
@safe struct RenditionReader {
  private let bytes: UnsafeRawBufferPointer
  private var place = 0
  /// Whether the last number was read.
  private(set) var isDone = false
  /// Whether a colon stood behind a number: the form with subparameters.
  private(set) var sawColon = false

  init(_ bytes: UnsafeRawBufferPointer) { unsafe self.bytes = bytes }

  /// The next number, negative for a missing one; there are at most eight digits.
  @inline(__always)
  mutating func next() -> Int {
    var value = -1
    let count = unsafe bytes.count
    while place < count {
      let byte = unsafe bytes[place]
      place &+= 1
      if byte >= 0x3A {
        if byte == 0x3A { sawColon = true }
        return value
      }
      value = (value < 0 ? 0 : value &* 10) &+ Int(byte &- 0x30)
    }
    isDone = true
    return value
  }

  /// All numbers with what joins them.
  static func parameters(_ bytes: UnsafeRawBufferPointer) -> SequenceParameters {
    var parameters = SequenceParameters()
    var reader = unsafe RenditionReader(bytes)
    while !reader.isDone {
      reader.sawColon = false
      let value = reader.next()
      parameters.append(Int32(truncatingIfNeeded: value), joined: reader.sawColon)
    }
    return parameters
  }
}

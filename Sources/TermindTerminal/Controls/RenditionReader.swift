/// Reads the numbers of an SGR from its bytes.
struct RenditionReader {
  private let end: Int
  /// Where the next number begins, in the end just past the sequence.
  private(set) var place: Int
  private var count = 0
  /// Whether no number follows.
  private(set) var isDone = false
  /// Whether the sequence ended with `m` after at most 16 numbers of at most eight digits without colons.
  private(set) var isPlain = false

  /// Begins with the first number in a range of the bytes.
  @inline(__always)
  init(_ range: Range<Int>) {
    place = range.lowerBound
    end = range.upperBound
  }

  /// The next number, 0 for a missing one; what is read from a sequence that is not plain has no meaning.
  @inline(__always)
  mutating func next(_ bytes: RawSpan) -> Int {
    precondition(end <= bytes.byteCount)
    let start = place
    var value = 0
    while place < end {
      let byte = unsafe bytes.unsafeLoad(fromByteOffset: place, as: UInt8.self)
      place &+= 1
      let digit = byte &- 0x30
      if digit < 10 {
        value = value &* 10 &+ Int(digit)
        continue
      }
      count &+= 1
      let isGood = place &- start <= 9 && count <= 16
      if byte != 0x3B || !isGood {
        isDone = true
        isPlain = byte == 0x6D && isGood
      }
      return value
    }
    isDone = true
    return value
  }

  /// All numbers, with what joins them, of the bytes between CSI and m: digits, semicolons and colons alone.
  static func parameters(_ bytes: RawSpan) -> SequenceParameters {
    var parameters = SequenceParameters()
    var number: Int32 = -1
    for place in 0..<bytes.byteCount {
      let byte = unsafe bytes.unsafeLoad(fromByteOffset: place, as: UInt8.self)
      if byte >= 0x3A {
        parameters.append(number, joined: byte == 0x3A)
        number = -1
      } else {
        number = max(number, 0) &* 10 &+ Int32(byte &- 0x30)
      }
    }
    parameters.append(number, joined: false)
    return parameters
  }
}

internal import TermindDomain

/// Reads what a message holds, never past its end.
struct SFTPDecoder {
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  /// How many bytes were not read yet.
  var count: Int { bytes.endIndex - position }

  mutating func byte() throws(SFTPFormatError) -> UInt8 {
    guard count >= 1 else { throw SFTPFormatError(text: "a message ends too early") }
    defer { position += 1 }
    return bytes[position]
  }

  mutating func number() throws(SFTPFormatError) -> UInt32 {
    guard count >= 4 else { throw SFTPFormatError(text: "a message ends too early") }
    defer { position += 4 }
    return UInt32(bytes[position]) << 24 | UInt32(bytes[position + 1]) << 16
      | UInt32(bytes[position + 2]) << 8 | UInt32(bytes[position + 3])
  }

  mutating func longNumber() throws(SFTPFormatError) -> UInt64 {
    let high = UInt64(try number())
    return high << 32 | UInt64(try number())
  }

  mutating func string() throws(SFTPFormatError) -> ArraySlice<UInt8> {
    let length = Int(try number())
    guard length <= count else {
      throw SFTPFormatError(text: "a string is longer than its message")
    }
    defer { position += length }
    return bytes[position..<(position + length)]
  }

  /// What was not read yet.
  mutating func rest() -> ArraySlice<UInt8> {
    defer { position = bytes.endIndex }
    return bytes[position...]
  }
}

/// Cuts the bytes of a channel into messages.
///
/// A message is put together in memory of its own, which then is the message: each byte is copied once.
struct SFTPFrames: Sendable {
  /// What some bytes brought.
  struct Input: Sendable {
    /// Whole messages without their lengths.
    var messages: [ArraySlice<UInt8>] = []
    /// What came instead of a first message: a text of the account's shell.
    var text: [UInt8] = []
    /// Why nothing more can be read.
    var problem: SFTPFormatError?

    var isEmpty: Bool { messages.isEmpty && text.isEmpty && problem == nil }
  }

  private enum Mode {
    /// No byte has come yet.
    case first
    case messages
    case text
    case broken
  }

  /// The longest message that is taken; requests ask for less than a quarter of it.
  static let limit = 1_048_576

  private var mode = Mode.first
  private var header: [UInt8] = []
  private var message: [UInt8] = []
  /// How long the message that is being put together will be; 0 between messages.
  private var length = 0

  /// Takes the next bytes.
  mutating func append(_ bytes: UnsafeRawBufferPointer) -> Input {
    var input = Input()
    guard let first = unsafe bytes.first else { return input }
    // A length of more than 16 MB is no message: it is what the account's shell prints.
    if mode == .first { mode = first == 0 ? .messages : .text }
    switch mode {
    case .text: input.text = unsafe Array(bytes.prefix(2048))
    case .broken: break
    case .first, .messages:
      do throws(SFTPFormatError) {
        try unsafe cut(bytes, into: &input)
      } catch {
        mode = .broken
        input.problem = error
      }
    }
    return input
  }

  private mutating func cut(
    _ bytes: UnsafeRawBufferPointer,
    into input: inout Input
  ) throws(SFTPFormatError) {
    var position = 0
    while position < bytes.count {
      if length == 0 {
        header.append(unsafe bytes[position])
        position += 1
        guard header.count == 4 else { continue }
        length = header.reduce(0) { $0 << 8 | Int($1) }
        header.removeAll(keepingCapacity: true)
        guard 1...Self.limit ~= length else {
          throw SFTPFormatError(text: "a message of \(length) bytes")
        }
        message = []
        message.reserveCapacity(length)
      }
      let count = min(length - message.count, bytes.count - position)
      // A slice would be copied byte by byte.
      unsafe message.append(
        contentsOf: UnsafeRawBufferPointer(rebasing: bytes[position..<(position + count)])
      )
      position += count
      guard message.count == length else { return }
      length = 0
      input.messages.append(message[...])
      message = []
    }
  }
}

internal import TermindDomain

/// One name of a reply that lists names.
struct SFTPName: Hashable, Sendable {
  /// The bytes, not checked.
  let bytes: ArraySlice<UInt8>
  /// A line as `ls -l` prints it, for people.
  let line: ArraySlice<UInt8>
  let attributes: FileAttributes
}

/// What a server answered to one request.
enum SFTPReply: Hashable, Sendable {
  /// A status with the server's text, safe to show.
  case status(code: UInt32, text: String)
  case handle(ArraySlice<UInt8>)
  case data(ArraySlice<UInt8>)
  case names([SFTPName])
  case attributes(FileAttributes)
  case extended(ArraySlice<UInt8>)

  /// Reads a message without its length.
  ///
  /// - Parameter message: The kind and what follows.
  /// - Returns: The request's number and the answer.
  /// - Throws: What is wrong with it.
  static func decode(_ message: ArraySlice<UInt8>) throws(SFTPFormatError) -> (UInt32, SFTPReply) {
    var decoder = SFTPDecoder(message)
    let kind = try decoder.byte()
    let number = try decoder.number()
    switch SFTPKind(rawValue: kind) {
    case .replyStatus:
      let code = try decoder.number()
      // Old servers leave out the text and its language.
      let text = decoder.count >= 4 ? try decoder.string() : []
      return (number, .status(code: code, text: PathText.safe(text.prefix(1024))))
    case .replyHandle:
      let handle = try decoder.string()
      // Section 3: a handle has at most 256 bytes.
      guard handle.count <= 256 else { throw SFTPFormatError(text: "a handle is too long") }
      return (number, .handle(handle))
    case .replyData: return (number, .data(try decoder.string()))
    case .replyNames: return (number, .names(try names(&decoder)))
    case .replyAttributes: return (number, .attributes(try decoder.attributes()))
    case .replyExtended: return (number, .extended(decoder.rest()))
    default: throw SFTPFormatError(text: "a message of kind \(kind)")
    }
  }

  private static func names(_ decoder: inout SFTPDecoder) throws(SFTPFormatError) -> [SFTPName] {
    let count = Int(try decoder.number())
    // A name takes twelve bytes at least: what cannot be there is refused before memory is set aside.
    guard count <= decoder.count / 12 else { throw SFTPFormatError(text: "a list is cut short") }
    var names: [SFTPName] = []
    names.reserveCapacity(count)
    for _ in 0..<count {
      let bytes = try decoder.string()
      let line = try decoder.string()
      names.append(SFTPName(bytes: bytes, line: line, attributes: try decoder.attributes()))
    }
    return names
  }
}

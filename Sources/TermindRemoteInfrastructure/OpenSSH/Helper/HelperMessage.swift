internal import TermindDomain

/// What a helper of a master asks the server, and what it is told.
///
/// A helper is our own program, started by `ssh`: it knows the socket and the token of its attempt from two variables.
enum HelperMessage {
  /// The longest request, in bytes without its length; a prompt of a server may be long.
  static let maximumByteCount = 131_072
  /// The variable with the path of the socket.
  static let socketVariable = "TERMIND_SSH_SOCKET"
  /// The variable with the token of the attempt.
  static let tokenVariable = "TERMIND_SSH_TOKEN"

  /// A question.
  struct Request: Equatable {
    /// What is asked.
    enum Kind: String {
      /// A prompt: its text, and what `ssh` says of its kind.
      case prompt
      /// A host key: its type, the key in base64, the name, and why it is looked up.
      case hostKey
      /// The socket that leads to the server.
      case connection
    }

    /// The token of the attempt.
    let token: String
    /// What is asked.
    let kind: Kind
    /// Its words.
    let words: [String]
  }

  /// A request, with its length.
  static func encoded(_ request: Request) -> [UInt8] {
    var content = WireWriter()
    content.string(request.token)
    content.string(request.kind.rawValue)
    content.uint32(UInt32(clamping: request.words.count))
    for word in request.words { content.string(word) }
    var writer = WireWriter()
    writer.string(content.bytes)
    return writer.bytes
  }

  /// Reads a request from what has come so far.
  ///
  /// - Parameter bytes: Everything since the beginning.
  /// - Returns: The request; nil while it is incomplete.
  /// - Throws: What is wrong with it.
  static func request(_ bytes: [UInt8]) throws(WireError) -> Request? {
    guard bytes.count >= 4 else { return nil }
    var outer = WireReader(bytes)
    let count = try outer.uint32()
    guard count <= UInt32(maximumByteCount) else { throw WireError(reason: "oversized request") }
    guard outer.remaining >= Int(count) else { return nil }
    guard outer.remaining == Int(count) else { throw WireError(reason: "trailing bytes") }
    let token = try text(&outer)
    guard let kind = Request.Kind(rawValue: try text(&outer)) else {
      throw WireError(reason: "kind of request")
    }
    let number = try outer.uint32()
    guard number <= 8 else { throw WireError(reason: "too many words") }
    var words: [String] = []
    for _ in 0..<number { words.append(try text(&outer)) }
    guard outer.isAtEnd else { throw WireError(reason: "trailing bytes") }
    return Request(token: token, kind: kind, words: words)
  }

  private static func text(_ reader: inout WireReader<[UInt8]>) throws(WireError) -> String {
    String(decoding: try reader.string(), as: UTF8.self)
  }
}

/// What is wrong with what a person gave for one field.
public enum FieldProblem: Error, Hashable, Sendable {
  /// It must not be empty.
  case empty
  /// It has blanks at its beginning or end.
  case blankAtEnds
  /// It has characters that cannot be seen or sent, such as control characters.
  case invisibleCharacters
  /// It has more UTF-8 bytes than the limit.
  case tooLong(limit: Int)
  /// There are more entries than the limit.
  case tooMany(limit: Int)
  /// It is no number in the range.
  case notInRange(ClosedRange<Int>)
  /// It is no host, account or target.
  case target(ConnectTargetError)
  /// It must be an absolute path.
  case notAbsolute
  /// It stands there twice.
  case duplicate(String)
  /// Another record has the name.
  case taken
  /// It is no name that a variable can have.
  case invalidName(String)
  /// It names a record that is not there.
  case missing
  /// The host is its own jump, directly or through others; the names on the way.
  case cycle([String])
}

/// A problem of one field of a record.
public struct FieldError<Field: Hashable & Sendable>: Error, Hashable, Sendable {
  /// The field.
  public let field: Field
  /// What is wrong with it.
  public let problem: FieldProblem

  /// Makes an error.
  public init(_ field: Field, _ problem: FieldProblem) {
    self.field = field
    self.problem = problem
  }
}

/// Rules that fields of several records share.
public enum FieldRules {
  /// The longest one-line text, in UTF-8 bytes.
  public static let maximumLineLength = 1024
  /// The longest text of several lines, in UTF-8 bytes.
  public static let maximumTextLength = 1_000_000
  /// The most tags of one record.
  public static let maximumTags = 64

  /// What is wrong with a name, nil when it may be saved.
  public static func problem(ofName name: String) -> FieldProblem? {
    guard let first = name.first, let last = name.last else { return .empty }
    if first.isWhitespace || last.isWhitespace { return .blankAtEnds }
    if name.utf8.count > HostRecord.maximumNameLength {
      return .tooLong(limit: HostRecord.maximumNameLength)
    }
    return hasInvisible(name) ? .invisibleCharacters : nil
  }

  /// What is wrong with a text of one line, nil when it may be saved; it may be empty.
  public static func problem(ofLine text: String) -> FieldProblem? {
    if text.utf8.count > maximumLineLength { return .tooLong(limit: maximumLineLength) }
    return hasInvisible(text) ? .invisibleCharacters : nil
  }

  /// What is wrong with a text of several lines, nil when it may be saved; it may be empty.
  public static func problem(ofText text: String) -> FieldProblem? {
    text.utf8.count > maximumTextLength ? .tooLong(limit: maximumTextLength) : nil
  }

  /// What is wrong with an account, nil when it may be saved; empty means another source gives it.
  public static func problem(ofUsername name: String) -> FieldProblem? {
    guard !name.isEmpty else { return nil }
    do throws(ConnectTargetError) {
      _ = try ConnectTarget.checkedUser(name)
      return nil
    } catch {
      return .target(error)
    }
  }

  /// What is wrong with an address, nil when it may be saved.
  public static func problem(ofAddress address: String) -> FieldProblem? {
    do throws(ConnectTargetError) {
      _ = try ConnectTarget(address: address)
      return nil
    } catch {
      return error == .missingHost ? .empty : .target(error)
    }
  }

  /// What is wrong with tags, nil when they may be saved.
  public static func problem(ofTags tags: [String]) -> FieldProblem? {
    if tags.count > maximumTags { return .tooMany(limit: maximumTags) }
    var seen: Set<String> = []
    for tag in tags {
      if let problem = problem(ofName: tag) { return problem }
      if tag.contains(",") { return .invalidName(tag) }
      guard seen.insert(tag).inserted else { return .duplicate(tag) }
    }
    return nil
  }

  /// What is wrong with a path, nil when it may be saved.
  public static func problem(ofPath path: String) -> FieldProblem? {
    if path.isEmpty { return .empty }
    guard path.hasPrefix("/") || path.hasPrefix("~/") else { return .notAbsolute }
    return path.unicodeScalars.contains("\0") ? .invisibleCharacters : problem(ofLine: path)
  }

  /// Whether a text has characters that could act on a terminal.
  public static func hasInvisible(_ text: String) -> Bool {
    !text.unicodeScalars.allSatisfy(isVisible)
  }

  /// Whether a character is none of those that could act on a terminal.
  public static func isVisible(_ character: Unicode.Scalar) -> Bool {
    character.properties.generalCategory != .control
  }
}

/// Reading of fields from text as a person types it.
public enum FieldText {
  /// Tags, divided by commas; blanks around them and empty ones are dropped, each stands once.
  public static func tags(_ text: String) -> [String] {
    var seen: Set<String> = []
    return text.split(separator: ",").map { String($0).trimmed }
      .filter { !$0.isEmpty && seen.insert($0).inserted }
  }

  /// Tags as one line.
  public static func text(ofTags tags: [String]) -> String { tags.joined(separator: ", ") }

  /// A host name or address; the brackets around an IPv6 address are dropped.
  public static func address(_ text: String) throws(FieldProblem) -> String {
    var address = text.trimmed
    if address.hasPrefix("["), address.hasSuffix("]") {
      address = String(address.dropFirst().dropLast())
    }
    if let problem = FieldRules.problem(ofAddress: address) { throw problem }
    return address
  }

  /// A port from 1 to 65,535.
  public static func port(_ text: String) throws(FieldProblem) -> UInt16 {
    do throws(ConnectTargetError) {
      return try ConnectTarget.port(text.trimmed)
    } catch {
      throw .notInRange(1...65535)
    }
  }

  /// A number in a range.
  public static func number(
    _ text: String,
    in range: ClosedRange<Int>
  ) throws(FieldProblem) -> Int {
    guard let number = Int(text.trimmed), range.contains(number) else {
      throw .notInRange(range)
    }
    return number
  }

  /// Variables, one `NAME=value` a line; empty lines are skipped, values are kept exactly.
  public static func environment(
    _ text: String
  ) throws(FieldProblem) -> [EnvironmentVariable] {
    var result: [EnvironmentVariable] = []
    for line in text.split(whereSeparator: \.isNewline) where !String(line).trimmed.isEmpty {
      guard let mark = line.firstIndex(of: "=") else {
        throw .invalidName(String(line))
      }
      let variable = EnvironmentVariable(
        name: String(line[..<mark]).trimmed,
        value: String(line[line.index(after: mark)...])
      )
      if let problem = variable.problem { throw problem }
      result.append(variable)
    }
    return result
  }

  /// Jumps as `ssh -J` takes them, divided by commas.
  public static func jumps(_ text: String) -> [HostJump] {
    text.split(separator: ",").map { String($0).trimmed }.filter { !$0.isEmpty }
      .map { .text($0) }
  }
}

extension EnvironmentVariable {
  /// What is wrong with it, nil when it may be saved.
  public var problem: FieldProblem? {
    guard let first = name.unicodeScalars.first, !(0x30...0x39).contains(first.value),
      name.utf8.allSatisfy({ byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
          || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "_")
      })
    else { return .invalidName(name) }
    return value.unicodeScalars.contains("\0") ? .invisibleCharacters : nil
  }
}

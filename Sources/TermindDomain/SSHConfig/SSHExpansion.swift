/// Why a value cannot be expanded.
public enum SSHExpansionError: Error, Hashable, Sendable {
  /// A `%` before a sign that is no token of this option.
  case unknownToken(String)
  /// A variable that is not set.
  case missingVariable(String)
  /// A `${` that is not closed, or a name that cannot be one.
  case invalidVariable(String)
  /// The home directory of another account.
  case otherHome(String)
}

/// Expands `~`, tokens and variables where `ssh` does it.
enum SSHExpansion {
  /// The value with tokens and, where they are given, variables.
  ///
  /// - Parameters:
  ///   - text: The value.
  ///   - tokens: What each letter after `%` stands for; `%%` is always known.
  ///   - variables: The environment; nil leaves `${NAME}` as it stands.
  /// - Returns: The expanded text.
  /// - Throws: What cannot be expanded.
  static func expanded(
    _ text: String,
    tokens: [UInt8: String],
    variables: [String: String]?
  ) throws(SSHExpansionError) -> String {
    var result: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "$"), rest.first == UInt8(ascii: "{"), let variables {
        result += try variable(&rest, variables).utf8
        continue
      }
      guard byte == UInt8(ascii: "%"), !tokens.isEmpty else {
        result.append(byte)
        continue
      }
      guard let letter = rest.popFirst() else { throw .unknownToken("%") }
      if letter == UInt8(ascii: "%") {
        result.append(letter)
      } else if let value = tokens[letter] {
        result += value.utf8
      } else {
        throw .unknownToken("%" + String(decoding: [letter], as: UTF8.self))
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The value with its variables only.
  static func variables(
    _ text: String,
    _ variables: [String: String]
  ) throws(SSHExpansionError) -> String {
    try expanded(text, tokens: [:], variables: variables)
  }

  /// A leading `~` as the home directory.
  static func tilde(_ text: String, home: String) throws(SSHExpansionError) -> String {
    guard text.hasPrefix("~") else { return text }
    let end = text.firstIndex(of: "/") ?? text.endIndex
    let name = text[text.index(after: text.startIndex)..<end]
    guard name.isEmpty else { throw .otherHome(String(name)) }
    return home + text[end...]
  }

  static func isNameByte(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
      || byte == UInt8(ascii: "_")
  }

  private static func variable(
    _ rest: inout Substring.UTF8View,
    _ variables: [String: String]
  ) throws(SSHExpansionError) -> String {
    rest.removeFirst()
    let name = rest.prefix { $0 != UInt8(ascii: "}") }
    let text = String(decoding: name, as: UTF8.self)
    guard name.endIndex != rest.endIndex, !name.isEmpty, name.allSatisfy(isNameByte) else {
      throw .invalidVariable(text)
    }
    rest = rest[rest.index(after: name.endIndex)...]
    guard let value = variables[text] else { throw .missingVariable(text) }
    return value
  }
}

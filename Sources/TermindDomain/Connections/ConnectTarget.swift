/// Where to connect to, as a person writes it.
///
/// `host`, `user@host`, `host:port`, `[address]:port`, a bare IPv6 address with or without scope, and
/// `ssh://user@host:port`. The host may be an address, a name, or the name of a saved host.
public struct ConnectTarget: Hashable, Sendable {
  /// The account; nil when it was not given.
  public var user: String?
  /// The name or address, without brackets.
  public var host: String
  /// The port; nil when it was not given.
  public var port: UInt16?

  /// Makes a target of checked parts.
  public init(user: String? = nil, host: String, port: UInt16? = nil) {
    self.user = user
    self.host = host
    self.port = port
  }

  /// Reads a target.
  public init(parsing text: String) throws(ConnectTargetError) {
    let scheme = "ssh://"
    let isURL = text.lowercased().hasPrefix(scheme)
    if !isURL, text.contains("://") { throw .unsupportedScheme }
    var rest = isURL ? String(text.dropFirst(scheme.count)) : text
    if isURL, let slash = rest.firstIndex(of: "/") {
      guard rest.index(after: slash) == rest.endIndex else { throw .unexpectedPath }
      rest.removeLast()
    }
    // The last one separates: account names may have an @ themselves.
    if let mark = rest.lastIndex(of: "@") {
      user = try Self.checkedUser(rest[..<mark], isURL: isURL)
      rest = String(rest[rest.index(after: mark)...])
    }
    let (hostPart, portPart) = try Self.divided(rest)
    host = try Self.checkedHost(hostPart, isBracketed: rest.hasPrefix("["), isURL: isURL)
    port = try portPart.map { text throws(ConnectTargetError) in try Self.port(text) }
  }

  /// Takes a host name or address alone, without brackets.
  init(address: String) throws(ConnectTargetError) {
    host = try Self.checkedHost(address[...], isBracketed: false, isURL: false)
  }

  /// Reads a port number from 1 to 65,535, without sign or blanks.
  public static func port(_ text: some StringProtocol) throws(ConnectTargetError) -> UInt16 {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = UInt16(text), number > 0
    else { throw .invalidPort(String(text)) }
    return number
  }

  /// The account when it is acceptable: not empty, no leading dash, nothing invisible.
  static func checkedUser(
    _ text: some StringProtocol,
    isURL: Bool = false
  ) throws(ConnectTargetError) -> String {
    let name = isURL ? PercentText.decoded(text) : String(text)
    guard let name, !name.isEmpty, !name.hasPrefix("-"), name.utf8.count <= 255,
      name.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control && $0 != " " }),
      // In a URL a colon begins a password, which has no place in a line that is kept.
      !isURL || !text.contains(":")
    else { throw .invalidUser(String(text)) }
    return name
  }

  /// Host and port text: `[address]:port`, `address` with two colons or more, `host:port`, `host`.
  private static func divided(
    _ text: String
  ) throws(ConnectTargetError) -> (host: Substring, port: Substring?) {
    if text.hasPrefix("[") {
      guard let end = text.lastIndex(of: "]") else { throw .unclosedBracket }
      let inside = text[text.index(after: text.startIndex)..<end]
      let after = text[text.index(after: end)...]
      if after.isEmpty { return (inside, nil) }
      guard after.hasPrefix(":") else { throw .invalidHost(text) }
      return (inside, after.dropFirst())
    }
    let colons = text.utf8.count { $0 == UInt8(ascii: ":") }
    guard colons == 1, let colon = text.firstIndex(of: ":") else { return (text[...], nil) }
    return (text[..<colon], text[text.index(after: colon)...])
  }

  private static func checkedHost(
    _ text: Substring,
    isBracketed: Bool,
    isURL: Bool
  ) throws(ConnectTargetError) -> String {
    guard !text.isEmpty else { throw .missingHost }
    if text.contains(":") {
      // RFC 6874: in a URL the scope's percent sign is itself escaped.
      let address = isURL ? text.replacing("%25", with: "%", maxReplacements: 1) : text
      guard IPv6Text.isValid(address) else { throw .invalidHost(String(text)) }
      return String(address)
    }
    guard !isBracketed, !text.hasPrefix("-"), text.utf8.count <= 255,
      text.unicodeScalars.allSatisfy(isHostScalar)
    else { throw .invalidHost(String(text)) }
    return String(text)
  }

  /// Letters and digits of any script, marks, and the signs that names of hosts have.
  private static func isHostScalar(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII {
      let byte = UInt8(scalar.value)
      return (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
        || (0x61...0x7A).contains(byte) || scalar == "." || scalar == "-" || scalar == "_"
    }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .decimalNumber:
      return true
    default:
      return false
    }
  }
}

/// Why a text is not a target.
public enum ConnectTargetError: Error, Hashable, Sendable {
  /// There is no host in it.
  case missingHost
  /// The host is no name and no address.
  case invalidHost(String)
  /// The account is empty or has signs that it cannot have.
  case invalidUser(String)
  /// The port is no number from 1 to 65,535.
  case invalidPort(String)
  /// A bracket is opened and not closed.
  case unclosedBracket
  /// Another scheme than `ssh`.
  case unsupportedScheme
  /// Something follows the host and port of a URL.
  case unexpectedPath
}

/// The text form of IPv6 addresses (RFC 4291 section 2.2), with a scope (RFC 4007 section 11).
enum IPv6Text {
  static func isValid(_ text: some StringProtocol) -> Bool {
    let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2 {
      let scope = parts[1].utf8
      guard !scope.isEmpty, scope.count <= 64, scope.allSatisfy(isScopeByte) else { return false }
    }
    let address = String(parts[0])
    let halves = address.split(separator: "::", omittingEmptySubsequences: false)
    switch halves.count {
    case 1:
      return groups(halves[0], mayEndInIPv4: true) == 8
    case 2:
      guard let before = groups(halves[0], mayEndInIPv4: false),
        let after = groups(halves[1], mayEndInIPv4: true)
      else { return false }
      return before + after <= 7
    default:
      return false
    }
  }

  /// The number of 16-bit groups, nil when the text is none.
  private static func groups(_ text: some StringProtocol, mayEndInIPv4: Bool) -> Int? {
    if text.isEmpty { return 0 }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    var count = 0
    for (index, part) in parts.enumerated() {
      if mayEndInIPv4, index == parts.count - 1, part.contains(".") {
        guard isIPv4(part) else { return nil }
        count += 2
        continue
      }
      guard (1...4).contains(part.utf8.count), part.utf8.allSatisfy(isHexDigit) else { return nil }
      count += 1
    }
    return count
  }

  private static func isIPv4(_ text: some StringProtocol) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        (1...3).contains(part.utf8.count) && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
          && (Int(part) ?? 256) < 256
      }
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
  }

  private static func isScopeByte(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
      || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
  }
}

public import TermindDomain

/// A pattern for names: `*` is anything, `?` one character, `[a-z]` one of some, `\` takes the next as it stands.
public struct FilePattern: Hashable, Sendable {
  private enum Part: Hashable, Sendable {
    case any
    case one
    case byte(UInt8)
    case set([ClosedRange<UInt8>], isNegated: Bool)
  }

  private let alternatives: [[Part]]

  /// Reads patterns, apart by blanks; a name that matches one of them matches.
  ///
  /// - Parameter text: As typed; nil is returned when it says nothing.
  public init?(_ text: String) {
    let words = text.split(separator: " ")
    guard !words.isEmpty else { return nil }
    alternatives = words.map { Self.parts(Array($0.utf8)) }
  }

  /// Reads one pattern by its bytes; blanks stand for themselves.
  public init(_ bytes: [UInt8]) { alternatives = [Self.parts(bytes)] }

  /// Whether bytes hold anything that means more than itself.
  public static func isMagic(_ bytes: some Sequence<UInt8>) -> Bool {
    bytes.contains { $0 == 0x2A || $0 == 0x3F || $0 == 0x5B || $0 == 0x5C }
  }

  /// The bytes that a pattern without wildcards stands for: `\` takes the next as it stands.
  public static func literal(_ bytes: [UInt8]) -> [UInt8] {
    var kept: [UInt8] = []
    var isTaken = false
    for byte in bytes {
      isTaken = byte == 0x5C && !isTaken
      if !isTaken { kept.append(byte) }
    }
    if isTaken { kept.append(0x5C) }
    return kept
  }

  /// Whether a name matches.
  public func matches(_ name: FileName) -> Bool {
    alternatives.contains { Self.matches(name.bytes, $0) }
  }

  private static func parts(_ bytes: [UInt8]) -> [Part] {
    var parts: [Part] = []
    var place = 0
    while place < bytes.count {
      switch bytes[place] {
      case 0x2A:
        if parts.last != .any { parts.append(.any) }
      case 0x3F: parts.append(.one)
      case 0x5C where place + 1 < bytes.count:
        place += 1
        parts.append(.byte(bytes[place]))
      case 0x5B:
        if let (set, end) = set(bytes, from: place) {
          parts.append(set)
          place = end
        } else {
          parts.append(.byte(0x5B))
        }
      case let byte: parts.append(.byte(byte))
      }
      place += 1
    }
    return parts
  }

  /// Reads `[…]`; nil when the bracket is never closed, and then it stands for itself.
  private static func set(_ bytes: [UInt8], from start: Int) -> (Part, end: Int)? {
    var place = start + 1
    var ranges: [ClosedRange<UInt8>] = []
    let isNegated = place < bytes.count && (bytes[place] == 0x21 || bytes[place] == 0x5E)
    if isNegated { place += 1 }
    let first = place
    while place < bytes.count {
      let byte = bytes[place]
      if byte == 0x5D, place > first { return (.set(ranges, isNegated: isNegated), place) }
      if place + 2 < bytes.count, bytes[place + 1] == 0x2D, bytes[place + 2] != 0x5D {
        if byte <= bytes[place + 2] { ranges.append(byte...bytes[place + 2]) }
        place += 3
      } else {
        ranges.append(byte...byte)
        place += 1
      }
    }
    return nil
  }

  private static func matches(_ name: [UInt8], _ parts: [Part]) -> Bool {
    StarPattern.matches(
      length: name.count,
      parts: parts.count,
      isStar: { parts[$0] == .any },
      step: { part, place in step(name, place, parts[part]) }
    )
  }

  /// The place behind what a part matches; nil when it does not match.
  private static func step(_ name: [UInt8], _ place: Int, _ part: Part) -> Int? {
    switch part {
    case .any: return nil
    case .one:
      // A character of several bytes counts once.
      var end = place + 1
      while name[place] >= 0xC0, end < name.count, 0x80..<0xC0 ~= name[end] { end += 1 }
      return end
    case .byte(let byte): return name[place] == byte ? place + 1 : nil
    case .set(let ranges, let isNegated):
      return ranges.contains { $0.contains(name[place]) } != isNegated ? place + 1 : nil
    }
  }
}

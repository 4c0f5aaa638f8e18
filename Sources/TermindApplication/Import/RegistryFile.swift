internal import TermindDomain

/// A Windows registry export.
struct RegistryFile {
  /// One key with its values.
  struct Key {
    /// The whole path, with backslashes.
    var path: String
    /// The number of its line, from 1.
    var line: Int
    var values: [String: Value] = [:]
  }

  /// A value that is read.
  enum Value: Equatable {
    case text(String)
    case number(UInt32)
    /// Any other type.
    case other
  }

  private(set) var keys: [Key] = []
  /// Values that cannot be read, with the number of the line.
  private(set) var broken: [(line: Int, name: String)] = []

  /// Reads `REGEDIT4` and version 5 exports.
  init(_ bytes: [UInt8]) throws(ImportTextError) {
    let lines = ImportText.lines(try ImportText.decode(bytes))
    let head = lines.first { !$0.allSatisfy(\.isWhitespace) } ?? ""
    guard head.hasPrefix("Windows Registry Editor") || head.hasPrefix("REGEDIT4") else {
      throw .wrongFormat
    }
    var index = 0
    while index < lines.count {
      let number = index + 1
      var line = String(lines[index].drop(while: \.isWhitespace))
      index += 1
      // A backslash at the end continues lists of bytes.
      while line.hasSuffix("\\"), line.contains("hex"), index < lines.count {
        line = line.dropLast() + String(lines[index].drop(while: \.isWhitespace))
        index += 1
      }
      if line.hasPrefix("[") {
        guard let end = line.lastIndex(of: "]") else { continue }
        let path = line[line.index(after: line.startIndex)..<end]
        // `[-KEY]` removes a key.
        if !path.hasPrefix("-") { keys.append(Key(path: String(path), line: number)) }
        continue
      }
      guard line.hasPrefix("\""), !keys.isEmpty else { continue }
      var rest = line.unicodeScalars[...]
      guard let name = Self.quoted(&rest), rest.popFirst() == "=" else {
        broken.append((number, line))
        continue
      }
      guard let value = Self.value(rest) else {
        broken.append((number, name))
        continue
      }
      keys[keys.count - 1].values[name] = value
    }
  }

  /// Takes a quoted text; nil when it is not closed.
  private static func quoted(_ rest: inout Substring.UnicodeScalarView) -> String? {
    guard rest.popFirst() == "\"" else { return nil }
    var text = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      if scalar == "\"" { return String(text) }
      if scalar == "\\" {
        guard let next = rest.popFirst() else { return nil }
        text.append(next)
      } else {
        text.append(scalar)
      }
    }
    return nil
  }

  /// A text, a `dword:`, or a list of bytes; nil when it is broken.
  private static func value(_ scalars: Substring.UnicodeScalarView) -> Value? {
    var scalars = scalars
    if scalars.first == "\"" { return quoted(&scalars).map { .text($0) } }
    let text = Substring(scalars)
    if text.hasPrefix("dword:") {
      return UInt32(text.dropFirst(6).filter { !$0.isWhitespace }, radix: 16).map { .number($0) }
    }
    guard text.hasPrefix("hex"), let colon = text.firstIndex(of: ":") else { return nil }
    var bytes: [UInt8] = []
    for part in text[text.index(after: colon)...].split(separator: ",") {
      guard let byte = UInt8(part.filter { !$0.isWhitespace }, radix: 16) else { return nil }
      bytes.append(byte)
    }
    switch text[..<colon] {
    case "hex(4)" where bytes.count == 4:
      return .number(bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) })
    case "hex(1)", "hex(2)":
      let units = stride(from: 0, to: bytes.count - 1, by: 2).map {
        UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8
      }
      return .text(String(decoding: units.prefix { $0 != 0 }, as: UTF16.self))
    default:
      return .other
    }
  }
}

/// A paste that arrives in pieces, as from an outer terminal.
///
/// `feed` may be called any number of times, then `finish` once. A sender that loses the end of a paste
/// still finishes it, so that the program is never left inside one.
public struct PasteStream: Sendable {
  private let isBracketed: Bool
  private var isOpen = false
  private var endsWithCR = false
  /// What was read of a possible mark after its ESC, which itself is dropped in every case.
  private var heldMark: [UInt8]?
  /// Whether the lead byte of U+0080 to U+00BF was read and not yet sent.
  private var heldLead = false

  /// U+FFFD as UTF-8.
  private static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

  /// Starts a paste for a program with or without mode 2004.
  public init(isBracketed: Bool) { self.isBracketed = isBracketed }

  /// Returns the bytes for the program of the next piece.
  public mutating func feed(_ piece: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(piece.count + PasteMarks.start.count)
    if isBracketed, !isOpen { output += PasteMarks.start }
    isOpen = true
    for byte in piece { read(byte, into: &output) }
    return output
  }

  /// Returns the bytes that end the paste.
  public mutating func finish() -> [UInt8] {
    defer { self = PasteStream(isBracketed: isBracketed) }
    guard isOpen else { return [] }
    let rest = (heldMark ?? []) + (heldLead ? Self.replacement : [])
    return isBracketed ? rest + PasteMarks.end : rest
  }

  /// Drops marks whole, so that no letters of one stay behind.
  private mutating func read(_ byte: UInt8, into output: inout [UInt8]) {
    if let mark = heldMark {
      if PasteMarks.accepts(byte, after: mark) {
        heldMark = byte == 0x7E ? nil : mark + [byte]
        return
      }
      output += mark
      heldMark = nil
    }
    if heldLead {
      heldLead = false
      // U+0080 to U+009F are controls too; U+009B opens sequences as ESC [ does.
      if (0x80...0x9F).contains(byte) {
        if byte == 0x9B { heldMark = [] }
        return
      }
      // A lead byte without its character would meet a later byte and become a control after all.
      output += (0xA0...0xBF).contains(byte) ? [0xC2] : Self.replacement
    }
    append(byte, to: &output)
  }

  /// Drops controls but for tabs and line ends.
  private mutating func append(_ byte: UInt8, to output: inout [UInt8]) {
    let followsCR = endsWithCR
    endsWithCR = byte == 0x0D
    switch byte {
    case 0x1B: heldMark = []
    case 0xC2: heldLead = true
    case 0x0A where !isBracketed: if !followsCR { output.append(0x0D) }
    case 0x09, 0x0A, 0x0D, 0x20...0x7E, 0x80...: output.append(byte)
    default: break
    }
  }
}

/// The marks around a bracketed paste.
enum PasteMarks {
  static let start: [UInt8] = Array("\u{1B}[200~".utf8)
  static let end: [UInt8] = Array("\u{1B}[201~".utf8)

  /// Whether a byte goes on with a mark of which `read` came after the ESC, with or without its bracket.
  static func accepts(_ byte: UInt8, after read: [UInt8]) -> Bool {
    let candidate = read + [byte]
    return [start, end].contains { mark in
      mark.dropFirst(1).starts(with: candidate) || mark.dropFirst(2).starts(with: candidate)
    }
  }
}

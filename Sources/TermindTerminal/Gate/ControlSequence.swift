/// The numbers of a control sequence: at most 32, further ones are dropped.
struct SequenceParameters {
  static let most = 32
  /// Numbers are clamped to this.
  static let largest: Int32 = 99_999_999

  private var values = [32 of Int32](repeating: -1)
  private(set) var count = 0
  /// Bit i is set when a colon follows number i, so that number i + 1 belongs to it.
  private var joined: UInt32 = 0

  /// Whether no number is there at all.
  var isEmpty: Bool { count == 0 || (count == 1 && values[0] < 0) }

  /// The number, nil when it is missing.
  subscript(index: Int) -> Int? {
    guard index < count, values[index] >= 0 else { return nil }
    return Int(values[index])
  }

  /// The number, or a default when it is missing.
  func value(_ index: Int, default fallback: Int) -> Int { self[index] ?? fallback }

  /// The number, where missing and zero both mean one.
  func repeatCount(_ index: Int = 0) -> Int { max(self[index] ?? 1, 1) }

  /// Whether the number after this one is its subparameter.
  func isJoined(_ index: Int) -> Bool { joined & (1 << UInt32(index)) != 0 }

  /// Appends a number, negative for a missing one.
  mutating func append(_ value: Int32, joined isJoined: Bool) {
    guard count < Self.most else { return }
    values[count] = min(value, Self.largest)
    if isJoined { joined |= 1 << UInt32(count) }
    count += 1
  }
}

/// A complete control sequence (CSI).
struct ControlSequence {
  /// `<`, `=`, `>` or `?`, 0 for none.
  var leader: UInt8 = 0
  /// The byte from 0x20 to 0x2F before the last one, 0 for none, 0xFF for several.
  var intermediate: UInt8 = 0
  /// The last byte, from 0x40 to 0x7E.
  var final: UInt8 = 0
  var parameters = SequenceParameters()
}

/// The parts of a control sequence: `CSI prefix numbers intermediates final`.
struct SequenceParameters {
  /// One of `< = > ?`, or 0.
  private(set) var prefix: UInt8 = 0
  /// The numbers, each with its parts after colons; `nil` where nothing stood.
  private(set) var groups: [[Int?]] = []
  private(set) var intermediates: [UInt8] = []
  private(set) var final: UInt8 = 0

  /// Reads the bytes after the introducer, or returns `nil` when they are no control sequence.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard let final = bytes.last, final >= 0x40 || final == 0x24 else { return nil }
    self.final = final
    var rest = bytes.dropLast()
    if let first = rest.first, first >= 0x3C, first <= 0x3F {
      prefix = first
      rest = rest.dropFirst()
    }
    var group: [Int?] = [nil]
    var hasNumbers = false
    for byte in rest {
      switch byte {
      case 0x30...0x39 where intermediates.isEmpty:
        let before = group[group.count - 1] ?? 0
        group[group.count - 1] = min(before * 10 + Int(byte) - 0x30, 0xFF_FFFF)
        hasNumbers = true
      case 0x3A where intermediates.isEmpty:
        group.append(nil)
        hasNumbers = true
      case 0x3B where intermediates.isEmpty:
        groups.append(group)
        group = [nil]
        hasNumbers = true
      case 0x20...0x2F: intermediates.append(byte)
      default: return nil
      }
    }
    if hasNumbers { groups.append(group) }
  }

  /// A number, or what stands for a missing one.
  func number(_ group: Int, part: Int = 0, default missing: Int = 1) -> Int {
    optional(group, part: part) ?? missing
  }

  func optional(_ group: Int, part: Int = 0) -> Int? {
    guard group < groups.count, part < groups[group].count else { return nil }
    return groups[group][part]
  }

  var numbers: [Int] { groups.map { ($0.first ?? nil) ?? 0 } }
}

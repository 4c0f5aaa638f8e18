/// The facts of one code point that decide cells and cluster edges, in one byte.
@frozen @usableFromInline struct ScalarProperties: Hashable, Sendable {
  /// Bits 0 and 1: columns (3 means one column, two with VS16); bits 2 to 6: the break class.
  @usableFromInline let rawValue: UInt8

  @inlinable init(rawValue: UInt8) { self.rawValue = rawValue }

  @inlinable init(_ breakClass: GraphemeBreakClass, widthCode: UInt8) {
    rawValue = breakClass.rawValue &<< 2 | widthCode
  }

  /// Columns of the code point alone: 0, 1 or 2.
  @inlinable var columns: Int {
    let code = Int(rawValue & 3)
    return code == 3 ? 1 : code
  }

  /// Whether VS16 right after it makes it two columns wide.
  @inlinable var widensWithVS16: Bool { rawValue & 3 == 3 }

  /// Whether VS15 right after it makes it one column wide.
  @inlinable var narrowsWithVS15: Bool {
    rawValue == GraphemeBreakClass.pictographWithTextForm.rawValue &<< 2 | 2
  }

  /// The class for the boundary rules.
  ///
  /// The generator writes only classes that exist, so the fallback is never taken.
  @inlinable var breakClass: GraphemeBreakClass {
    GraphemeBreakClass(rawValue: rawValue &>> 2) ?? .other
  }

  /// Looks a code point up; values above U+10FFFF are like an unassigned one.
  @inlinable static func of(_ scalar: UInt32) -> ScalarProperties {
    if scalar < 0x20000 {
      let index = Int(scalar)
      let block = unsafe Int(ScalarTable.blocks.utf8Start[index &>> 8] ^ 0x40)
      let entry = unsafe ScalarTable.entries.utf8Start[block &<< 8 | (index & 0xFF)]
      return ScalarProperties(rawValue: entry ^ 0x40)
    }
    return aboveTable(scalar)
  }

  /// Planes 2 and up: ideographs, plane 14, and what is not assigned.
  @usableFromInline static func aboveTable(_ scalar: UInt32) -> ScalarProperties {
    if scalar & 0xFFFE == 0xFFFE { return ScalarProperties(.other, widthCode: 1) }
    if scalar < 0x40000 { return ScalarProperties(.other, widthCode: 2) }
    if scalar &- 0xE0000 < 0x1000 { return ofSpecialPurpose(scalar) }
    return ScalarProperties(.other, widthCode: 1)
  }

  /// Plane 14: tags and variation selectors extend, the rest is invisible.
  private static func ofSpecialPurpose(_ scalar: UInt32) -> ScalarProperties {
    let extends = scalar &- 0xE0020 < 0x60 || scalar &- 0xE0100 < 0xF0
    return ScalarProperties(extends ? .conjunctExtend : .control, widthCode: 0)
  }
}

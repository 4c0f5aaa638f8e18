extension CharacterWidth {
  /// Returns the columns, 1 or 2, of a code point that is a cluster of its own among its like, else 0.
  ///
  /// Letters, ideographs, syllables, signs and emoji without a part in the cluster rules but this: they start a
  /// cluster unless `joinsStandalone` is true of the code point before them. A caller may so write a run of
  /// them without asking for cluster edges. Control codes and invalid values give 0.
  @inlinable @inline(__always) public static func standaloneColumns(of scalar: UInt32) -> Int {
    guard scalar < 0x20000 else { return 0 }
    let properties = ScalarProperties.of(scalar)
    guard standaloneClasses &>> UInt32(properties.rawValue &>> 2) & 1 != 0 else { return 0 }
    return properties.columns
  }

  /// Returns whether a code point can take a standalone one after it into its cluster.
  @inlinable @inline(__always) public static func joinsStandalone(_ scalar: UInt32) -> Bool {
    if scalar < 0x300 { return false }
    let properties = ScalarProperties.of(scalar)
    return joiningClasses &>> UInt32(properties.rawValue &>> 2) & 1 != 0
  }

  /// One bit for each class that neither extends what is before it nor needs to know more of it.
  @inlinable static var standaloneClasses: UInt32 {
    bit(.other) | bit(.pictograph) | bit(.pictographWithTextForm) | bit(.hangulLV) | bit(.hangulLVT)
  }

  /// One bit for each class that something standalone may join: GB9b, GB11 and GB6.
  @inlinable static var joiningClasses: UInt32 { bit(.prepend) | bit(.joiner) | bit(.hangulL) }

  @inlinable @inline(__always) static func bit(_ kind: GraphemeBreakClass) -> UInt32 {
    1 &<< UInt32(kind.rawValue)
  }
}

/// How many terminal columns one code point takes when it stands alone.
public enum CharacterWidth {
  /// The version of the Unicode data behind the widths and cluster edges, such as "18.0.0".
  public static var unicodeVersion: String { ScalarTable.unicodeVersion }

  /// Returns 0, 1 or 2.
  ///
  /// Controls, combining and invisible characters, and Hangul vowel and final jamo take 0; East Asian
  /// wide characters and pictures 2; ambiguous, private, unassigned and invalid ones 1.
  @inlinable public static func columns(of scalar: UInt32) -> Int {
    if scalar < 0x300 {
      return scalar & 0x7F >= 0x20 && scalar != 0x7F || scalar >= 0x100 ? 1 : 0
    }
    return ScalarProperties.of(scalar).columns
  }
}

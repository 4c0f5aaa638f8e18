/// The character classes that the grapheme boundary rules of UAX #29 tell apart.
///
/// The raw values are those of the generated table (Scripts/generate-unicode).
@frozen @usableFromInline enum GraphemeBreakClass: UInt8 {
  case other
  /// A consonant that a linker joins with the next one (GB9c).
  case conjunctConsonant
  case pictograph
  case regionalIndicator
  case prepend
  /// Extends, but ends the search for a conjunct (only U+200C).
  case extend
  case conjunctExtend
  case conjunctLinker
  case spacingMark
  case joiner
  case hangulL
  case hangulV
  case hangulT
  case hangulLV
  case hangulLVT
  case control
  case carriageReturn
  case lineFeed
  /// A wide pictograph that VS15 makes narrow.
  case pictographWithTextForm
  /// A linker that does not extend the cluster before it.
  case looseLinker
}

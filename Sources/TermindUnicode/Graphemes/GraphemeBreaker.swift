/// Finds the edges of extended grapheme clusters, one scalar at a time (UAX #29).
///
/// Incremental: the answers do not depend on how the text was cut into pieces.
public struct GraphemeBreaker: Sendable {
  /// What the scalars so far mean for the next edge.
  enum State: UInt8 {
    /// Nothing was read yet; the next scalar starts a cluster.
    case start
    /// After a scalar that only extending characters can follow without an edge.
    case plain
    /// After CR.
    case carriageReturn
    /// After LF or another control; an edge follows in every case.
    case control
    /// After a prepended mark; only a control makes an edge.
    case prepend
    /// After an unpaired regional indicator.
    case regionalIndicator
    /// After Hangul L.
    case hangulL
    /// After Hangul V or LV.
    case hangulV
    /// After Hangul T or LVT.
    case hangulT
    /// After a pictograph and marks that extend it.
    case pictograph
    /// After a pictograph, its marks and a joiner.
    case joinedPictograph
  }

  private var state = State.start

  /// Whether a conjunct linker and marks came last, so that a conjunct consonant joins (GB9c).
  private var isLinked = false

  /// Creates a breaker at the start of a text.
  public init() {}

  /// Forgets the text so far; the next scalar starts a cluster.
  public mutating func reset() { self = GraphemeBreaker() }

  /// Reads the next scalar and tells whether a cluster starts with it.
  public mutating func isBoundary(before scalar: UInt32) -> Bool {
    if scalar < 0x300, scalar >= 0x20, scalar &- 0x7F > 0x30 {
      // Printable ASCII, Latin-1 letters and Latin Extended belong to no class.
      let previous = state
      state = .plain
      isLinked = false
      return previous != .prepend
    }
    return isBoundary(beforeClass: ScalarProperties.of(scalar).breakClass)
  }

  /// Reads the next scalar, known by its class.
  mutating func isBoundary(beforeClass next: GraphemeBreakClass) -> Bool {
    let previous = state
    let wasLinked = isLinked
    state = previous.following(next)
    isLinked = next.isLinker || wasLinked && next.keepsLink
    switch next {
    case .other, .looseLinker: return previous != .prepend
    case .control, .carriageReturn: return true
    case .lineFeed: return previous != .carriageReturn
    case .extend, .conjunctExtend, .conjunctLinker, .spacingMark, .joiner:
      return previous.isHard
    case .conjunctConsonant: return previous != .prepend && !wasLinked
    case .pictograph, .pictographWithTextForm:
      return previous != .prepend && previous != .joinedPictograph
    case .regionalIndicator: return previous != .prepend && previous != .regionalIndicator
    case .prepend: return previous != .prepend
    case .hangulL, .hangulLV, .hangulLVT: return previous != .prepend && previous != .hangulL
    case .hangulV:
      return previous != .prepend && previous != .hangulL && previous != .hangulV
    case .hangulT:
      return previous != .prepend && previous != .hangulV && previous != .hangulT
    }
  }
}

extension GraphemeBreaker.State {
  /// Whether an edge follows even before extending characters.
  var isHard: Bool { self == .start || self == .carriageReturn || self == .control }

  /// The state after one more scalar.
  func following(_ next: GraphemeBreakClass) -> Self {
    switch next {
    case .other, .spacingMark: return .plain
    case .control, .lineFeed: return .control
    case .carriageReturn: return .carriageReturn
    case .prepend: return .prepend
    case .regionalIndicator: return self == .regionalIndicator ? .plain : .regionalIndicator
    case .hangulL: return .hangulL
    case .hangulV, .hangulLV: return .hangulV
    case .hangulT, .hangulLVT: return .hangulT
    case .pictograph, .pictographWithTextForm: return .pictograph
    case .conjunctConsonant, .looseLinker: return .plain
    case .extend, .conjunctExtend, .conjunctLinker:
      return self == .pictograph ? .pictograph : .plain
    case .joiner: return self == .pictograph ? .joinedPictograph : .plain
    }
  }
}

extension GraphemeBreakClass {
  /// Whether a conjunct consonant joins what comes before.
  var isLinker: Bool { self == .conjunctLinker || self == .looseLinker }

  /// Whether a linker before it still reaches the next consonant.
  var keepsLink: Bool { self == .conjunctExtend || self == .joiner }
}

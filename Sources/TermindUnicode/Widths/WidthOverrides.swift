/// Columns that differ from the built-in table for single code points.
///
/// A person sets these when their outer terminal's font disagrees with Unicode, such as U+270D drawn
/// in two columns.
public struct WidthOverrides: Hashable, Sendable {
  private var columnsByScalar: [UInt32: UInt8] = [:]

  /// No overrides.
  public init() {}

  /// Takes the columns by code point; values outside 0 to 2 are clamped.
  public init(_ columns: [UInt32: Int]) {
    for (scalar, value) in columns { self[scalar] = value }
  }

  /// Whether nothing differs from the table.
  public var isEmpty: Bool { columnsByScalar.isEmpty }

  /// The override of a code point, or nothing; a set value is clamped to 0 to 2.
  public subscript(scalar: UInt32) -> Int? {
    get { columnsByScalar.isEmpty ? nil : columnsByScalar[scalar].map(Int.init) }
    set { columnsByScalar[scalar] = newValue.map { UInt8(min(max($0, 0), 2)) } }
  }

  /// Returns the columns of a code point alone.
  public func columns(of scalar: UInt32) -> Int {
    self[scalar] ?? CharacterWidth.columns(of: scalar)
  }

  /// Returns the columns of a cluster, by the rules of `ClusterWidth` over the overridden widths.
  public func columns(of cluster: some Sequence<UInt32>) -> Int {
    guard !isEmpty else { return ClusterWidth.columns(of: cluster) }
    var measure = ClusterMeasure()
    for scalar in cluster { measure.append(scalar, overrides: self) }
    return measure.columns
  }

  /// Reads lines such as `U+270D=2` or `1F300-1F320=1`, separated by commas, spaces or line ends.
  ///
  /// - Parameter text: The overrides; empty for none.
  /// - Returns: The overrides, or the first word that is wrong.
  public static func parse(_ text: String) -> Result<WidthOverrides, InvalidWidthOverride> {
    var overrides = WidthOverrides()
    for word in text.split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
      let sides = word.split(separator: "=", omittingEmptySubsequences: false)
      let ends = (sides.first ?? "").split(separator: "-", omittingEmptySubsequences: false)
        .map(codePoint)
      guard sides.count == 2, let columns = Int(sides[1]), (0...2).contains(columns),
        ends.count <= 2, let first = ends.first ?? nil, let last = ends.last ?? nil,
        first <= last, last - first < 0x1000
      else { return .failure(InvalidWidthOverride(word: String(word))) }
      for scalar in first...last { overrides[scalar] = columns }
    }
    return .success(overrides)
  }

  private static func codePoint(_ text: Substring) -> UInt32? {
    let digits = text.hasPrefix("U+") || text.hasPrefix("u+") ? text.dropFirst(2) : text
    guard !digits.isEmpty, digits.utf8.count <= 6, digits.allSatisfy(\.isHexDigit),
      let value = UInt32(digits, radix: 16), value <= 0x10FFFF
    else { return nil }
    return value
  }
}

/// A word that is no width override.
public struct InvalidWidthOverride: Error, Hashable, Sendable {
  /// The word as it was written.
  public let word: String

  /// Names a wrong word.
  public init(word: String) { self.word = word }
}

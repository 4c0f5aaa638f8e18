/// Bandwidth as people write it: `none`, `500K`, `2M`.
public enum BandwidthText {
  /// A limit; nil inside means that there is none.
  public struct Limit: Hashable, Sendable {
    /// Bytes a second.
    public let bytesPerSecond: Int?
  }

  private static let units: [(letter: Character, factor: Int)] = [
    ("K", 1_024), ("M", 1_048_576), ("G", 1_073_741_824),
  ]

  /// Reads a limit of at least 1 K, so that something arrives at all; nil when the text is none.
  public static func read(_ text: String) -> Limit? {
    let text = text.uppercased().filter { $0 != " " }
    if text == "NONE" || text == "0" { return Limit(bytesPerSecond: nil) }
    let unit = units.first { text.last == $0.letter }
    let digits = unit == nil ? text : String(text.dropLast())
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int(digits)
    else { return nil }
    let (bytes, isTooLarge) = number.multipliedReportingOverflow(by: unit?.factor ?? 1)
    guard !isTooLarge, bytes >= 1_024 else { return nil }
    return Limit(bytesPerSecond: bytes)
  }

  /// Writes a limit so that it is read as the same one.
  public static func text(_ bytesPerSecond: Int?) -> String {
    guard let bytes = bytesPerSecond else { return "none" }
    let unit = units.last { bytes % $0.factor == 0 }
    return unit.map { "\(bytes / $0.factor)\($0.letter)" } ?? String(bytes)
  }
}

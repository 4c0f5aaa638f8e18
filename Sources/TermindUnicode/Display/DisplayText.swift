/// A text of unknown origin as the cells that show it, safe to draw on a terminal.
///
/// Each item is one grapheme cluster, or a visible stand-in for something that must not reach a
/// terminal or a reader unseen: controls become their pictures ("␛") or their number ("⟨0085⟩"),
/// direction controls and invisible characters their number ("⟨202E⟩"), bytes that are no UTF-8 their
/// value ("⟨xFF⟩"). Iterating is lazy, so a caller that clips does not pay for the rest.
public struct DisplayText: Sequence, Sendable {
  /// One cluster or stand-in.
  public struct Item: Hashable, Sendable {
    /// What to draw.
    public let text: String
    /// Columns that it takes, at least 1.
    public let columns: Int
    /// Whether this stands in for something that was not drawn.
    public let isEscape: Bool

    /// The only scalar of the text, or nothing when it has several.
    public var scalar: UInt32? {
      let scalars = text.unicodeScalars
      guard let first = scalars.first, scalars.index(after: scalars.startIndex) == scalars.endIndex
      else { return nil }
      return first.value
    }
  }

  /// Most scalars drawn as one cluster; the marks above it are only counted ("⟨+7⟩").
  public static let clusterLimit = 32

  private enum Source {
    case text(String)
    case bytes([UInt8])
  }

  private let source: Source

  /// Shows a text.
  public init(_ text: String) { source = .text(text) }

  /// Shows bytes that are probably UTF-8, such as a file name.
  public init(bytes: [UInt8]) { source = .bytes(bytes) }

  /// Returns the items one by one.
  public func makeIterator() -> DisplayTextIterator {
    switch source {
    case .text(let text): DisplayTextIterator(.text(text.unicodeScalars.makeIterator()))
    case .bytes(let bytes): DisplayTextIterator(.bytes(ByteScalars(bytes: bytes)))
    }
  }

  /// The whole text in its safe form.
  public var text: String { plainText ?? reduce(into: "") { $0 += $1.text } }

  /// The columns that the whole text takes.
  public var columns: Int { plainText?.utf8.count ?? reduce(0) { $0 + $1.columns } }

  /// The text when it is printable ASCII, as most is: safe as it stands, one column a byte.
  private var plainText: String? {
    guard case .text(let text) = source, text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else {
      return nil
    }
    return text
  }

  /// Returns the safe text in at most `limit` columns, ending in `ellipsis` when something was cut.
  ///
  /// - Parameters:
  ///   - limit: Most columns of the result; below the width of `ellipsis` the result is cut plainly.
  ///   - ellipsis: What shows the cut.
  /// - Returns: The text and the columns it takes, at most `limit`.
  public func clipped(to limit: Int, ellipsis: String = "…") -> (text: String, columns: Int) {
    if let plainText, plainText.utf8.count <= limit { return (plainText, plainText.utf8.count) }
    let mark = DisplayText(ellipsis).columns
    let room = limit - mark
    var fitting = ""
    var used = 0
    // What stands where the ellipsis would; kept only when the whole text fits.
    var held = ""
    var heldColumns = 0
    for item in self {
      guard used + heldColumns + item.columns <= limit else {
        return room >= 0 ? (fitting + ellipsis, used + mark) : (fitting + held, used + heldColumns)
      }
      if heldColumns == 0, used + item.columns <= room {
        fitting += item.text
        used += item.columns
      } else {
        held += item.text
        heldColumns += item.columns
      }
    }
    return (fitting + held, used + heldColumns)
  }
}

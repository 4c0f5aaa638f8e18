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
    case .text(let text):
      var scalars = text.unicodeScalars.makeIterator()
      return DisplayTextIterator { scalars.next().map { .scalar($0) } }
    case .bytes(let bytes):
      var decoder = ByteScalars(bytes: bytes)
      return DisplayTextIterator { decoder.next() }
    }
  }

  /// The whole text in its safe form.
  public var text: String { reduce(into: "") { $0 += $1.text } }

  /// The columns that the whole text takes.
  public var columns: Int { reduce(0) { $0 + $1.columns } }

  /// Returns the safe text in at most `limit` columns, ending in `ellipsis` when something was cut.
  ///
  /// - Parameters:
  ///   - limit: Most columns of the result; below the width of `ellipsis` the result is cut plainly.
  ///   - ellipsis: What shows the cut.
  /// - Returns: The text and the columns it takes, at most `limit`.
  public func clipped(to limit: Int, ellipsis: String = "…") -> (text: String, columns: Int) {
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

/// Walks the items of a `DisplayText`.
public struct DisplayTextIterator: IteratorProtocol {
  /// One thing read: a scalar, or a byte that is part of none.
  enum Unit {
    case scalar(Unicode.Scalar)
    case byte(UInt8)
  }

  private let read: () -> Unit?
  private var ahead: Unit?
  private var breaker = GraphemeBreaker()
  private var surplus = 0

  init(_ read: @escaping () -> Unit?) {
    self.read = read
    ahead = read()
  }

  /// Returns the next cluster or stand-in.
  public mutating func next() -> DisplayText.Item? {
    if surplus > 0 {
      defer { surplus = 0 }
      return .standIn("+\(surplus)")
    }
    guard let unit = ahead else { return nil }
    ahead = read()
    switch unit {
    case .byte(let byte):
      breaker.reset()
      return .standIn("x" + hexadecimal(UInt32(byte), digits: 2))
    case .scalar(let scalar):
      // Only the class matters: what is read here starts a cluster whatever came before.
      _ = breaker.isBoundary(before: scalar.value)
      if let standIn = DisplayText.Item.standIn(for: scalar.value) {
        breaker.reset()
        return standIn
      }
      return cluster(from: scalar)
    }
  }

  private mutating func cluster(from first: Unicode.Scalar) -> DisplayText.Item {
    var text = String(Character(first))
    var measure = ClusterMeasure(first: first.value)
    var count = 1
    while case .scalar(let scalar)? = ahead, DisplayText.Item.standIn(for: scalar.value) == nil {
      let isNew = breaker.isBoundary(before: scalar.value)
      if isNew {
        breaker.reset()
        break
      }
      ahead = read()
      count += 1
      if count <= DisplayText.clusterLimit {
        text.unicodeScalars.append(scalar)
        measure.append(scalar.value)
      } else {
        surplus += 1
      }
    }
    guard measure.columns > 0 else { return .standIn(hexadecimal(first.value, digits: 4)) }
    return DisplayText.Item(text: text, columns: measure.columns, isEscape: false)
  }
}

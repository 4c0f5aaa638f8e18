/// Walks the items of a `DisplayText`.
public struct DisplayTextIterator: IteratorProtocol {
  /// One thing read: a scalar, or a byte that is part of none.
  enum Unit {
    case scalar(Unicode.Scalar)
    case byte(UInt8)

    /// Printable ASCII, which needs no look at its class.
    var isPlain: Bool {
      guard case .scalar(let scalar) = self else { return false }
      return scalar.value >= 0x20 && scalar.value < 0x7F
    }
  }

  /// What is left to read.
  enum Input {
    case text(String.UnicodeScalarView.Iterator)
    case bytes(ByteScalars)

    mutating func next() -> Unit? {
      switch self {
      case .text(var scalars):
        let scalar = scalars.next()
        self = .text(scalars)
        return scalar.map { .scalar($0) }
      case .bytes(var bytes):
        let unit = bytes.next()
        self = .bytes(bytes)
        return unit
      }
    }
  }

  private var input: Input
  private var ahead: Unit?
  private var breaker = GraphemeBreaker()
  private var surplus = 0

  init(_ input: Input) {
    self.input = input
    ahead = self.input.next()
  }

  /// Returns the next cluster or stand-in.
  public mutating func next() -> DisplayText.Item? {
    if surplus > 0 {
      defer { surplus = 0 }
      return .standIn("+\(surplus)")
    }
    guard let unit = ahead else { return nil }
    ahead = input.next()
    switch unit {
    case .byte(let byte): return .standIn("x" + hexadecimal(UInt32(byte), digits: 2))
    case .scalar(let scalar):
      if unit.isPlain, ahead?.isPlain ?? true {
        return DisplayText.Item(text: String(Character(scalar)), columns: 1, isEscape: false)
      }
      return DisplayText.Item.standIn(for: scalar.value) ?? cluster(from: scalar)
    }
  }

  private mutating func cluster(from first: Unicode.Scalar) -> DisplayText.Item {
    breaker.reset()
    _ = breaker.isBoundary(before: first.value)
    var text = String(Character(first))
    var measure = ClusterMeasure(first: first.value)
    var count = 1
    while case .scalar(let scalar)? = ahead, DisplayText.Item.standIn(for: scalar.value) == nil,
      !breaker.isBoundary(before: scalar.value)
    {
      ahead = input.next()
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

import TermindUnicode

/// Turns the bytes of a scrollback line into characters again.
enum LineReader {
  /// One character of a line.
  struct Character {
    var scalars: [UInt32]
    var scalar: UInt32
    var width: Int
  }

  static func forEachWidth(
    _ chunk: ScrollbackChunk,
    _ line: ScrollbackLine,
    _ body: (Int) -> Void
  ) {
    forEachCharacter(chunk, line, overrides: [:]) { body($0.width) }
  }

  /// Calls `body` for each character in order; `scalars` is empty when there is only one.
  static func forEachCharacter(
    _ chunk: ScrollbackChunk,
    _ line: ScrollbackLine,
    overrides: [UInt32: Int],
    _ body: (Character) -> Void
  ) {
    forEachCharacter(chunk.content(line), line, overrides: overrides, body)
  }

  /// Calls `body` for each character of a line whose bytes are at hand.
  static func forEachCharacter(
    _ content: (text: ArraySlice<UInt8>, layout: ArraySlice<UInt8>),
    _ line: ScrollbackLine,
    overrides: [UInt32: Int],
    _ body: (Character) -> Void
  ) {
    if !line.flags.contains(.encoded) {
      for byte in content.text {
        body(Character(scalars: [], scalar: UInt32(byte), width: 1))
      }
      return
    }
    var layout = content.layout.startIndex
    var clustersLeft =
      line.flags.contains(.clustered) ? LineLayout.number(content.layout, &layout) : 0
    var number = 0
    var nextCluster = -1
    var clusterHead: UInt8 = 0
    func readCluster() {
      guard clustersLeft > 0, layout < content.layout.endIndex else {
        nextCluster = -1
        return
      }
      nextCluster = max(nextCluster, 0) + LineLayout.number(content.layout, &layout)
      clusterHead = layout < content.layout.endIndex ? content.layout[layout] : 0
      layout += 1
      clustersLeft -= 1
    }
    readCluster()
    var place = content.text.startIndex
    while place < content.text.endIndex {
      let scalar = scalar(content.text, &place)
      if number == nextCluster {
        var scalars = [scalar]
        while scalars.count < Int(clusterHead >> 1), place < content.text.endIndex {
          scalars.append(self.scalar(content.text, &place))
        }
        body(Character(scalars: scalars, scalar: scalar, width: clusterHead & 1 == 1 ? 2 : 1))
        readCluster()
      } else {
        body(Character(scalars: [], scalar: scalar, width: width(scalar, overrides)))
      }
      number += 1
    }
  }

  /// Columns of a scalar that stands alone.
  static func width(_ scalar: UInt32, _ overrides: [UInt32: Int]) -> Int {
    if !overrides.isEmpty, let width = overrides[scalar] { return min(max(width, 1), 2) }
    return max(CharacterWidth.columns(of: scalar), 1)
  }

  /// Where the style runs begin: after the clusters.
  static func runStart(_ layout: ArraySlice<UInt8>, _ line: ScrollbackLine) -> Int {
    var place = layout.startIndex
    guard line.flags.contains(.clustered) else { return place }
    for _ in 0..<LineLayout.number(layout, &place) {
      _ = LineLayout.number(layout, &place)
      place += 1
    }
    return place
  }

  /// The scalar at `place`; the bytes are UTF-8 that was written here.
  private static func scalar(_ text: ArraySlice<UInt8>, _ place: inout Int) -> UInt32 {
    let first = text[place]
    place += 1
    if first < 0x80 { return UInt32(first) }
    let more = first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3
    var value = UInt32(first) & (more == 1 ? 0x1F : more == 2 ? 0x0F : 0x07)
    for _ in 0..<more where place < text.endIndex {
      value = value << 6 | UInt32(text[place] & 0x3F)
      place += 1
    }
    return value
  }
}

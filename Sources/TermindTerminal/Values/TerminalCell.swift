/// One character cell as a reader of the screen sees it.
///
/// `styleIndex`, and the text of a cluster, are valid until the terminal is next fed, resized or asked for
/// another row.
public struct TerminalCell: Hashable, Sendable {
  /// The zero-based column of the cell's left edge.
  public let column: Int
  /// How many columns the cell takes, 1 or 2.
  public let width: Int
  /// The Unicode scalar, 0 for a blank; of a cluster, its first scalar.
  public let scalar: UInt32
  /// Whether the cell holds several scalars; `Terminal.clusterText(_:)` gives them.
  public let isCluster: Bool
  /// The cell's style, for `Terminal.style(_:)`; 0 is the plain style.
  public let styleIndex: UInt32
  /// Where the cluster's scalars are kept.
  let cluster: UInt32
}

extension TerminalCell {
  /// The cells that show this one on a line of double width.
  var doubled: [TerminalCell] {
    let start = column * 2
    if width == 1, !isCluster, (0x21...0x7E).contains(scalar) {
      return [part(start, width: 2, scalar: scalar + 0xFEE0)]
    }
    // Lines and corners go on to the right.
    let behind: UInt32 = isCluster || !Self.goesOn.contains(scalar) ? 0 : 0x2500
    return [part(start, width: width, scalar: scalar)]
      + (0..<width).map { blank(start + width + $0, scalar: behind) }
  }

  private func part(_ column: Int, width: Int, scalar: UInt32) -> TerminalCell {
    TerminalCell(
      column: column,
      width: width,
      scalar: scalar,
      isCluster: isCluster,
      styleIndex: styleIndex,
      cluster: cluster
    )
  }

  /// Light box-drawing characters with an arm to the right, as the DEC set of line drawing has them.
  private static let goesOn: Set<UInt32> = [
    0x2500, 0x250C, 0x2514, 0x251C, 0x252C, 0x2534, 0x253C,
  ]

  private func blank(_ column: Int, scalar: UInt32) -> TerminalCell {
    TerminalCell(
      column: column,
      width: 1,
      scalar: scalar,
      isCluster: false,
      styleIndex: styleIndex,
      cluster: 0
    )
  }
}

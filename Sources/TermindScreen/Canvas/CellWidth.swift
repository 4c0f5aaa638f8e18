internal import TermindUnicode

/// Columns of scalars and clusters, from the one table that the emulator measures with too.
enum CellWidth {
  static func columns(of scalar: UInt32) -> Int { CharacterWidth.columns(of: scalar) }

  static func columns(of cluster: Character) -> Int {
    ClusterWidth.columns(of: cluster.unicodeScalars.lazy.map(\.value))
  }
}

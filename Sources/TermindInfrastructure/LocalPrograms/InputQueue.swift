/// Bytes that wait to be written, in the pieces in which they came.
struct InputQueue {
  private var pieces: [[UInt8]] = []
  private var firstPiece = 0
  private var offset = 0
  /// How many bytes wait.
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// The oldest bytes that wait.
  var next: ArraySlice<UInt8>? {
    isEmpty ? nil : pieces[firstPiece][offset...]
  }

  mutating func append(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    pieces.append(bytes)
    count += bytes.count
  }

  /// Forgets the first bytes of `next`.
  mutating func drop(_ amount: Int) {
    offset += amount
    count -= amount
    guard offset >= pieces[firstPiece].count else { return }
    pieces[firstPiece] = []
    firstPiece += 1
    offset = 0
    if firstPiece == pieces.count || firstPiece > 64 {
      pieces.removeFirst(firstPiece)
      firstPiece = 0
    }
  }
}

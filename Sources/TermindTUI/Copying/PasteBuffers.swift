/// The texts that were copied, the newest first.
struct PasteBuffers {
  /// Most texts that are kept.
  static let mostTexts = 50
  /// Most bytes of all together; the newest one is always kept.
  static let mostBytes = 32 << 20

  private(set) var texts: [[UInt8]] = []

  /// Adds a text, or puts it behind the newest one.
  mutating func add(_ text: [UInt8], appends: Bool = false) {
    guard !text.isEmpty else { return }
    if appends, let newest = texts.first {
      texts[0] = newest + text
    } else {
      texts.removeAll { $0 == text }
      texts.insert(text, at: 0)
    }
    while texts.count > 1,
      texts.count > Self.mostTexts || texts.reduce(0, { $0 + $1.count }) > Self.mostBytes
    {
      texts.removeLast()
    }
  }
}

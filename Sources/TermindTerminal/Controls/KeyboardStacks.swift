/// The kitty keyboard protocol's flags: a stack for each screen.
struct KeyboardStacks {
  /// Most entries of a stack; the oldest is dropped beyond it.
  static let deepest = 16

  private var main: [Int] = []
  private var alternate: [Int] = []
  private var mainFlags = 0
  private var alternateFlags = 0

  func flags(isMain: Bool) -> Int { isMain ? mainFlags : alternateFlags }

  mutating func set(_ flags: Int, isMain: Bool) {
    if isMain { mainFlags = flags & 31 } else { alternateFlags = flags & 31 }
  }

  mutating func push(_ flags: Int, isMain: Bool) {
    if isMain {
      if main.count == Self.deepest { main.removeFirst() }
      main.append(mainFlags)
    } else {
      if alternate.count == Self.deepest { alternate.removeFirst() }
      alternate.append(alternateFlags)
    }
    set(flags, isMain: isMain)
  }

  mutating func pop(_ count: Int, isMain: Bool) {
    for _ in 0..<min(count, Self.deepest + 1) {
      let flags = (isMain ? main.popLast() : alternate.popLast()) ?? 0
      set(flags, isMain: isMain)
    }
  }
}

/// The styles that cells refer to, by number; 0 is the plain style.
///
/// The number of a simple style is the style itself (`PackedStyle.direct`), so that text in any number of 24-bit
/// colours needs no table. A remote can make any number of styles, so the table forgets those that no cell uses when it has twice as
/// many as were used the last time it did so: its size follows that of the screens.
struct StyleTable {
  private var styles: [PackedStyle] = [.plain]
  private var free: [UInt32] = []
  /// Open addressing: number + 1, 0 for an empty slot.
  private var slots: [UInt32] = [UInt32](repeating: 0, count: 64)
  /// The number that was last looked up for each top byte of a hash, 0 for none.
  private var recent = [UInt32](repeating: 0, count: 256)
  private var slotCount = 1
  private static let smallestLimit = 4_096
  /// Styles that may exist before unused ones are forgotten: twice those that were used the last time.
  private var limit = Self.smallestLimit

  init() { insert(0) }

  /// How many styles exist.
  var count: Int { styles.count - free.count }
  var isOverLimit: Bool { count > limit }

  @inline(__always)
  subscript(index: UInt32) -> PackedStyle {
    index & PackedStyle.directBit != 0 ? PackedStyle(direct: index) : listed(index)
  }

  private func listed(_ index: UInt32) -> PackedStyle {
    Int(index) < styles.count ? styles[Int(index)] : .plain
  }

  /// The number of a style, new when it is not yet known.
  mutating func intern(_ style: PackedStyle) -> UInt32 {
    if let number = style.direct { return number }
    let hashed = style.hashed
    let place = Int(hashed >> 24)
    if recent[place] != 0, styles[Int(recent[place])] == style { return recent[place] }
    let index = lookUp(style, hashed)
    recent[place] = index
    return index
  }

  private mutating func lookUp(_ style: PackedStyle, _ hashed: UInt32) -> UInt32 {
    let mask = slots.count - 1
    var slot = Int(hashed) & mask
    while true {
      let entry = slots[slot]
      if entry == 0 { break }
      if styles[Int(entry - 1)] == style { return entry - 1 }
      slot = (slot + 1) & mask
    }
    let index: UInt32
    if let reused = free.popLast() {
      index = reused
      styles[Int(index)] = style
    } else {
      index = UInt32(styles.count)
      styles.append(style)
    }
    slots[slot] = index + 1
    slotCount += 1
    if slotCount * 2 > slots.count { grow() }
    return index
  }

  /// Forgets every style whose number is not marked; the marks are those of `emptyMarks`.
  mutating func keepOnly(_ marked: [Bool]) {
    free.removeAll(keepingCapacity: true)
    recent = [UInt32](repeating: 0, count: 256)
    slotCount = 0
    for index in stride(from: styles.count - 1, through: 0, by: -1) {
      if index == 0 || marked[index] {
        slotCount += 1
      } else {
        styles[index] = .plain
        free.append(UInt32(index))
      }
    }
    limit = max(Self.smallestLimit, slotCount * 2)
    var size = 64
    while limit * 2 >= size { size *= 2 }
    slots = [UInt32](repeating: 0, count: size)
    for index in styles.indices where index == 0 || marked[index] { insert(UInt32(index)) }
  }

  /// An unset mark for every number of the table.
  func emptyMarks() -> [Bool] { [Bool](repeating: false, count: styles.count) }

  private mutating func grow() {
    let old = slots
    slots = [UInt32](repeating: 0, count: old.count * 2)
    for entry in old where entry != 0 { insert(entry - 1) }
  }

  private mutating func insert(_ index: UInt32) {
    let mask = slots.count - 1
    var slot = Int(styles[Int(index)].hashed) & mask
    while slots[slot] != 0 { slot = (slot + 1) & mask }
    slots[slot] = index + 1
  }
}

/// The styles that cells refer to, by number; 0 is the plain style.
///
/// A remote can make any number of styles, so the table forgets those that no cell uses when it grows past
/// its limit; the limit is more than twice the cells of both screens, so that always helps.
struct StyleTable {
  private var styles: [PackedStyle] = [.plain]
  private var free: [UInt32] = []
  /// Open addressing: number + 1, 0 for an empty slot.
  private var slots: [UInt32] = [UInt32](repeating: 0, count: 64)
  private var slotCount = 1
  /// Styles that may exist before unused ones are forgotten.
  var limit = 1 << 16

  init() { rebuild() }

  /// How many styles exist.
  var count: Int { styles.count - free.count }
  var isOverLimit: Bool { count > limit }

  subscript(index: UInt32) -> PackedStyle {
    Int(index) < styles.count ? styles[Int(index)] : .plain
  }

  /// The number of a style, new when it is not yet known.
  mutating func intern(_ style: PackedStyle) -> UInt32 {
    let mask = slots.count - 1
    var slot = Int(style.hashed) & mask
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

  /// Forgets every style whose number is not marked.
  mutating func keepOnly(_ marked: [Bool]) {
    free.removeAll(keepingCapacity: true)
    for index in stride(from: styles.count - 1, to: 0, by: -1) where !marked[index] {
      styles[index] = .plain
      free.append(UInt32(index))
    }
    slots = [UInt32](repeating: 0, count: 64)
    rebuild()
  }

  /// An unset mark for every number.
  func emptyMarks() -> [Bool] { [Bool](repeating: false, count: styles.count) }

  private mutating func grow() {
    slots = [UInt32](repeating: 0, count: slots.count * 2)
    rebuild()
  }

  private mutating func rebuild() {
    let unused = Set(free)
    let live = styles.count - unused.count
    var size = slots.count
    while live * 2 >= size { size *= 2 }
    slots = [UInt32](repeating: 0, count: size)
    slotCount = live
    for index in styles.indices where !unused.contains(UInt32(index)) {
      var slot = Int(styles[index].hashed) & (size - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (size - 1) }
      slots[slot] = UInt32(index) + 1
    }
  }
}

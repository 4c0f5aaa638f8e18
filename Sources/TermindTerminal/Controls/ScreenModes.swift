/// The modes that only the emulator itself looks at.
struct ScreenModes: Equatable {
  /// DECAWM.
  var autowrap = true
  /// IRM.
  var insert = false
  /// DECOM.
  var origin = false
  /// Mode 45: BS at the left edge goes to the end of the row above.
  var reverseWrap = false
  /// Mode 1045: the same, whether or not that row was wrapped.
  var extendedReverseWrap = false
  /// DECLRMM.
  var leftRightMargins = false
  /// DECTCEM.
  var cursorVisible = true
  /// Mode 40: mode 3 may change the width; kept for reports alone.
  var allowsColumnMode = false
  /// DECCOLM as last set; the width never changes.
  var columnMode = false
  /// Mode 41: a tab at the end of a full row goes to the next row first.
  var wrapsBeforeTab = false
  /// SRM; kept for reports alone.
  var localEchoOff = true
  /// KAM; kept for reports alone.
  var keyboardLocked = false
  /// DECSCLM; kept for reports alone.
  var smoothScroll = false
  /// DECPFF, DECPEX and DECNRCM, as bits; kept for reports alone, as nothing is printed here.
  private var reported: UInt64 = 0

  /// Notes a mode below 64 that does nothing but come back in reports.
  mutating func keep(_ mode: Int, _ value: Bool) {
    if value { reported |= 1 << UInt64(mode) } else { reported &= ~(1 << UInt64(mode)) }
  }

  func keeps(_ mode: Int) -> Bool { reported & (1 << UInt64(mode)) != 0 }
}

/// What DECSC saves.
struct SavedCursor: Equatable {
  var row = 0
  var column = 0
  var pendingWrap = false
  var pen = PackedStyle.plain
  var isProtecting = false
  var origin = false
  var charsets = CharacterSets()
}

/// The tab stops of a row.
struct TabStops {
  private var stops: [Bool]

  init(columns: Int) { stops = (0..<columns).map { $0 > 0 && $0 % 8 == 0 } }

  mutating func set(_ column: Int) { stops[column] = true }
  mutating func clear(_ column: Int) { stops[column] = false }
  mutating func clearAll() { stops = [Bool](repeating: false, count: stops.count) }
  mutating func reset() { self = TabStops(columns: stops.count) }

  /// Keeps the stops that are there; new columns get one every eight.
  mutating func resize(to columns: Int) {
    if columns <= stops.count {
      stops.removeLast(stops.count - columns)
    } else {
      stops += (stops.count..<columns).map { $0 > 0 && $0 % 8 == 0 }
    }
  }

  func next(after column: Int) -> Int? { stops[(column + 1)...].firstIndex(of: true) }
  func previous(before column: Int) -> Int? { stops[..<column].lastIndex(of: true) }
  var columns: [Int] { stops.indices.filter { stops[$0] } }
  mutating func replace(with columns: [Int]) {
    clearAll()
    for column in columns where stops.indices.contains(column) { stops[column] = true }
  }
}

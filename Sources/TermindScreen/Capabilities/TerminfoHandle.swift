internal import CNcurses
import Synchronization

/// One entry of the terminfo database, opened for reading.
///
/// ncurses keeps the entry that its calls read in a global, which `withEntry` guards.
@safe struct TerminfoHandle: ~Copyable {
  private let terminal: UnsafeMutablePointer<TERMINAL>

  /// Guards ncurses' current entry.
  ///
  /// It protects no Swift state, so it cannot upset the thread sanitizer.
  private static let lock = Mutex<Void>(())

  /// Runs a body while the entry of a terminal name is the one that `string`, `flag` and `number` read.
  ///
  /// - Returns: Whether there is such an entry.
  static func withEntry(name: String, _ body: () -> Void) -> Bool {
    lock.withLock { _ in
      guard let handle = TerminfoHandle(name: name) else { return false }
      handle.read(body)
      return true
    }
  }

  private init?(name: String) {
    guard let opened = unsafe tm_terminfo_open(name) else { return nil }
    unsafe terminal = opened
  }

  deinit { unsafe tm_terminfo_close(terminal) }

  private func read(_ body: () -> Void) {
    let before = unsafe tm_terminfo_select(terminal)
    body()
    unsafe _ = tm_terminfo_select(before)
  }

  /// A string of the current entry, `nil` when absent.
  static func string(_ name: String) -> [UInt8]? {
    guard let found = unsafe tm_terminfo_string(name) else { return nil }
    var bytes: [UInt8] = []
    var place = unsafe found
    while unsafe place.pointee != 0 {
      unsafe bytes.append(UInt8(bitPattern: place.pointee))
      unsafe place += 1
    }
    return bytes
  }

  /// Whether the current entry has a flag.
  static func flag(_ name: String) -> Bool { unsafe tm_terminfo_flag(name) == 1 }

  /// A number of the current entry, `nil` when absent.
  static func number(_ name: String) -> Int? {
    let found = unsafe tm_terminfo_number(name)
    return found < 0 ? nil : Int(found)
  }
}

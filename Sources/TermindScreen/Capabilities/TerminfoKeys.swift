/// The key capabilities of terminfo and the keys that they mean.
enum TerminfoKeys {
  /// Capability names with their keys; names earlier in the list win where two share the same bytes.
  static let all: [(String, KeyEvent)] = plain + functionKeys + extended

  private static let plain: [(String, KeyEvent)] = [
    ("kcuu1", KeyEvent(code: .up)), ("kcud1", KeyEvent(code: .down)),
    ("kcub1", KeyEvent(code: .left)), ("kcuf1", KeyEvent(code: .right)),
    ("khome", KeyEvent(code: .home)), ("kend", KeyEvent(code: .end)),
    ("kpp", KeyEvent(code: .pageUp)), ("knp", KeyEvent(code: .pageDown)),
    ("kich1", KeyEvent(code: .insert)), ("kdch1", KeyEvent(code: .delete)),
    ("kbs", KeyEvent(code: .backspace)), ("kcbt", KeyEvent(code: .tab, modifiers: .shift)),
    ("kent", KeyEvent(code: .keypad(.enter))), ("kb2", KeyEvent(code: .keypad(.begin))),
    ("kri", KeyEvent(code: .up, modifiers: .shift)),
    ("kind", KeyEvent(code: .down, modifiers: .shift)),
    ("kLFT", KeyEvent(code: .left, modifiers: .shift)),
    ("kRIT", KeyEvent(code: .right, modifiers: .shift)),
    ("kHOM", KeyEvent(code: .home, modifiers: .shift)),
    ("kEND", KeyEvent(code: .end, modifiers: .shift)),
    ("kPRV", KeyEvent(code: .pageUp, modifiers: .shift)),
    ("kNXT", KeyEvent(code: .pageDown, modifiers: .shift)),
    ("kIC", KeyEvent(code: .insert, modifiers: .shift)),
    ("kDC", KeyEvent(code: .delete, modifiers: .shift)),
  ]

  /// F13 to F60 are F1 to F12 with modifiers in nearly every entry.
  private static let functionKeys: [(String, KeyEvent)] = (1...60).map { number in
    let groups: [KeyModifiers] = [[], .shift, .control, [.control, .shift], .alt]
    let modifiers = groups[(number - 1) / 12]
    return ("kf\(number)", KeyEvent(code: .function((number - 1) % 12 + 1), modifiers: modifiers))
  }

  /// The names with a modifier number behind them, as in `kUP5`.
  private static let extended: [(String, KeyEvent)] = {
    let names: [(String, KeyCode)] = [
      ("kUP", .up), ("kDN", .down), ("kLFT", .left), ("kRIT", .right), ("kHOM", .home),
      ("kEND", .end), ("kPRV", .pageUp), ("kNXT", .pageDown), ("kIC", .insert), ("kDC", .delete),
    ]
    return names.flatMap { name, code in
      (2...8).map { number in
        let modifiers = KeyModifiers(rawValue: UInt8(number - 1))
        return (
          "\(name)\(number == 2 ? "" : String(number))", KeyEvent(code: code, modifiers: modifiers)
        )
      }
    }
  }()
}

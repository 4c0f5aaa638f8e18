import TermindDomain
import TermindTerminal
import TermindTestSupport
import Testing

@testable import TermindInfrastructure

/// A pseudo-terminal with an emulator behind it that answers what it is asked, as a modern terminal does.
///
/// The emulator is ours, which knows every mode that a window asks a terminal for.
final class ModernTerminal: Sendable {
  /// The terminal; what it shows reaches the emulator.
  let outer: TestTerminal
  private let emulator: Locked<Terminal>

  init(rows: Int = 24, columns: Int = 80) throws {
    let emulator = Locked(Terminal(size: TerminalSize(rows: rows, columns: columns)))
    self.emulator = emulator
    outer = try TestTerminal(rows: rows, columns: columns) { bytes in
      emulator.withLock { terminal in
        terminal.feed(bytes)
        return terminal.takeReplies()
      }
    }
  }

  /// Takes bytes as if a program had written them.
  func feed(_ text: String) { emulator.withLock { $0.feed(Array(text.utf8)) } }

  /// The modes in force.
  var modes: TermindTerminal.TerminalModes { emulator.withLock { $0.modes } }

  /// Whether the cursor is shown.
  var isCursorVisible: Bool { emulator.withLock { $0.cursor.isVisible } }

  /// What is shown.
  var rows: [String] { emulator.withLock { $0.screenText() } }

  /// What a mode report says of a mode: 1 for set, 2 for reset.
  func setting(ofMode number: Int) -> Int? {
    let reply = emulator.withLock { terminal in
      terminal.feed(Array("\u{1B}[?\(number)$p".utf8))
      return terminal.takeReplies()
    }
    let text = String(decoding: reply, as: UTF8.self)
    return text.split(separator: ";").last?.first.flatMap { Int(String($0)) }
  }

  /// Suspends until the modes are as wanted.
  func wait(_ what: String, _ isMet: (TermindTerminal.TerminalModes) -> Bool) async throws {
    try await waitUntil(what) { isMet(modes) }
  }
}

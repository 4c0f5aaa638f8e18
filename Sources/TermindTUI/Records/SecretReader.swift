import TermindDomain
import TermindInfrastructure

/// Reads secrets from a terminal without showing them, or from a descriptor.
enum SecretReader {
  /// The most bytes of one secret.
  private static let limit = 65_536

  /// Whether a person can be asked.
  static var isAtTerminal: Bool {
    // `try?`: what is no terminal has no settings.
    (try? TerminalDevice.standard(0).modes()) != nil
  }

  /// Reads every secret that a command line asks for.
  static func read(_ sources: [String: SecretSource]) throws(ControlError) -> [String: SecretBytes]
  {
    var secrets: [String: SecretBytes] = [:]
    for (field, source) in sources.sorted(by: { $0.key > $1.key }) {
      switch source {
      case .descriptor(let number): secrets[field] = try read(from: number, field)
      case .prompt: secrets[field] = try ask(field)
      }
    }
    return secrets
  }

  private static func read(from number: Int32, _ field: String) throws(ControlError) -> SecretBytes
  {
    do throws(BoundedFileError) {
      var bytes = try DescriptorText.read(number, limit: limit)
      if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
      guard !bytes.isEmpty else {
        throw BoundedFileError.unreadable(diagnostic: "there is nothing in it")
      }
      return SecretBytes(wiping: &bytes)
    } catch {
      let reason: String
      switch error {
      case .unreadable(let diagnostic): reason = diagnostic
      case .tooLarge: reason = "it is too large"
      case .absent, .notRegular: reason = "it is not open"
      }
      throw ControlError(
        .usage,
        "The \(field) cannot be read from descriptor \(number): \(reason)."
      )
    }
  }

  private static func ask(_ field: String) throws(ControlError) -> SecretBytes {
    let title = field == "unlock" ? "Passphrase of the secret store" : field.capitalizedFirst
    let first = try line("\(title): ")
    guard field != "unlock" else { return first }
    guard try line("\(title) again: ") == first else {
      throw ControlError(.invalid, "The two are not the same; nothing was saved.")
    }
    guard !first.isEmpty else { throw ControlError(.invalid, "The \(field) must not be empty.") }
    return first
  }

  /// Reads a line, which is not shown unless that is wished; the terminal is raw meanwhile, so that no signal leaves it silent.
  static func line(_ prompt: String, echoes: Bool = false) throws(ControlError) -> SecretBytes {
    do throws(TerminalDeviceError) {
      let terminal = try TerminalDevice.standard(0)
      let before = try terminal.modes()
      StandardStream.error.say(prompt)
      try terminal.set(before.raw)
      var typed = HiddenLine()
      defer {
        // `try?`: a terminal that has gone needs nothing back.
        try? terminal.set(before)
        StandardStream.error.say("\n")
      }
      while typed.state == .open {
        guard DescriptorWait.readable([terminal.descriptor])[0],
          var bytes = try terminal.read(limit: 4096)
        else { continue }
        let shown = typed.text.count
        typed.take(bytes)
        if echoes { show(typed.text, after: shown) }
        SecretBytes.wipe(&bytes)
      }
      guard typed.state == .entered else { throw TerminalDeviceError.hungUp }
      return SecretBytes(wiping: &typed.bytes)
    } catch {
      throw ControlError(
        .usage,
        error == .hungUp
          ? "Nothing was typed, and nothing was saved."
          : "A secret is asked for at a terminal only; use a descriptor."
      )
    }
  }

  /// Shows what was typed since, or takes back what was deleted.
  private static func show(_ text: String, after count: Int) {
    let back = String(repeating: "\u{8} \u{8}", count: max(count - text.count, 0))
    StandardStream.error.say(back + ControlOutput.safe(String(text.dropFirst(count))))
  }
}

/// A line that is typed without being shown.
nonisolated struct HiddenLine {
  /// Whether more is awaited.
  enum State {
    case open
    case entered
    case cancelled
  }

  var bytes: [UInt8] = []
  private(set) var state = State.open

  init() { bytes.reserveCapacity(4096) }

  /// What was typed, for a line that is shown.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Takes what was typed: Enter ends the line, Ctrl-C and Ctrl-D give up, Ctrl-U begins anew.
  mutating func take(_ typed: [UInt8]) {
    for byte in typed where state == .open {
      switch byte {
      case 0x0A, 0x0D: state = .entered
      case 0x03, 0x1A, 0x1C: state = .cancelled
      case 0x04: state = bytes.isEmpty ? .cancelled : .entered
      case 0x15: bytes.removeAll(keepingCapacity: true)
      case 0x08, 0x7F:
        // A whole character, not one of its bytes.
        while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
      default: if bytes.count < 4096 { bytes.append(byte) }
      }
    }
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

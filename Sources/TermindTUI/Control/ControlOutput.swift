import FoundationEssentials
import TermindDomain
import TermindInfrastructure
import TermindUnicode

/// Prints what the server answered: tables for people, JSON for scripts.
enum ControlOutput {
  private struct Text: Encodable { var text: String }
  private struct Done: Encodable { var ok = true }
  private struct Failure: Encodable { var error: ControlError }

  /// Prints the reply; the exit status of the command.
  static func print(_ reply: ControlReply, isJSON: Bool) -> UInt8 {
    if case .failed(let error) = reply { return fail(error) }
    do throws(ControlError) {
      try CommandOutput.write(isJSON ? json(reply) : text(reply))
      return 0
    } catch {
      return fail(error)
    }
  }

  /// Prints an error, always as JSON; the exit status that goes with it.
  static func fail(_ error: ControlError) -> UInt8 {
    StandardStream.error.say(encode(Failure(error: error)))
    return error.code.exitStatus
  }

  static func json(_ reply: ControlReply) -> String {
    switch reply {
    case .windows(let rows): encode(rows)
    case .workspaces(let rows): encode(rows)
    case .panes(let rows): encode(rows)
    case .created(let made): encode(made)
    case .text(let text): encode(Text(text: text))
    case .records(let answer): RecordOutput.json(answer.result)
    case .done: encode(Done())
    case .failed(let error): encode(Failure(error: error))
    }
  }

  static func text(_ reply: ControlReply) -> String {
    switch reply {
    case .windows(let rows):
      lines(rows) {
        [
          "\($0.id.rawValue)", $0.attached ? "attached" : "detached", "\($0.columns)x\($0.rows)",
          "\($0.workspaces.count) workspaces", $0.name,
        ]
      }
    case .workspaces(let rows):
      lines(rows) {
        [
          "\($0.id.rawValue)", "window \($0.window.rawValue)", "\($0.panes.count) panes",
          $0.active ? "active" : "-", $0.name,
        ]
      }
    case .panes(let rows):
      lines(rows) {
        [
          "\($0.id.rawValue)", "workspace \($0.workspace.rawValue)", $0.kind, $0.state.rawValue,
          "\($0.columns)x\($0.rows)", $0.focused ? "focused" : "-", $0.title,
        ]
      }
    case .created(let made): made.panes.map { "\($0.rawValue)\n" }.joined()
    case .text(let text): text
    case .records(let answer): RecordOutput.text(answer.result, isDetailed: false)
    case .done, .failed: ""
    }
  }

  /// One line a row; names that came from elsewhere cannot reach the terminal as control characters.
  private static func lines<Row>(_ rows: [Row], _ cells: (Row) -> [String]) -> String {
    rows.map { row in cells(row).map(safe).joined(separator: "\t") + "\n" }.joined()
  }

  nonisolated static func safe(_ text: String) -> String { DisplayText(text).map(\.text).joined() }

  nonisolated static func encode(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else {
      preconditionFailure("plain values always encode")
    }
    var result = ""
    for scalar in String(decoding: data, as: UTF8.self).unicodeScalars {
      if (0x7F...0x9F).contains(scalar.value) {
        result += "\\u00" + String(scalar.value, radix: 16)
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result + "\n"
  }
}

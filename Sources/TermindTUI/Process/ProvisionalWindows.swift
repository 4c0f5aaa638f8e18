import TermindDomain

/// Windows that only say that they are there, until the composition draws real ones.
final class ProvisionalWindows: ServerHandling {
  private unowned let server: ServerProcess
  private var terminals: [TTYConnection] = []

  init(_ server: ServerProcess) { self.server = server }

  func attach(_ request: AttachRequest, to terminal: TTYConnection) {
    terminal.delegate = self
    terminals.append(terminal)
    terminal.accept(leave: Array("\u{1B}[?1049l\u{1B}[?25h".utf8))
    draw(terminal)
  }

  func endServer(force: Bool) -> String? {
    server.stop(text: "[server ended]")
    return nil
  }

  func handle(_ request: ControlRequest) async -> ControlReply {
    switch request.command {
    case .windows: return .windows([])
    case .quit:
      _ = endServer(force: true)
      return .done
    default: return .failed(ControlError(.notPossible, "There are no panes yet."))
    }
  }

  private func draw(_ terminal: TTYConnection) {
    let size = terminal.size
    terminal.write(
      Array("\u{1B}[?1049h\u{1B}[H\u{1B}[2JTermind \(size.columns)x\(size.rows)\r\n".utf8)
    )
  }
}

extension ProvisionalWindows: TTYConnectionDelegate {
  func terminal(_ terminal: TTYConnection, received bytes: [UInt8]) {
    if bytes.contains(UInt8(ascii: "q")) {
      terminals.removeAll { $0 === terminal }
      terminal.close(text: "[closed]")
    } else if bytes.contains(0x1A) {
      terminal.stop()
    } else {
      terminal.write(bytes)
    }
  }

  func terminalResized(_ terminal: TTYConnection) { draw(terminal) }

  func terminalBecameWritable(_ terminal: TTYConnection) {}

  func terminalResumed(_ terminal: TTYConnection) { draw(terminal) }

  func terminalEnded(_ terminal: TTYConnection, _ end: TTYEnd) {
    terminals.removeAll { $0 === terminal }
  }
}

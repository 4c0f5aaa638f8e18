import TermindApplication
import TermindDomain
import TermindInfrastructure

/// Transfer commands: they need no window, and share the connections and the slots of those that there are.
extension WindowServer {
  func begin(_ request: TransferCommandRequest, for link: any TransferCommandClientLink)
    -> TransferCommandSession
  {
    let session = TransferCommandSession(request, link)
    let number = commands.add(session)
    session.start(services, transfers) { [weak self] in
      self?.commands.remove(number)
      self?.endWhenIdle()
    }
    return session
  }

  /// What would be lost with the server, and belongs to no window.
  var work: AppWideWork {
    var work = transfers.work
    work.commands = commands.count
    work.runs = snippetRuns
    work.edits = edits.unsavedCount
    return work
  }
}

/// The transfer commands that run.
final class RunningTransferCommands {
  private var sessions: [UInt64: TransferCommandSession] = [:]
  private var lastNumber: UInt64 = 0

  /// How many run.
  var count: Int { sessions.count }

  func add(_ session: TransferCommandSession) -> UInt64 {
    lastNumber += 1
    sessions[lastNumber] = session
    return lastNumber
  }

  func remove(_ number: UInt64) { sessions[number] = nil }

  /// Stops all of them, and waits for their ends, for a while.
  func end(within limit: Duration) async {
    let running = Array(sessions.values)
    guard !running.isEmpty else { return }
    let reason = ControlError(.lost, "The server was ended, and the copy with it.")
    for session in running { session.cancel(because: reason) }
    await BoundedWait.run(within: limit) { finish in
      Task {
        for session in running { await session.waitForEnd() }
        finish()
      }
    }
  }
}

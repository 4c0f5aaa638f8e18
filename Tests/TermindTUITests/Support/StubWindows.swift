import TermindDomain
import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindTUI

/// Plain windows that write down what happens and let a test wait for it.
@MainActor final class StubWindows: ServerHandling, TTYConnectionDelegate {
  static let enter = "<enter>"
  static let leave = "<leave>"

  weak var server: ServerProcess?
  var terminals: [TTYConnection] = []
  private(set) var events: [String] = []
  var reply = ControlReply.done
  var loss: String?
  var refusal: String?

  func note(_ event: String) { events.append(event) }

  /// Waits for an event, also one that has been.
  func wait(for event: String) async {
    do {
      try await waitUntil("'\(event)'") { events.contains(event) }
    } catch {
      Issue.record("\(error); there were \(events)")
    }
  }

  func attach(_ request: AttachRequest, to terminal: TTYConnection) {
    if let refusal { return terminal.refuse(refusal) }
    terminal.delegate = self
    terminals.append(terminal)
    terminal.accept(leave: Array(Self.leave.utf8))
    terminal.write(Array(Self.enter.utf8))
    note("attached \(request.kind) \(terminal.size.columns)x\(terminal.size.rows)")
  }

  func endServer(force: Bool) -> String? {
    note("end \(force)")
    if let loss, !force { return loss }
    server?.stop(text: "[ended]")
    return nil
  }

  func begin(_ request: TransferCommandRequest, for link: any TransferCommandClientLink)
    -> TransferCommandSession
  {
    note("transfer \(request.verb)")
    return TransferCommandSession(request, link)
  }

  func begin(_ request: SnippetCommandRequest, for link: any TransferCommandClientLink)
    -> SnippetCommandSession
  {
    note("snippet \(request.snippet)")
    return SnippetCommandSession(request, link)
  }

  func handle(_ request: ControlRequest) async -> ControlReply {
    note("control \(request)")
    if case .wait = request.command {
      // Ends early only by a cancellation.
      try? await Task.sleep(for: .seconds(3_600))
      note("control cancelled")
    }
    return reply
  }

  func terminal(_ terminal: TTYConnection, received bytes: [UInt8]) {
    note("typed \(String(decoding: bytes, as: UTF8.self))")
  }

  func terminalResized(_ terminal: TTYConnection) {
    note("resized \(terminal.size.columns)x\(terminal.size.rows)")
  }

  func terminalBecameWritable(_ terminal: TTYConnection) { note("writable") }

  func terminalResumed(_ terminal: TTYConnection) {
    terminal.write(Array(Self.enter.utf8))
    note("resumed")
  }

  func terminalEnded(_ terminal: TTYConnection, _ end: TTYEnd) { note("ended \(end)") }
}

/// A server in the process of the tests.
@MainActor struct TestServer {
  let home: TestHome
  let windows = StubWindows()
  let server: ServerProcess

  init(
    home: TestHome? = nil,
    build: BuildVersion = .current,
    greetingTime: Duration = .seconds(5),
    clientLimit: Int = 512
  ) throws {
    let home = try home ?? TestHome()
    self.home = home
    let windows = windows
    var configuration = ServerProcess.Configuration(
      paths: home.paths,
      build: build,
      greetingTime: greetingTime,
      whenStopped: { windows.note("stopped") }
    )
    configuration.clientLimit = clientLimit
    server = try ServerProcess(configuration)
    windows.server = server
    server.start(windows)
  }

  /// Starts a client on a new terminal and waits until it is attached.
  func client(_ arguments: [String] = [], rows: Int = 24, columns: Int = 80) async throws
    -> (terminal: TestTerminal, process: SpawnedProcess)
  {
    let terminal = try TestTerminal(rows: rows, columns: columns)
    let process = try terminal.start(arguments, home: home.path)
    await terminal.shows(StubWindows.enter)
    return (terminal, process)
  }
}

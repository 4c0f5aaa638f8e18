import Dispatch
import TermindApplication
import TermindDomain
import TermindPresentation
import TermindRemoteInfrastructure

/// A text that is run on several hosts without panes; a few at a time.
///
/// Nobody is asked anything meanwhile: a host whose key or password is not known fails with that reason.
final class SnippetRun {
  /// How many hosts are at work at once.
  static let mostAtOnce = 8

  /// What became of each host, in the order given.
  private(set) var columns: [RunScreen.Column]
  /// Runs when something is to be seen.
  var onChange: (() -> Void)?
  private let text: String
  private let hosts: [PaneContent]
  private unowned let services: Services
  private var next = 0
  private var tasks: [Int: Task<Void, Never>] = [:]
  /// What is being printed by those at work.
  private var outputs: [Int: RunOutput] = [:]
  private var isNoticed = false

  /// Prepares a run.
  init(_ text: String, on hosts: [PaneContent], _ services: Services) {
    self.text = text
    self.hosts = hosts
    self.services = services
    columns = hosts.map { RunScreen.Column(name: $0.hostName ?? "") }
  }

  /// Whether a host is still at work or to come.
  var isRunning: Bool { !tasks.isEmpty }

  /// Begins.
  func start() { fill() }

  /// Ends what is at work; what has not begun is left out.
  func cancel() {
    for place in next..<max(hosts.count, next) { columns[place].state = .failed("cancelled") }
    next = hosts.count
    for task in tasks.values { task.cancel() }
    onChange?()
  }

  private func fill() {
    while tasks.count < Self.mostAtOnce, next < hosts.count {
      let place = next
      next += 1
      guard case .ssh(let target) = hosts[place] else {
        columns[place].state = .failed("no route leads to it")
        continue
      }
      columns[place].state = .running
      tasks[place] = Task { [weak self] in
        await self?.run(place, target)
        self?.tasks[place] = nil
        self?.fill()
      }
    }
    onChange?()
  }

  private func run(_ place: Int, _ target: PaneContent.SSHTarget) async {
    let output = RunOutput { [weak self] in
      DispatchQueue.main.async { MainActor.assumeIsolated { self?.printed() } }
    }
    outputs[place] = output
    do throws(ConnectionFailure) {
      guard let pool = services.terminals else { throw services.storeFailure(of: target.route) }
      var request = services.shellRequest(
        size: TerminalDimensions(rows: 24, columns: 80),
        target.shell
      )
      request.command = text
      request.hasTerminal = false
      let channel = try await pool.openTerminal(
        on: target.route,
        request,
        receiver: output,
        prompts: PanePrompter(
          isInteractive: false,
          queue: PromptQueue(),
          report: { _, _ in },
          banner: { _ in }
        )
      )
      let end = await withTaskCancellationHandler {
        await output.end()
      } onCancel: {
        channel.close()
      }
      take(output, at: place)
      columns[place].state = Self.state(end)
    } catch {
      columns[place].state = .failed(
        error.cause == .cancelled ? "cancelled" : ErrorText.explain(error).state
      )
    }
    outputs[place] = nil
  }

  private static func state(_ end: TerminalChannelEnd) -> RunScreen.Column.State {
    switch end {
    case .exited(let status): .done(status: status)
    case .signalled(let name): .failed("SIG\(name)")
    case .failed(let failure): .failed(ErrorText.explain(failure).state)
    case .closed: .failed("cancelled")
    }
  }

  // MARK: Output

  /// Many pieces are taken at once.
  private func printed() {
    guard !isNoticed else { return }
    isNoticed = true
    DispatchQueue.main.async { [weak self] in
      MainActor.assumeIsolated {
        guard let self else { return }
        self.isNoticed = false
        for (place, output) in self.outputs { self.take(output, at: place) }
        self.onChange?()
      }
    }
  }

  private func take(_ output: RunOutput, at place: Int) {
    let (bytes, isCut) = output.text
    columns[place].lines = RunScreen.lines(of: bytes)
    columns[place].isCut = isCut
  }
}

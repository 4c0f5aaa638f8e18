import Dispatch
import TermindApplication
import TermindDomain
import TermindInfrastructure
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
  /// Runs once for each host, with what became of it and everything that is kept of its output.
  var onEnd: ((RunScreen.Column, [UInt8]) -> Void)?
  private let text: String
  private let hosts: [PaneContent]
  private unowned let services: Services
  private var next = 0
  private var tasks: [Int: Task<Void, Never>] = [:]
  /// What is being printed by those at work.
  private var outputs: [Int: RunOutput] = [:]
  /// The programs of those at work.
  private var channels: [Int: any TerminalChannel] = [:]
  /// Those that are to end, with what closes their channels when they do not.
  private var stopping: [Int: Task<Void, Never>] = [:]
  /// Those of them that have printed since they were looked at.
  private var printing: Set<Int> = []
  private var looking: Task<Void, Never>?
  private let shared = PrintedPlaces()

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
    let left = next..<max(hosts.count, next)
    next = hosts.count
    for place in left { end(place, .failed(Self.cancelled)) }
    for (place, task) in tasks where stopping[place] == nil { stop(place, task) }
    onChange?()
  }

  /// How long a command that was told to end may take for it.
  private static let grace = Duration.seconds(5)

  /// Tells a command to end where it listens for that; else its channel is closed.
  private func stop(_ place: Int, _ task: Task<Void, Never>) {
    guard outputs[place]?.isMarked == true, let channel = channels[place],
      channel.send(StoppableCommand.stop)
    else { return task.cancel() }
    columns[place].state = .stopping
    stopping[place] = Task {
      // Cancelled when the command has ended.
      guard (try? await Task.sleep(for: Self.grace)) != nil else { return }
      task.cancel()
    }
  }

  private func fill() {
    while tasks.count < Self.mostAtOnce, next < hosts.count {
      let place = next
      next += 1
      guard case .ssh(let target) = hosts[place] else {
        end(place, .failed("no route leads to it"))
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
    do throws(ConnectionFailure) {
      // A host whose shell is to be left alone gets the text as it is.
      let isPlain = target.shell.integration == .disabled
      var (ended, output) = try await carryOut(place, target, isPlain: isPlain)
      if !isPlain, !Task.isCancelled, !output.isMarked,
        ended == .exited(status: StoppableCommand.refusal)
      {
        (ended, output) = try await carryOut(place, target, isPlain: true)
      }
      take(output, at: place)
      end(place, Self.state(ended, wasStopped: stopping[place] != nil), output.text.bytes)
    } catch {
      let reason = error.cause == .cancelled ? Self.cancelled : ErrorText.explain(error).state
      end(place, .failed(reason))
    }
    outputs[place] = nil
    channels[place] = nil
    stopping.removeValue(forKey: place)?.cancel()
  }

  private func carryOut(
    _ place: Int,
    _ target: PaneContent.SSHTarget,
    isPlain: Bool
  ) async throws(ConnectionFailure) -> (TerminalChannelEnd, RunOutput) {
    let output = RunOutput { [weak self, shared] in
      // A host that prints without end is told of once between two looks.
      guard shared.insert(place) else { return }
      DispatchQueue.main.async { MainActor.assumeIsolated { self?.printed(place) } }
    }
    outputs[place] = output
    guard let pool = services.terminals else { throw services.storeFailure(of: target.route) }
    var request = services.shellRequest(
      size: TerminalDimensions(rows: 24, columns: 80),
      target.shell
    )
    request.command = isPlain ? text : StoppableCommand.command(text)
    request.hasTerminal = false
    let channel = try await pool.openTerminal(
      on: target.route,
      request,
      receiver: output,
      prompts: PanePrompter()
    )
    channels[place] = channel
    let end = await withTaskCancellationHandler {
      await output.end()
    } onCancel: {
      channel.close()
    }
    return (end, output)
  }

  private func end(_ place: Int, _ state: RunScreen.Column.State, _ output: [UInt8] = []) {
    columns[place].state = state
    onEnd?(columns[place], output)
  }

  private static let cancelled = "cancelled"
  /// A command without a terminal whose channel is closed may go on.
  static let givenUp = RunScreen.Column.State.failed("given up; it may go on there")

  private static func state(
    _ end: TerminalChannelEnd,
    wasStopped: Bool
  ) -> RunScreen.Column.State {
    switch end {
    case .exited(let status) where !wasStopped || status == 0: .done(status: status)
    case .exited: .failed(cancelled)
    case .signalled(let name): .failed(wasStopped ? cancelled : "SIG\(name)")
    case .failed(let failure): .failed(ErrorText.explain(failure).state)
    case .closed: givenUp
    }
  }

  // MARK: Output

  /// How long output is gathered before it is shown.
  private static let pause = Duration.milliseconds(100)

  /// Many pieces are taken at once, and only of those hosts that have printed.
  private func printed(_ place: Int) {
    printing.insert(place)
    guard looking == nil else { return }
    looking = Task { [weak self] in
      // Never cancelled; without the run there is nothing to show.
      guard (try? await Task.sleep(for: Self.pause)) != nil, let self else { return }
      looking = nil
      for place in printing {
        shared.remove(place)
        if let output = outputs[place] { take(output, at: place) }
      }
      printing = []
      onChange?()
    }
  }

  private func take(_ output: RunOutput, at place: Int) {
    let (bytes, isCut) = output.text
    columns[place].lines = RunScreen.lines(of: bytes)
    columns[place].isCut = isCut
  }
}

/// The hosts that have printed since the window looked; written by the channels' loops.
nonisolated private final class PrintedPlaces: Sendable {
  private let places = Locked<Set<Int>>([])

  /// Notes a host; false when it was noted before.
  func insert(_ place: Int) -> Bool { places.withLock { $0.insert(place).inserted } }

  func remove(_ place: Int) { _ = places.withLock { $0.remove(place) } }
}

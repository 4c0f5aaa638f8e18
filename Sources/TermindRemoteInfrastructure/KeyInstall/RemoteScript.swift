internal import TermindApplication
internal import TermindDomain
internal import TermindInfrastructure

/// Runs a script of the POSIX shell on a host, fed to the shell's input: nothing of it shows in the host's
/// list of processes.
struct RemoteScript {
  /// What a script gave.
  struct Outcome {
    /// Its output, cut at the bound.
    let output: [UInt8]
    /// What it wrote to standard error, cut at the bound.
    let errors: [UInt8]
    let end: TerminalChannelEnd
  }

  /// The script.
  let text: String
  /// The most bytes of output, and of errors, that are kept.
  var outputLimit = 65_536
  /// How long it may take.
  var timeout: Duration = .seconds(30)

  /// Runs it and waits for its end; cancelling ends it.
  ///
  /// - Parameters:
  ///   - transport: The connection; the script gets a channel of its own on it.
  ///   - clock: Measures the time.
  /// - Returns: What it gave; nil when the time was over.
  /// - Throws: Why there is no channel.
  func run(
    over transport: any SSHTransport,
    clock: any Clock<Duration> = ContinuousClock()
  ) async throws(ConnectionFailure) -> Outcome? {
    let receiver = ScriptReceiver(limit: outputLimit)
    // Each common shell knows these words, csh and fish as well.
    let channel = try await transport.openChannel(.command("exec /bin/sh"), receiver: receiver)
    channel.send(Array(text.utf8))
    channel.finishSending()
    let timeout = timeout
    let timer = Task {
      // Ended early means that the script has ended.
      guard (try? await clock.sleep(for: timeout)) != nil else { return }
      receiver.giveUp()
      channel.close()
    }
    defer { timer.cancel() }
    return await withTaskCancellationHandler {
      await receiver.outcome()
    } onCancel: {
      channel.close()
    }
  }
}

/// Collects what a script writes.
private final class ScriptReceiver: ByteChannelReceiving {
  private struct State {
    var output: [UInt8] = []
    var errors: [UInt8] = []
    var end: TerminalChannelEnd?
    var isLate = false
    var continuation: CheckedContinuation<RemoteScript.Outcome?, Never>?

    /// What is waited for, once there is anything.
    var result: RemoteScript.Outcome?? {
      if isLate { return .some(nil) }
      return end.map { RemoteScript.Outcome(output: output, errors: errors, end: $0) }
    }
  }

  private let state = Locked(State())
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  func received(_ bytes: UnsafeRawBufferPointer) {
    state.withLock { state in
      unsafe state.output.append(contentsOf: bytes.prefix(limit - state.output.count))
    }
  }

  func receivedError(_ bytes: UnsafeRawBufferPointer) {
    state.withLock { state in
      unsafe state.errors.append(contentsOf: bytes.prefix(limit - state.errors.count))
    }
  }

  func finishedReceiving() {}

  func mayContinueSending() {}

  func ended(_ end: TerminalChannelEnd) { finish { $0.end = end } }

  func giveUp() { finish { $0.isLate = true } }

  func outcome() async -> RemoteScript.Outcome? {
    await withCheckedContinuation { continuation in
      let early = state.withLock { state in
        let result = state.result
        if result == nil { state.continuation = continuation }
        return result
      }
      if let early { continuation.resume(returning: early) }
    }
  }

  private func finish(_ change: (inout State) -> Void) {
    let (waiting, result) = state.withLock { state in
      if state.result == nil { change(&state) }
      let waiting = state.continuation
      state.continuation = nil
      return (waiting, state.result ?? nil)
    }
    waiting?.resume(returning: result)
  }
}

public import TermindApplication
public import TermindDomain
internal import TermindInfrastructure

/// Becomes root on a command's channel before an SFTP server runs there: what the command asks is asked, and the bytes go on to
/// the next receiver once a word from root's side has come.
///
/// Asking happens as `sudo -S` does it: a line without an end on the standard error is a prompt, and the answer is a line of the
/// standard input.
public final class RootLogin: ByteChannelReceiving {
  /// Why there is no SFTP server of root.
  public enum Failure: Error, Hashable, Sendable {
    /// The command has ended; with what it said.
    case refused(String)
    /// It asks for something, and nobody may be asked.
    case needsPerson
    /// The person gave up, or the task was cancelled.
    case cancelled
    /// The connection went.
    case lost(ConnectionFailure)
  }

  private struct State {
    /// Whether root's side has spoken.
    var isThrough = false
    var output: [UInt8] = []
    /// What was said on the standard error since the last answer.
    var text: [UInt8] = []
    var end: TerminalChannelEnd?
    /// Counts whatever comes.
    var revision = 0
    var waiter: CheckedContinuation<Void, Never>?
  }

  /// How long a line without an end must be the last word to count as a prompt.
  private static let quietTime = Duration.milliseconds(200)
  /// How long the command may say nothing.
  private static let limit = Duration.seconds(30)
  /// How often one prompt is answered; a command that asks on has taken none of it.
  private static let mostAnswers = 3
  /// The most bytes that are kept of what it says.
  private static let most = 16_384

  /// Where systems have their SFTP server.
  private static let servers = [
    "/usr/lib/openssh/sftp-server", "/usr/libexec/openssh/sftp-server",
    "/usr/lib/ssh/sftp-server", "/usr/libexec/sftp-server", "/usr/lib/sftp-server",
    "/usr/local/libexec/sftp-server",
  ]

  private let state = Locked(State())
  private let next: any ByteChannelReceiving
  /// What root's side says first; nobody else knows it.
  private let word: [UInt8]

  /// Makes a login that passes on to a receiver.
  public init(_ next: any ByteChannelReceiving) {
    self.next = next
    word = Array("termind-\(String(UInt64.random(in: 0 ... .max), radix: 36))\n".utf8)
  }

  /// The command line for the account's shell.
  ///
  /// - Parameter prefix: What runs the rest as root (`sudo -S --`).
  /// - Returns: A line without quotes of its own but single ones, which every shell reads alike.
  public func command(_ prefix: String) -> String {
    let word = String(decoding: word.dropLast(), as: UTF8.self)
    let list = Self.servers.joined(separator: " ")
    let script =
      "for f in \(list); do if [ -x $f ]; then echo \(word); exec $f; fi; done; "
      + "echo There is no sftp-server on this machine. >&2; exit 1"
    return "\(prefix) /bin/sh -c '\(script)'"
  }

  /// Answers what the command asks until it has become root.
  ///
  /// - Parameters:
  ///   - channel: The command's channel; it is closed on failure.
  ///   - context: Where on the route it runs.
  ///   - prompts: Who is asked.
  /// - Throws: Why it has not.
  public func pass(
    _ channel: any ByteChannel,
    at context: HopContext,
    _ prompts: any ConnectionPrompting
  ) async throws(Failure) {
    do throws(Failure) {
      var answers: [String: Int] = [:]
      while !(try await isThrough()) {
        let (text, prompt) = takePrompt()
        guard prompts.isInteractive else { throw .needsPerson }
        let attempt = answers[prompt, default: 0]
        guard attempt < Self.mostAnswers else {
          throw .refused("none of \(attempt) answers was right")
        }
        let challenge = CredentialChallenge(
          context: context,
          kind: .keyboardInteractive,
          title: "Files as root",
          instruction: text,
          prompts: [CredentialPrompt(text: prompt, echoes: false)],
          attempt: attempt
        )
        guard let answer = await prompts.answer(challenge)?.first else { throw .cancelled }
        var line = answer.copyBytes() + [0x0A]
        channel.send(line)
        SecretBytes.wipe(&line)
        answers[prompt] = attempt + 1
      }
    } catch {
      channel.close()
      throw error
    }
  }

  /// Waits until root's side has spoken, or until something is asked.
  private func isThrough() async throws(Failure) -> Bool {
    while true {
      let (isThrough, end, text, revision) = state.withLock { state in
        (state.isThrough, state.end, state.text, state.revision)
      }
      if isThrough { return true }
      if Task.isCancelled { throw .cancelled }
      if let end { throw Self.failure(end, text) }
      let isPrompt = text.last.map { $0 != 0x0A } ?? false
      guard await !isQuiet(since: revision, for: isPrompt ? Self.quietTime : Self.limit) else {
        if isPrompt { return false }
        throw .refused(Self.words(text) ?? "it says nothing")
      }
    }
  }

  /// Suspends until something comes.
  ///
  /// - Returns: Whether nothing came for so long.
  private func isQuiet(since revision: Int, for time: Duration) async -> Bool {
    let timer = Task { [weak self] in
      // A cancelled sleep means that something has come.
      guard (try? await Task.sleep(for: time)) != nil else { return }
      self?.wake()
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if state.revision != revision || Task.isCancelled { return true }
          state.waiter = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      wake()
    }
    timer.cancel()
    return !Task.isCancelled && state.withLock { $0.revision == revision }
  }

  private func wake() {
    let waiter = state.withLock { state in
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }

  /// The lines that were said, and the one without an end.
  private func takePrompt() -> (text: String, prompt: String) {
    let text = state.withLock { state in
      defer { state.text = [] }
      return state.text
    }
    let start = text.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return (
      Self.words(Array(text[..<start])) ?? "", String(decoding: text[start...], as: UTF8.self)
    )
  }

  private static func words(_ bytes: [UInt8]) -> String? {
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }

  private static func failure(_ end: TerminalChannelEnd, _ text: [UInt8]) -> Failure {
    if case .failed(let failure) = end { return .lost(failure) }
    // The last line is the one that tells why.
    let words = words(text)?.split(separator: "\n").last.map { PathText.safe(Array($0.utf8)[...]) }
    switch end {
    case .exited(let status): return .refused(words ?? "it ended with status \(status)")
    case .signalled(let name): return .refused(words ?? "it was ended by \(name)")
    case .closed, .failed: return .cancelled
    }
  }

  // MARK: ByteChannelReceiving

  private func take(_ body: (inout State) -> Void) {
    let waiter = state.withLock { state in
      body(&state)
      state.revision += 1
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }

  /// Looks for root's word, and passes on what follows it.
  public func received(_ bytes: UnsafeRawBufferPointer) {
    if state.withLock({ $0.isThrough }) {
      unsafe next.received(bytes)
      return
    }
    var rest: [UInt8] = []
    let new = unsafe Array(bytes)
    take { state in
      state.output += new
      guard let range = state.output.firstRange(of: word) else {
        // What a profile prints before is nobody's; only its end may be the beginning of the word.
        if state.output.count > Self.most {
          state.output.removeFirst(state.output.count - word.count)
        }
        return
      }
      rest = Array(state.output[range.upperBound...])
      state.output = []
      state.isThrough = true
    }
    if !rest.isEmpty { unsafe rest.withUnsafeBytes { unsafe next.received($0) } }
  }

  /// Keeps what may be a prompt, and passes on what comes later.
  public func receivedError(_ bytes: UnsafeRawBufferPointer) {
    if state.withLock({ $0.isThrough }) {
      unsafe next.receivedError(bytes)
      return
    }
    let new = unsafe Array(bytes.prefix(Self.most))
    take { state in
      state.text += new
      if state.text.count > Self.most { state.text.removeFirst(state.text.count - Self.most) }
    }
  }

  /// Passes on that nothing more comes.
  public func finishedReceiving() {
    if state.withLock({ $0.isThrough }) { next.finishedReceiving() }
  }

  /// Passes on that there is room again.
  public func mayContinueSending() {
    if state.withLock({ $0.isThrough }) { next.mayContinueSending() }
  }

  /// Notes the end, or passes it on.
  public func ended(_ end: TerminalChannelEnd) {
    if state.withLock({ $0.isThrough }) { return next.ended(end) }
    take { $0.end = end }
  }
}

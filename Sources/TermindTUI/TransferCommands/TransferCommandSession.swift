import FoundationEssentials
import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindPresentation
import TermindRemoteInfrastructure

/// Where a transfer command's words go.
@MainActor public protocol TransferCommandClientLink: AnyObject {
  /// Whether the client has taken most of what it was told.
  var takesMore: Bool { get }
  /// Tells the client something.
  func tell(_ message: [UInt8])
  /// Tells the client the last thing.
  func finish(_ message: [UInt8])
}

/// A transfer command that runs in the server: its work, its questions, and what its client is told.
public final class TransferCommandSession {
  private let request: TransferCommandRequest
  private weak var link: (any TransferCommandClientLink)?
  private let queue = PromptQueue()
  private let tally: Locked<TransferCommandTally>
  /// What the windows show of it.
  private let shown = Locked<[TransferCommandBatch]>([])
  private var asked: Int?
  private var reasonForEnd: ControlError?
  private var told = TransferCommandLine(.progress)
  private var task: Task<Void, Never>?

  /// The pause between two looks at the progress.
  private static let interval = Duration.milliseconds(100)
  /// How often a lost connection is tried again; nobody may be there to end it.
  private static let retries = 6

  /// Makes a session for a client.
  public init(_ request: TransferCommandRequest, _ link: any TransferCommandClientLink) {
    self.request = request
    self.link = link
    tally = Locked(TransferCommandTally(request))
    queue.onChange = { [weak self] in self?.questionsChanged() }
  }

  /// Starts the work.
  ///
  /// - Parameters:
  ///   - services: Where connections come from.
  ///   - transfers: Where it is shown, and whose slots and bandwidth it shares.
  ///   - whenOver: Runs once the client was told the end.
  func start(_ services: Services, _ transfers: FileTransfers, whenOver: @escaping () -> Void) {
    let recovery = ConnectionRecovery(limit: Self.retries) { [tally, shown] report in
      // An attempt was announced before it begins.
      if !report.isUnderWay {
        tally.withLock { $0.note("\(ErrorText.sentence(report.error)) It is tried again.") }
      }
      for batch in shown.withLock({ $0 }) { batch.wait(for: report.error, retryAt: report.retryAt) }
    }
    let job = TransferCommandJob(
      request: request,
      tally: tally,
      scheduler: transfers.scheduler,
      show: showing(transfers, recovery, services),
      open: opener(services),
      reopen: reopener(services),
      recovery: recovery,
      bandwidth: transfers.bandwidth
    )
    let look = Task { [weak self] in
      // Cancelled at the end of the work.
      while (try? await Task.sleep(for: Self.interval)) != nil { self?.tell() }
    }
    task = Task {
      var failure: ControlError?
      do throws(ControlError) { try await job.run() } catch { failure = error }
      look.cancel()
      for batch in shown.withLock({ $0 }) {
        batch.end(isCancelled: Task.isCancelled)
        transfers.end(batch)
      }
      end(failure)
      whenOver()
    }
  }

  /// Shows what is copied among the transfers of the windows, and lets them steer it.
  private func showing(
    _ transfers: FileTransfers,
    _ recovery: ConnectionRecovery,
    _ services: Services
  ) -> TransferCommandJob.Showing {
    let directory = request.directory
    return { [weak self, tally, shown] names, source, target, work in
      let ends = Self.ends(source.host, target.host, services.routeBuilder(directory: directory))
      let batch = transfers.show(between: ends) {
        self?.cancel(because: ControlError(.failed, "The copy was cancelled in a window."))
      } _: { number in
        TransferCommandBatch(
          TransferBatch(number: number, names: names, source: source.end, target: target.end),
          work,
          recovery
        ) { text in tally.withLock { $0.note(text) } }
      }
      shown.withLock { $0.append(batch) }
      return batch
    }
  }

  /// Whose files both ends are; nil where the words do not name a host any more.
  private static func ends(
    _ source: String?,
    _ target: String?,
    _ routes: RouteBuilder
  ) -> FileTransfers.Ends? {
    do throws(ControlError) {
      func files(_ host: String?) throws(ControlError) -> PaneContent.FilesTarget {
        guard let host else { return PaneContent.FilesTarget(host: nil, directory: nil) }
        return PaneContent.FilesTarget(host: try Self.target(host, routes), directory: nil)
      }
      return FileTransfers.Ends(source: try files(source), target: try files(target))
    } catch { return nil }
  }

  /// Stops the work; what is under way is removed, and the end is told.
  ///
  /// - Parameter reason: Why, unless the client asked for it.
  public func cancel(because reason: ControlError? = nil) {
    if reasonForEnd == nil { reasonForEnd = reason }
    task?.cancel()
    queue.refuseAll()
  }

  /// Suspends until the work is over.
  func waitForEnd() async { await task?.value }

  // MARK: Telling

  private func tell() {
    guard let link, link.takesMore else { return }
    let (waiting, progress) = tally.withLock { ($0.takeLines(), $0.progress) }
    var lines = waiting
    if progress != told, !request.isDryRun {
      told = progress
      lines.append(progress)
    }
    if !lines.isEmpty { send(.lines(lines), to: link) }
  }

  private func end(_ failure: ControlError?) {
    guard let link else { return }
    let isCancelled = task?.isCancelled == true
    let (lines, line) = tally.withLock { ($0.takeLines(), $0.end(isCancelled: isCancelled)) }
    if !lines.isEmpty { send(.lines(lines), to: link) }
    link.finish(
      MessageJSON.encoded(TransferCommandMessage.end(line, isCancelled ? reasonForEnd : failure))
    )
  }

  private func send(_ message: TransferCommandMessage, to link: any TransferCommandClientLink) {
    link.tell(MessageJSON.encoded(message))
  }

  private func note(_ text: String) { tally.withLock { $0.note(text) } }

  // MARK: Questions

  /// Takes the answers to a question; nil gives up.
  func answer(_ number: UInt32, _ answers: [SecretBytes]?) {
    guard let current = queue.current, UInt32(clamping: current.number) == number else { return }
    switch current.question {
    case .credentials: queue.answer(current.number, with: .credentials(answers))
    case .hostKey(let question):
      let word = answers?.first.map { String(decoding: $0.copyBytes(), as: UTF8.self) } ?? ""
      let decision = TransferCommandQuestion.decision(word.lowercased(), about: question)
      queue.answer(current.number, with: .hostKey(decision))
    // A copy starts no shell, so that no snippet is sent.
    case .places: queue.answer(current.number, with: .places(nil))
    }
  }

  private func questionsChanged() {
    guard let current = queue.current, current.number != asked, let link else { return }
    asked = current.number
    let number = UInt32(clamping: current.number)
    // What was said before is read before it is asked.
    tell()
    send(.question(TransferCommandQuestion(number, current.question)), to: link)
  }

  // MARK: Opening

  /// Asks at the terminal of the command; a silent one asks nobody.
  private func prompts(silent: Bool = false) -> PanePrompter {
    PanePrompter(
      isInteractive: request.mayAsk && !silent,
      queue: queue,
      report: { _, _ in },
      banner: { [weak self] text in if !silent { self?.note(text) } }
    )
  }

  /// Tries to come back without a question first; where only a person can help, one at the terminal is asked.
  private func reopener(_ services: Services) -> TransferCommandJob.Reopener {
    let (silent, asking) = (prompts(silent: true), prompts())
    let directory = request.directory
    return { host async throws(TransferOpenFailure) -> any RemoteFileSystem in
      guard let host else { return LocalFileSystem(home: RemotePath(services.home) ?? .root) }
      let target: PaneContent.SSHTarget
      do throws(ControlError) {
        target = try Self.target(host, services.routeBuilder(directory: directory))
      } catch { throw TransferOpenFailure(FileError(.failed, text: error.message)) }
      do throws(PaneFailure) {
        do throws(PaneFailure) {
          return try await services.openFiles(target, silent)
        } catch {
          guard asking.isInteractive, case .connection(let failure) = error,
            case .interactionRequired = failure.cause
          else { throw error }
          return try await services.openFiles(target, asking)
        }
      } catch { throw TransferOpenFailure(error) }
    }
  }

  private func opener(_ services: Services) -> TransferCommandJob.Opener {
    let prompts = prompts()
    let directory = request.directory
    return { host async throws(ControlError) -> any RemoteFileSystem in
      guard let host else { return LocalFileSystem(home: RemotePath(services.home) ?? .root) }
      await services.storeSettled()
      let target = try Self.target(host, services.routeBuilder(directory: directory))
      do throws(PaneFailure) {
        let files = try await services.openFiles(target, prompts)
        services.recordConnection(to: target)
        return files
      } catch {
        throw ControlError(error, host: host)
      }
    }
  }

  private static func target(
    _ host: String,
    _ routes: RouteBuilder
  ) throws(ControlError) -> PaneContent.SSHTarget {
    switch HostTarget.parse(host, routes) {
    case .found(.ssh(let target)): return target
    case .found(.noRoute(let host)):
      throw ControlError(.notPossible, "\(host.name): \(ErrorText.explain(host.error).detail)")
    case .found:
      throw ControlError(.notPossible, "\(host): files need SSH, which this host does not have.")
    case .failure(let reason): throw ControlError(.notFound, "\(host): \(reason.detail)")
    }
  }
}

extension TransferOpenFailure {
  /// Why the files of a host cannot be reached again.
  fileprivate init(_ failure: PaneFailure) {
    let detail = ErrorText.explain(failure).detail
    guard case .connection(let connection) = failure else {
      self.init(FileError(.failed, text: detail))
      return
    }
    self.init(FileError(.connectionLost(detail)), connection.cause)
  }
}

extension ControlError {
  /// Why the files of a host cannot be reached, and what to do.
  fileprivate init(_ failure: PaneFailure, host: String) {
    let detail = ErrorText.explain(failure).detail
    guard case .connection(let connection) = failure else {
      self.init(.unreachable, "\(host): \(detail)")
      return
    }
    switch connection.cause {
    case .interactionRequired(let what):
      self.init(
        .needsPerson,
        "\(host) asks for something that only you can answer (\(ControlOutput.safe(what))): run the command"
          + " at a terminal, or connect in a window first."
      )
    case .hostKeyRejected:
      self.init(.unreachable, "\(host): its host key is not trusted.")
    default: self.init(.unreachable, "\(host): \(detail)")
    }
  }
}

extension TransferCommandQuestion {
  /// A question in the words of the forms that windows show.
  @MainActor init(_ number: UInt32, _ question: PromptQueue.Question) {
    switch question {
    case .hostKey(let question):
      let sheet = HostKeySheet(question)
      self.init(
        number: number,
        lines: [sheet.title] + sheet.plainLines(width: 78),
        prompts: [
          Prompt(
            text: sheet.isAboutChange
              ? "Type \(HostKeySheet.replaceWord) to trust the new key: "
              : "Trust it? [y: and remember it, once: only this time, N: no] ",
            echoes: true
          )
        ]
      )
    case .credentials(let challenge):
      let form = CredentialSheet(challenge).form
      self.init(
        number: number,
        lines: [form.title] + form.lines + (form.problem.isEmpty ? [] : [form.problem]),
        prompts: zip(form.rows, challenge.prompts).map { row, prompt in
          let label = row.label.hasSuffix(" ") ? row.label : row.label + " "
          return Prompt(text: label, echoes: prompt.echoes)
        }
      )
    case .places: self.init(number: number, lines: [], prompts: [])
    }
  }

  /// What a typed word decides about a host key.
  @MainActor static func decision(_ word: String, about question: HostKeyQuestion)
    -> HostKeyDecision
  {
    if case .changed = question.doubt {
      return word == HostKeySheet.replaceWord ? .trust : .reject
    }
    switch word {
    case "y", "yes": return .trust
    case "once": return .trustOnce
    default: return .reject
    }
  }
}

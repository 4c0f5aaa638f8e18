internal import TermindApplication
internal import TermindDomain

/// One SFTP conversation over one channel: numbers requests, sends them, and gives each answer to who asked.
///
/// Lives on the channel's loop. Many requests are in flight at once; answers come in any order. An answer that nobody
/// waits for any more is dropped, with its handle closed; an answer to nothing ends the conversation.
actor SFTPConnection {
  /// What is true of the conversation.
  enum Phase {
    /// Nothing was sent yet; `start` leaves it.
    case idle
    /// Our version was sent; the server's, or anything else that it sends, leaves it.
    case starting(CheckedContinuation<Result<SFTPVersion, FileError>, Never>)
    /// Something that is not SFTP came first, and more of it may; a short time or its end leaves it.
    case text([UInt8], CheckedContinuation<Result<SFTPVersion, FileError>, Never>)
    /// Requests are answered; the end of the channel, or a broken answer, leaves it.
    case up
    /// It is over, for that reason.
    case over(FileError)
  }

  /// Who waits for an answer.
  enum Waiter {
    case group(SFTPRequestGroup, index: Int, opensHandle: Bool)
    case read(SFTPReadStream, offset: UInt64, count: Int, sent: ContinuousClock.Instant)
    case write(SFTPWriteStream, count: Int, sent: ContinuousClock.Instant)
    case listing(SFTPListingRun)
    case limits
    /// Nobody any more.
    case nobody(opensHandle: Bool)
  }

  /// Most requests that the server has not answered.
  static let unansweredLimit = 512

  nonisolated let channel: any ByteChannel
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe channel.executor.asUnownedSerialExecutor()
  }

  private(set) var phase = Phase.idle
  /// What the server takes at once.
  private(set) var limits = SFTPLimits()
  private var errorText: [UInt8] = []
  private var lastNumber: UInt32 = 0
  private var waiting: [UInt32: Waiter] = [:]
  private var outbox = Fifo<[UInt8]>()
  private var deadline: Task<Void, Never>?
  /// Notices that nothing is answered; there while anything waits.
  var silence = SFTPSilence()
  var readers: [UInt64: SFTPReadStream] = [:]
  var writers: [UInt64: SFTPWriteStream] = [:]
  var listings: [UInt64: SFTPListingRun] = [:]
  var handles = SFTPHandleCount()
  /// How much is under way of all readers, and of all writers.
  private(set) var reading = SFTPFlow(most: SFTPReadStream.mostHeld)
  private(set) var writing = SFTPFlow(most: SFTPWriteStream.mostUnanswered)
  private var endWaiters: [CheckedContinuation<FileError, Never>] = []

  init(_ channel: any ByteChannel) { self.channel = channel }

  /// Why nothing can be asked any more.
  var failure: FileError? {
    if case .over(let error) = phase { return error }
    return nil
  }

  // MARK: The beginning

  /// Exchanges versions.
  ///
  /// - Parameters:
  ///   - link: The channel's receiver.
  ///   - limit: How long the server may take.
  /// - Returns: What the server announces.
  /// - Throws: Why there is no SFTP.
  func start(_ link: SFTPLink, within limit: Duration) async throws(FileError) -> SFTPVersion {
    let early = link.attach(self)
    var hello = SFTPEncoder(.initialize, number: nil)
    hello.add(UInt32(3))
    let message = hello.finished()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        phase = .starting(continuation)
        deadline = Task { [weak self] in
          // Cancelled once the server has answered, and then nothing is to be done.
          guard (try? await Task.sleep(for: limit)) != nil else { return }
          await self?.fail(FileError(.noFileAccess("the server did not start SFTP")))
        }
        channel.send(message)
        for input in early.inputs { received(input) }
        receivedError(early.errorBytes)
        if early.isFinished { finishedReceiving() }
        if let end = early.end { ended(end) }
        if Task.isCancelled { fail(FileError(.cancelled)) }
      }
    } onCancel: {
      Task { await self.cancelStart() }
    }
    deadline?.cancel()
    let version = try result.get()
    if version.has(SFTPExtension.limits) {
      post(.extended(SFTPExtension.limits) { _ in }, .limits)
    }
    return version
  }

  private func cancelStart() {
    switch phase {
    case .starting, .text: fail(FileError(.cancelled))
    case .idle, .up, .over: return
    }
  }

  // MARK: Asking

  /// Sends requests one behind the other and waits for all the answers.
  ///
  /// Cancelling ends the wait at once; the answers are dropped when they come.
  func ask(_ requests: [SFTPRequest]) async -> [Result<SFTPReply, FileError>] {
    if let failure { return requests.map { _ in .failure(failure) } }
    guard !Task.isCancelled else {
      for request in requests {
        if request.isCleanup { post(request, .nobody(opensHandle: false)) }
        // It is not sent, so that it opens nothing.
        if request.opensHandle { handles.give() }
      }
      return requests.map { _ in .failure(FileError(.cancelled)) }
    }
    let group = SFTPRequestGroup(count: requests.count)
    let first = lastNumber
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        group.continuation = continuation
        for (index, request) in requests.enumerated() {
          post(request, .group(group, index: index, opensHandle: request.opensHandle))
        }
      }
    } onCancel: {
      Task { await self.giveUp(after: first, count: UInt32(requests.count)) }
    }
  }

  /// Sends one request and waits for its answer.
  func ask(_ request: SFTPRequest) async throws(FileError) -> SFTPReply {
    guard let answer = await ask([request]).first else { throw FileError(.cancelled) }
    return try answer.get()
  }

  /// Sends a request, or puts it behind those that wait to be sent.
  func post(_ request: SFTPRequest, _ waiter: Waiter) {
    repeat { lastNumber &+= 1 } while waiting[lastNumber] != nil
    waiting[lastNumber] = waiter
    if request.isSlow { silence.slow.insert(lastNumber) }
    watchSilence()
    let message = request.numbered(lastNumber)
    if outbox.isEmpty, waiting.count <= Self.unansweredLimit, channel.send(message) {
      silence.signs &+= 1
      return
    }
    outbox.append(message)
  }

  /// Whether requests wait because the channel takes no more.
  var isCongested: Bool { !outbox.isEmpty }

  /// Sends what waits, as far as the channel takes it.
  func flush() {
    while let message = outbox.first, waiting.count - outbox.count < Self.unansweredLimit,
      channel.send(message)
    {
      outbox.removeFirst()
      silence.signs &+= 1
    }
    if outbox.isEmpty { for writer in writers.values { writer.wake(self) } }
  }

  private func giveUp(after first: UInt32, count: UInt32) {
    for step in 1...max(1, count) {
      let number = first &+ step
      guard case .group(let group, let index, let opensHandle) = waiting[number] else { continue }
      waiting[number] = .nobody(opensHandle: opensHandle)
      group.answer(index, .failure(FileError(.cancelled)))
    }
  }

  // MARK: What the channel brings

  func received(_ input: SFTPFrames.Input) {
    silence.signs &+= 1
    if !input.text.isEmpty { receivedText(input.text) }
    do throws(SFTPFormatError) {
      for message in input.messages where failure == nil { try take(message) }
      if let problem = input.problem { throw problem }
    } catch {
      fail(FileError(.protocolBroken(error.text)))
    }
    if !outbox.isEmpty { flush() }
  }

  /// Collects what the account's shell prints, for a short time, and tells it.
  private func receivedText(_ bytes: [UInt8]) {
    switch phase {
    case .idle, .up, .over: return
    case .text(let text, let continuation):
      phase = .text(text + bytes, continuation)
      if text.count > 1024 { failForText() }
    case .starting(let continuation):
      phase = .text(bytes, continuation)
      deadline?.cancel()
      deadline = Task { [weak self] in
        // Whether the time passed or was cut short, what came is told.
        _ = try? await Task.sleep(for: .milliseconds(200))
        await self?.failForText()
      }
    }
  }

  private func failForText() {
    guard case .text(let text, _) = phase else { return }
    fail(FileError(.startUpText(PathText.safe(text.prefix(1024)[...]))))
  }

  func receivedError(_ bytes: [UInt8]) {
    errorText = Array((errorText + bytes).suffix(1024))
  }

  func finishedReceiving() {
    if case .text = phase { return failForText() }
    guard case .up = phase else { return }
    fail(FileError(.connectionLost("the server ended SFTP")))
  }

  func ended(_ end: TerminalChannelEnd) {
    switch phase {
    case .text: failForText()
    case .idle, .starting:
      if case .failed = end { return fail(FileError(.connectionLost(Self.text(of: end)))) }
      let told = PathText.safe(errorText[...])
      fail(FileError(.noFileAccess(told.isEmpty ? Self.text(of: end) : told)))
    case .up: fail(FileError(.connectionLost(Self.text(of: end))))
    case .over: return
    }
  }

  private static func text(of end: TerminalChannelEnd) -> String {
    switch end {
    case .exited(let status): "the SFTP server exited with status \(status)"
    case .signalled(let name): "the SFTP server was ended by signal \(name)"
    case .closed: "closed"
    case .failed(let failure):
      switch failure.cause {
      case .lost(let reason), .disconnected(let reason): reason
      case .keepaliveTimedOut(let seconds): "no answer for \(seconds) seconds"
      default: "\(failure.cause)"
      }
    }
  }

  private func take(_ message: ArraySlice<UInt8>) throws(SFTPFormatError) {
    if case .starting(let continuation) = phase {
      let version = try SFTPVersion.decode(message)
      guard version.number >= 3 else {
        return fail(FileError(.noFileAccess("the server has SFTP version \(version.number) only")))
      }
      phase = .up
      return continuation.resume(returning: .success(version))
    }
    let (number, reply) = try SFTPReply.decode(message)
    guard let waiter = waiting.removeValue(forKey: number) else {
      throw SFTPFormatError(text: "an answer to a request that was never sent")
    }
    if !silence.slow.isEmpty { silence.slow.remove(number) }
    switch waiter {
    case .group(let group, let index, let opensHandle):
      noteHandle(opensHandle, reply)
      group.answer(index, .success(reply))
    case .read(let stream, let offset, let count, let sent):
      reading.answered(count, sent: sent, at: .now)
      try stream.take(reply, offset: offset, count: count, self)
    case .write(let stream, let count, let sent):
      writing.answered(count, sent: sent, at: .now)
      stream.take(reply, count: count, self)
    case .listing(let run): run.take(reply, self)
    case .limits:
      if case .extended(let bytes) = reply {
        limits = try SFTPLimits(reply: bytes)
        handles.limit = limits.openHandles ?? handles.limit
      }
    case .nobody(let opensHandle):
      noteHandle(opensHandle, reply)
      if opensHandle, case .handle(let handle) = reply { release(Array(handle)) }
    }
  }

  private func noteHandle(_ opensHandle: Bool, _ reply: SFTPReply) {
    guard opensHandle else { return }
    if case .handle = reply { return }
    handles.give()
  }

  /// Whether anything waits for an answer.
  var isWaiting: Bool { !waiting.isEmpty }

  /// Closes a handle that nobody uses any more.
  func release(_ handle: [UInt8]) {
    guard failure == nil else { return }
    post(.close(handle), .nobody(opensHandle: false))
    handles.give()
  }

  // MARK: The end

  /// Ends the conversation and everything that waits.
  func fail(_ error: FileError) {
    if case .over = phase { return }
    let before = phase
    phase = .over(error)
    deadline?.cancel()
    silence.end()
    channel.close()
    switch before {
    case .starting(let continuation), .text(_, let continuation):
      continuation.resume(returning: .failure(error))
    case .idle, .up, .over: break
    }
    let waiters = waiting.values
    waiting = [:]
    outbox = Fifo()
    for case .group(let group, let index, _) in waiters { group.answer(index, .failure(error)) }
    for reader in readers.values { reader.fail(error) }
    for writer in writers.values { writer.fail(error) }
    for listing in listings.values { listing.fail(error) }
    readers = [:]
    writers = [:]
    listings = [:]
    handles.fail(error)
    for waiter in endWaiters { waiter.resume(returning: error) }
    endWaiters = []
  }

  /// Suspends until the conversation is over, and tells why.
  func waitUntilOver() async -> FileError {
    if let failure { return failure }
    return await withCheckedContinuation { endWaiters.append($0) }
  }
}

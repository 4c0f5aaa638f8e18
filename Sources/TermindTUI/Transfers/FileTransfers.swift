import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindPresentation
import TermindRemoteInfrastructure

/// All transfers of the server; they belong to no window, and go on when the panes that asked for them are closed.
final class FileTransfers {
  /// What is needed to try a drop again, and to go on with it another day.
  struct Drop {
    let job: TransferJob
    /// Whose files both ends are.
    let source: PaneContent.FilesTarget
    let target: PaneContent.FilesTarget
  }

  /// Where a batch comes from.
  enum Origin {
    /// Files that were dropped.
    case drop(Drop)
    /// A command, which ends with its client; how it is ended before.
    case command(Ends?, stop: () -> Void)
  }

  /// Whose files both ends are.
  struct Ends {
    let source: PaneContent.FilesTarget
    let target: PaneContent.FilesTarget
  }

  /// One batch and its work.
  struct Running {
    let work: any TransferWork
    let origin: Origin
    var task: Task<Void, Never>?
    /// Whether it comes from an earlier server, and nobody has let it go on.
    var isWaiting = false

    /// The drop that it is; nil of a command.
    var drop: Drop? {
      if case .drop(let drop) = origin { return drop }
      return nil
    }

    /// Whose files its ends are; nil where a command's host is not found again.
    var ends: Ends? {
      switch origin {
      case .drop(let drop): Ends(source: drop.source, target: drop.target)
      case .command(let ends, _): ends
      }
    }

    /// Whether it belongs to a command.
    var isCommand: Bool { drop == nil }

    /// Makes the work of a drop.
    init(_ drop: Drop, isWaiting: Bool = false) {
      work = drop.job
      origin = .drop(drop)
      self.isWaiting = isWaiting
    }

    /// Makes the work of something else.
    init(work: any TransferWork, origin: Origin) {
      self.work = work
      self.origin = origin
    }
  }

  /// What is shown.
  var list = TransferList()
  /// Hears of progress.
  var onChange: (() -> Void)?
  /// Hears why one waits for a person.
  var onProblem: ((String) -> Void)?
  /// Hears of an end, with what happened and how long it took.
  var onEnd: ((TransferBatch, Duration) -> Void)?
  /// Hears of the end of what a command copied.
  var onCommandEnd: ((TransferBatch) -> Void)?
  var jobs: [Int: Running] = [:]
  private(set) var looking: Task<Void, Never>?
  /// Where those that are not over wait for the next server; nil where nothing is kept.
  let file: KeptFile<[KeptTransfer]>?
  /// What stands in it of transfers that are not over.
  var kept: [Int: [KeptTransfer]] = [:]
  /// Whether the file was read.
  var hasRead = false
  /// How much of each stands in it.
  var marks: [Int: Int] = [:]
  /// Whether the file lags behind.
  var isBehind = false
  /// Brings it up to date.
  var writing: Task<Void, Never>?
  let scheduler: TransferScheduler
  let bandwidth: BandwidthLimit
  unowned let services: Services
  var lastNumber = 0

  /// The pause between two looks at what moves, and the longer one while a countdown is all that does.
  private static let interval = Duration.milliseconds(100)
  /// How many that are over are kept until somebody clears them.
  private static let keptOver = 100

  init(_ services: Services) {
    self.services = services
    // The servers of a demonstration do not come back.
    file =
      DemoHome.isAdopted(by: services.paths) ? nil : KeptFile(path: services.paths.transfers)
    let preferences = services.looks.preferences
    scheduler = TransferScheduler(limits: preferences.transferLimits)
    bandwidth = BandwidthLimit(bytesPerSecond: preferences.transferBandwidth)
  }

  /// What is not over, for the questions before an end.
  var work: AppWideWork {
    // What waits since an earlier server waits for the next one as well.
    let open = list.open.filter { jobs[$0.number]?.isWaiting != true }
    return AppWideWork(
      // Commands are counted by themselves.
      transfers: open.count { jobs[$0.number]?.isCommand != true },
      names: open.map { "\(TransferText.title($0)) (\(TransferText.progress($0)))" }
    )
  }

  /// The first batch on its way into a directory.
  func batch(into directory: RemotePath, of place: FilePlace) -> TransferBatch? {
    list.open.first { $0.target.directory == directory && $0.target.place == place }
  }

  /// The times until lost connections are tried again.
  var retryTimes: [Int: Duration] { jobs.compactMapValues { $0.work.timeToRetry } }

  // MARK: The beginning and the end

  /// Starts to copy or move what is held into a directory.
  @discardableResult
  func start(
    _ held: HeldFiles,
    to target: PaneContent.FilesTarget,
    _ directory: RemotePath,
    _ choice: DropChoice
  ) -> Int {
    lastNumber += 1
    let entries = held.entries.filter { !choice.leftOut.contains($0.name) }
    let batch = TransferBatch(
      number: lastNumber,
      names: entries.map(\.name),
      source: TransferEnd(name: held.source.name, place: held.place, directory: held.directory),
      target: TransferEnd(name: target.name, place: target.place, directory: directory),
      isMove: choice.isMove
    )
    let plan = TransferJob.Plan(
      entries: entries,
      policy: choice.policy,
      newNames: choice.newNames,
      policies: choice.policies,
      mirror: choice.mirror
    )
    let job = job(batch, plan, from: held.source, to: target)
    jobs[batch.number] = Running(Drop(job: job, source: held.source, target: target))
    list.set(batch)
    run(batch.number) { await job.run() }
    record(batch.number)
    return batch.number
  }

  /// The work of a batch.
  func job(
    _ batch: TransferBatch,
    _ plan: TransferJob.Plan,
    from source: PaneContent.FilesTarget,
    to target: PaneContent.FilesTarget,
    resuming suspended: SuspendedTransfer? = nil
  ) -> TransferJob {
    let services = services
    return TransferJob(
      batch,
      plan,
      openSource: { () async throws(TransferOpenFailure) in
        try await services.openTransferEnd(source)
      },
      openTarget: { () async throws(TransferOpenFailure) in
        try await services.openTransferEnd(target)
      },
      scheduler: scheduler,
      bandwidth: bandwidth,
      resuming: suspended
    )
  }

  private func run(_ number: Int, _ body: @escaping () async -> Void) {
    let began = ContinuousClock.now
    jobs[number]?.task = Task { [weak self] in
      await body()
      self?.ended(number, after: began.duration(to: .now))
    }
    look()
    onChange?()
  }

  private func ended(_ number: Int, after time: Duration) {
    guard let running = jobs[number] else { return }
    jobs[number]?.task = nil
    let batch = running.work.batch
    list.set(batch)
    // What was stopped with the server is not over, nor what could not be taken up again.
    guard !batch.isOpen else {
      jobs[number]?.isWaiting = true
      if case .waiting(let error, _) = batch.state { onProblem?(ErrorText.sentence(error)) }
      onChange?()
      return
    }
    forget(number)
    finished()
    onEnd?(batch, time)
  }

  /// Something is over: the oldest that are so go.
  func finished() {
    list.forget(keeping: Self.keptOver)
    forgetCleared()
  }

  /// Looks at what moves until nothing does.
  func look() {
    guard looking == nil else { return }
    looking = Task { [weak self] in
      // Cancelled with the server.
      while (try? await Task.sleep(for: Self.interval)) != nil {
        guard let self else { return }
        for running in jobs.values where running.task != nil || running.isCommand {
          list.set(running.work.batch)
        }
        for number in jobs.keys { record(number) }
        onChange?()
        guard list.batches.contains(where: \.isMoving) else { break }
      }
      self?.looking = nil
    }
  }

  // MARK: Wishes

  private func wish(_ number: Int, _ body: @escaping (any TransferWork) async -> Void) {
    guard let work = jobs[number]?.work else { return }
    Task { [weak self] in
      await body(work)
      guard let self, jobs[number] != nil else { return }
      list.set(work.batch)
      look()
      onChange?()
    }
  }

  /// Lets a batch wait.
  func pause(_ number: Int) { wish(number) { await $0.pause() } }

  /// Lets a batch go on; one that waits for a connection tries it now.
  func resume(_ number: Int) {
    guard let drop = jobs[number]?.drop, jobs[number]?.isWaiting == true else {
      return wish(number) { await $0.resume() }
    }
    jobs[number]?.isWaiting = false
    if var batch = list.batch(number) {
      batch.resume()
      batch.state = .running
      list.set(batch)
    }
    run(number) { await drop.job.run() }
  }

  /// Lets everything wait, or everything go on when all of it waits.
  func pauseOrResumeAll() {
    let open = list.open
    let pauses = open.contains { !$0.isPaused }
    for batch in open { if pauses { pause(batch.number) } else { resume(batch.number) } }
  }

  /// Lets a file wait, or go on.
  func pause(_ file: Int, of number: Int, isOn: Bool) {
    if !isOn, jobs[number]?.isWaiting == true { return resume(number) }
    wish(number) { work in
      if isOn { await work.pause(file) } else { await work.resume(file) }
    }
  }

  /// Leaves a file out.
  func skip(_ file: Int, of number: Int) { wish(number) { await $0.skip(file) } }

  /// Lets a file that waits be the next, or the last, of its batch.
  func move(_ file: Int, of number: Int, up: Bool) {
    wish(number) { await $0.move(file, toFront: up) }
  }

  /// Moves a batch before the one above it, or behind the one below.
  func move(_ number: Int, up: Bool) {
    let changes = list.move(number, up: up)
    Task { [scheduler] in
      for change in changes {
        let source = TransferSource(rawValue: UInt64(change.number))
        await scheduler.setPriority(of: source, to: change.priority)
      }
    }
    onChange?()
  }

  /// Gives a batch up; what it left under way is removed.
  func cancel(_ number: Int) {
    guard let running = jobs[number] else { return }
    switch running.origin {
    case .command(_, let stop): stop()
    case .drop(let drop):
      guard running.isWaiting else { return running.task?.cancel() ?? () }
      jobs[number]?.isWaiting = false
      run(number) { await drop.job.giveUp() }
    }
  }

  /// Tries again what failed, or a connection that was lost.
  func retry(_ number: Int) {
    guard let batch = list.batch(number), let running = jobs[number] else { return }
    if case .waiting = batch.state { return resume(number) }
    if running.isWaiting { return resume(number) }
    guard batch.canRetry, running.task == nil, let drop = running.drop else { return }
    var begun = batch
    begun.state = .running
    list.set(begun)
    run(number) { await drop.job.retry() }
  }

  /// Forgets a batch that is over.
  func clear(_ number: Int) {
    list.clear(number)
    forgetCleared()
  }

  /// Forgets all that are over.
  func clearFinished() {
    list.clearFinished()
    forgetCleared()
  }

  private func forgetCleared() {
    for number in jobs.keys where list.batch(number) == nil { jobs[number] = nil }
    onChange?()
  }

  // MARK: Limits

  /// Takes other limits; what runs is not touched by how many may run.
  ///
  /// - Returns: Why they are not remembered.
  func setLimits(_ limits: TransferLimits, bandwidth rate: Int?) -> String? {
    let problem = services.looks.choose(limits, bandwidth: rate)
    adoptLimits()
    return problem
  }

  /// Lets the limits of the settings count from now on.
  func adoptLimits() {
    let preferences = services.looks.preferences
    Task { [scheduler, bandwidth] in
      await scheduler.setLimits(preferences.transferLimits)
      await bandwidth.setRate(preferences.transferBandwidth)
    }
    onChange?()
  }

  /// The limits, in a few words.
  var limitsText: String {
    let preferences = services.looks.preferences
    let limits = preferences.transferLimits
    let speed = preferences.transferBandwidth.map { ", \(TransferText.speed(UInt64($0)))" } ?? ""
    return "\(limits.total) files at once, \(limits.perHost) of a server\(speed)"
  }
}

/// How files are dropped: what a person decided before.
struct DropChoice {
  /// What to do with names that are taken.
  var policy = ConflictPolicy.skip
  /// Whether they are gone from their old place in the end.
  var isMove = false
  /// Entries that stay where they are.
  var leftOut: Set<FileName> = []
  /// Entries that get another name.
  var newNames: [FileName: FileName] = [:]
  /// What to do with single names that are taken.
  var policies: [FileName: ConflictPolicy] = [:]
  /// What is deleted at the target once everything is there.
  var mirror: TreeMirror?
}

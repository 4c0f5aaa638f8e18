internal import TermindDomain

/// The work of one transfer in its order, and what a person wants of it: to wait, to go on, to leave a file out.
///
/// The plan puts work in and gets only a little ahead; workers take it once they hold a slot, so that the order is decided
/// at the last moment. One transfer runs with it at a time; whether it is paused outlives a run.
public actor TransferQueue {
  /// What the plan may have found and nobody has taken yet, in packs.
  private static let limit = 64

  /// Whether nothing is begun until it is resumed.
  public private(set) var isPaused = false
  /// Files that wait for their own resume.
  private var pausedFiles: Set<Int> = []
  /// Files that are to be left out.
  private var skippedFiles: Set<Int> = []

  private var packs: [CopyPack] = []
  /// How many of the packs a worker is about to take.
  private var reserved = 0
  /// Files that a person paused, by number.
  private var aside: [Int: CopyWork] = [:]
  /// What runs, by the number of the first file of its pack.
  private var running: [Int: CopyControl] = [:]
  /// How a file that runs by itself is left out.
  private var stops: [Int: @Sendable () -> Void] = [:]
  private var waiters: [CheckedContinuation<Void, Never>] = []
  private var isClosed = false
  /// Whether what is left is given up.
  private(set) var isDropped = false
  /// Whether a connection is lost, and whoever noticed is about to bring it back.
  private var isLost = false
  private var recovery: Task<Bool, Never>?

  /// Makes an empty queue.
  public init() {}

  // MARK: Wishes

  /// Lets nothing begin, and what runs stop at the next safe place.
  public func pause() {
    isPaused = true
    for control in running.values { control.pause() }
    wake()
  }

  /// Lets everything go on, also files that were paused by themselves.
  public func resume() {
    isPaused = false
    pausedFiles = []
    putBack(aside.values.sorted { $0.item.number < $1.item.number })
    aside = [:]
    wake()
  }

  /// Lets one file wait.
  public func pause(_ number: Int) {
    pausedFiles.insert(number)
    if let control = running[number] { return control.pause() }
    if let work = remove(number) { aside[number] = work }
    wake()
  }

  /// Lets one file go on, before what is not begun.
  public func resume(_ number: Int) {
    pausedFiles.remove(number)
    if let work = aside.removeValue(forKey: number) { putBack([work]) }
    wake()
  }

  /// Leaves a file out; what was written of it is removed.
  public func skip(_ number: Int) {
    skippedFiles.insert(number)
    if let stop = stops[number] { return stop() }
    if let work = aside.removeValue(forKey: number) { putBack([work]) }
    wake()
  }

  /// Lets a file that waits be the next one, or the last.
  public func move(_ number: Int, toFront isFirst: Bool) {
    guard let work = remove(number) else { return }
    let pack = CopyPack(work: [work])
    if isFirst { packs.insert(pack, at: 0) } else { packs.append(pack) }
    wake()
  }

  private func remove(_ number: Int) -> CopyWork? {
    for place in packs.indices {
      guard let index = packs[place].work.firstIndex(where: { $0.item.number == number }) else {
        continue
      }
      let work = packs[place].work.remove(at: index)
      if packs[place].work.isEmpty { packs.remove(at: place) }
      return work
    }
    return nil
  }

  // MARK: The plan's side

  /// Makes the queue ready for another run.
  func open() {
    isClosed = false
    isDropped = false
    isLost = false
    reserved = 0
    skippedFiles = []
  }

  /// Adds work, once there is room; dropped when the queue is closed.
  func put(_ pack: CopyPack) async {
    while !isClosed, packs.count >= Self.limit { await change() }
    guard !isClosed else { return }
    packs.append(pack)
    wake()
  }

  /// Waits while it is paused.
  func waitUntilGoing() async {
    while isPaused, !isDropped { await change() }
  }

  /// Waits while it is paused, with work of the transfer that is no file; cancelling ends the wait.
  public func waitWhilePaused() async {
    await withTaskCancellationHandler {
      while isPaused, !Task.isCancelled { await change() }
    } onCancel: {
      Task { await stopWaiting() }
    }
  }

  /// Ends the queue; what is in it is still taken unless it is dropped.
  func close(dropping: Bool = false) {
    isClosed = true
    if dropping {
      isDropped = true
      recovery?.cancel()
    }
    wake()
  }

  /// Lets what runs stop at its next safe place, and then takes everything that is not done; the run ends without it.
  ///
  /// Cancelling ends the wait for what runs: that is not among what is taken.
  /// - Returns: The files, each with where it goes on.
  public func suspend() async -> [SuspendedFile] {
    pause()
    while !running.isEmpty, !isDropped, !Task.isCancelled { await change() }
    let rest = takeRest()
    close(dropping: true)
    return rest.map { SuspendedFile($0) }
  }

  /// Ends a wait in `suspend` or `waitWhilePaused`.
  public func stopWaiting() { wake() }

  /// Takes what nobody began, at the end of a run that was given up.
  func takeRest() -> [CopyWork] {
    defer {
      packs = []
      aside = [:]
    }
    return packs.flatMap(\.work) + aside.values.sorted { $0.item.number < $1.item.number }
  }

  // MARK: The workers' side

  /// Waits until there is work for one more worker.
  ///
  /// - Returns: False at the end.
  func reserve() async -> Bool {
    while !isDropped {
      if !isPaused, !isLost, packs.count > reserved {
        reserved += 1
        return true
      }
      // What others have reserved is theirs; what waits aside may come back.
      if isClosed, packs.count <= reserved, aside.isEmpty { return false }
      await change()
    }
    return false
  }

  /// Takes the oldest work for a reservation; nil when that is not to be begun any more.
  func take() -> CopyPack? {
    reserved -= 1
    guard !isPaused, !isLost, !isDropped, !packs.isEmpty else {
      wake()
      return nil
    }
    let first = packs.removeFirst()
    wake()
    return first
  }

  /// Gives a reservation back.
  func release() {
    reserved -= 1
    wake()
  }

  /// Notes what runs.
  ///
  /// - Returns: The files that a person does not want any more.
  func begin(_ pack: CopyPack, _ control: CopyControl) -> Set<Int> {
    if let first = pack.work.first { running[first.item.number] = control }
    let isAside = pack.work.count == 1 && pausedFiles.contains(pack.work[0].item.number)
    if isPaused || isAside { control.pause() }
    guard !skippedFiles.isEmpty else { return [] }
    return skippedFiles.intersection(pack.work.map(\.item.number))
  }

  /// Notes how a file that runs by itself is left out.
  func begin(_ number: Int, stop: @escaping @Sendable () -> Void) {
    stops[number] = stop
    if skippedFiles.contains(number) { stop() }
  }

  /// Notes that a pack has ended, and takes back what is not done of it.
  ///
  /// - Parameters:
  ///   - pack: The pack.
  ///   - again: What is to be tried again.
  ///   - isLost: Whether the connection was lost: nothing is begun until it is back.
  func end(_ pack: CopyPack, again: [CopyWork], isLost: Bool) {
    if isLost { self.isLost = true }
    if let first = pack.work.first {
      running[first.item.number] = nil
      stops[first.item.number] = nil
    }
    var back: [CopyWork] = []
    for work in again {
      if pausedFiles.contains(work.item.number) {
        aside[work.item.number] = work
      } else {
        back.append(work)
      }
    }
    putBack(back)
    wake()
  }

  /// Whether a file was to be left out.
  func isSkipped(_ number: Int) -> Bool { skippedFiles.contains(number) }

  /// Brings a lost connection back, once for all who miss it; nothing is begun until then.
  ///
  /// - Parameter body: Does it; false when it was given up.
  /// - Returns: Whether the connection is back.
  func recover(_ body: @escaping @Sendable () async -> Bool) async -> Bool {
    if let recovery { return await recovery.value }
    guard !isDropped else { return false }
    isLost = true
    let task = Task { await body() }
    recovery = task
    let isBack = await task.value
    recovery = nil
    isLost = false
    if !isBack { close(dropping: true) }
    wake()
    return isBack
  }

  /// Puts work before everything else; small files together.
  private func putBack(_ work: [CopyWork]) {
    var small = CopyPack(work: [])
    var result: [CopyPack] = []
    for each in work {
      if each.isSmall {
        small.work.append(each)
      } else {
        result.append(CopyPack(work: [each]))
      }
    }
    if !small.work.isEmpty { result.append(small) }
    packs.insert(contentsOf: result, at: 0)
  }

  private func change() async {
    await withCheckedContinuation { waiters.append($0) }
  }

  private func wake() {
    let woken = waiters
    waiters = []
    for waiter in woken { waiter.resume() }
  }
}

/// One file to copy, as the plan found it and an earlier attempt left it.
struct CopyWork: Sendable {
  let item: TransferItem
  /// Where an earlier attempt came to.
  var checkpoint: CopyCheckpoint?
  /// A temporary file that an earlier attempt could not remove.
  var stale: RemotePath?
  /// Whether an earlier attempt lost its connection while it gave the file its name.
  var wasNaming = false
  /// How often its connection was lost without a byte of progress.
  var losses = 0

  init(_ item: TransferItem) { self.item = item }

  /// Whether it shares a slot with others.
  var isSmall: Bool { checkpoint == nil && item.size.map { $0 <= TreeCopy.smallSize } ?? false }
}

/// Files that share a slot.
struct CopyPack: Sendable {
  var work: [CopyWork]
}

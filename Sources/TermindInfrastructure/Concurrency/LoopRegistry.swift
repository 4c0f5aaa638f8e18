internal import CLinux
internal import Glibc

/// What a loop knows: queued work, timers and descriptors.
///
/// Lives under the loop's one lock.
struct LoopRegistry {
  enum Item: Sendable {
    case job(UnownedJob)
    case callback(@Sendable () -> Void)
  }

  enum Acceptance: Sendable {
    case queued
    /// The loop has ended, and the caller starts the thread that drains late jobs.
    case needsThread
  }

  struct Turn: Sendable {
    var items: [Item]
    /// For `epoll_wait`, in milliseconds, when `items` is empty.
    var timeout: Int32
    var isLast: Bool
  }

  typealias Waiter = CheckedContinuation<Void, any Error>

  private enum Phase {
    /// The thread runs and waits in epoll.
    case running
    /// `shutdown` was called; the thread ends once the queue is empty.
    case stopping
    /// The thread has ended and the descriptors are closed.
    case ended
    /// As `ended`, with a thread that runs late jobs.
    case draining
  }

  /// One descriptor: its watch and the tasks that wait for it.
  struct Registration {
    /// The high half of the epoll token, so that an event of a descriptor number's former life is dropped.
    let generation: UInt32
    var armed: UInt32?
    var interest: DescriptorEvents = []
    var handler: (@Sendable (DescriptorEvents) -> Void)?
    var waiters: [(number: UInt64, event: DescriptorEvents, continuation: Waiter)] = []
  }

  let epoll: Int32
  private let wake: Int32
  private var phase = Phase.running
  private var isSignalled = false
  private var items: [Item] = []
  private var firstItem = 0
  private var descriptors: [Int32: Registration] = [:]
  private var generations: UInt32 = 0
  private var numbers: UInt64 = 0
  private var sleepers: [UInt64: Waiter] = [:]
  var timers = TimerQueue()

  init() throws(EventLoopError) {
    let epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard epoll >= 0 else { throw .system(operation: "epoll_create1", code: errno) }
    let wake = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard wake >= 0 else {
      let code = errno
      _ = close(epoll)
      throw .system(operation: "eventfd", code: code)
    }
    self.epoll = epoll
    self.wake = wake
    var event = unsafe epoll_event(
      events: EPOLLIN.rawValue,
      data: epoll_data(u64: UInt64(UInt32(bitPattern: wake)))
    )
    guard unsafe epoll_ctl(epoll, EPOLL_CTL_ADD, wake, &event) == 0 else {
      let code = errno
      closeDescriptors()
      throw .system(operation: "epoll_ctl", code: code)
    }
  }

  func closeDescriptors() {
    _ = close(wake)
    _ = close(epoll)
  }

  mutating func makeNumber() -> UInt64 {
    numbers += 1
    return numbers
  }

  // MARK: Queue

  mutating func append(_ item: Item, onLoop: Bool) -> Acceptance {
    switch phase {
    case .running, .stopping:
      items.append(item)
      if !onLoop { signal() }
      return .queued
    case .draining:
      if case .job = item { items.append(item) }
      return .queued
    case .ended:
      guard case .job = item else { return .queued }
      items.append(item)
      phase = .draining
      return .needsThread
    }
  }

  mutating func requestStop() {
    guard phase == .running else { return }
    phase = .stopping
    signal()
  }

  /// Writes while the lock is held: past `finish` the descriptor may belong to someone else.
  private mutating func signal() {
    guard !isSignalled else { return }
    isSignalled = true
    var one: UInt64 = 1
    unsafe _ = write(wake, &one, MemoryLayout<UInt64>.size)
  }

  mutating func nextTurn(limit: Int) -> Turn {
    let taken = takeItems(limit: limit)
    guard taken.isEmpty else { return Turn(items: taken, timeout: 0, isLast: false) }
    guard phase == .running else { return Turn(items: [], timeout: 0, isLast: true) }
    return Turn(items: [], timeout: timeoutMilliseconds(), isLast: false)
  }

  /// The next late jobs, or nil once there are none; then the draining thread ends.
  mutating func takeLate() -> [Item]? {
    let taken = takeItems(limit: .max)
    if taken.isEmpty {
      phase = .ended
      return nil
    }
    return taken
  }

  private mutating func takeItems(limit: Int) -> [Item] {
    guard firstItem < items.count else { return [] }
    if firstItem == 0, items.count <= limit {
      let all = items
      items.removeAll(keepingCapacity: all.count <= 1_024)
      return all
    }
    let end = min(items.count, firstItem + min(limit, items.count))
    let taken = Array(items[firstItem..<end])
    firstItem = end
    if firstItem == items.count || firstItem > 4_096 {
      items.removeFirst(firstItem)
      firstItem = 0
    }
    return taken
  }

  private mutating func timeoutMilliseconds() -> Int32 {
    guard let next = timers.next else { return -1 }
    let parts = ContinuousClock.now.duration(to: next).components
    guard parts.seconds >= 0, parts.attoseconds >= 0 else { return 0 }
    guard parts.seconds < 1_000_000 else { return 1_000_000_000 }
    // Rounded up, or the loop would spin through the last fraction of a millisecond.
    let fraction = (parts.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    return Int32(parts.seconds * 1_000 + fraction)
  }

  mutating func addTimer(
    at deadline: ContinuousClock.Instant,
    onLoop: Bool,
    _ body: @escaping @Sendable () -> Void
  ) -> UInt64 {
    let number = makeNumber()
    guard phase == .running || phase == .stopping else { return number }
    let isEarliest = timers.next.map { deadline < $0 } ?? true
    timers.insert(TimerQueue.Entry(deadline: deadline, number: number, body: body))
    if isEarliest, !onLoop { signal() }
    return number
  }

  /// Keeps a sleeping task; returns why it cannot sleep.
  mutating func addSleeper(
    _ number: UInt64,
    until deadline: ContinuousClock.Instant,
    _ onLoop: Bool,
    _ continuation: Waiter
  ) -> EventLoopError? {
    guard phase == .running else { return .shutDown }
    sleepers[number] = continuation
    let isEarliest = timers.next.map { deadline < $0 } ?? true
    timers.insert(
      TimerQueue.Entry(deadline: deadline, number: number) { continuation.resume() }
    )
    if isEarliest, !onLoop { signal() }
    return nil
  }

  /// Gives a sleeper back if it has not been woken.
  mutating func removeSleeper(_ number: UInt64) -> Waiter? {
    guard timers.cancel(number) else { return nil }
    return sleepers.removeValue(forKey: number)
  }

  /// Takes the timers that are due.
  mutating func takeDue(at now: ContinuousClock.Instant, limit: Int) -> [@Sendable () -> Void] {
    timers.takeDue(at: now, limit: limit).map { entry in
      sleepers[entry.number] = nil
      return entry.body
    }
  }

  // MARK: Descriptors

  /// Adds a watch; the descriptor must have none.
  mutating func addWatch(
    _ descriptor: Int32,
    _ interest: DescriptorEvents,
    _ handler: @escaping @Sendable (DescriptorEvents) -> Void
  ) throws(EventLoopError) -> UInt32 {
    guard phase == .running else { throw .shutDown }
    var registration = descriptors[descriptor] ?? makeRegistration()
    guard registration.handler == nil else { throw .alreadyWatched(descriptor: descriptor) }
    registration.handler = handler
    registration.interest = interest
    try arm(descriptor, registration)
    return registration.generation
  }

  mutating func setInterest(_ descriptor: Int32, _ generation: UInt32, _ interest: DescriptorEvents)
  {
    guard var registration = descriptors[descriptor], registration.generation == generation,
      registration.interest != interest
    else { return }
    registration.interest = interest
    armKnown(descriptor, registration)
  }

  mutating func removeWatch(_ descriptor: Int32, _ generation: UInt32) {
    guard var registration = descriptors[descriptor], registration.generation == generation else {
      return
    }
    registration.handler = nil
    registration.interest = []
    armKnown(descriptor, registration)
  }

  mutating func addWaiter(
    _ number: UInt64,
    _ descriptor: Int32,
    _ event: DescriptorEvents,
    _ continuation: Waiter
  ) throws(EventLoopError) {
    guard phase == .running else { throw .shutDown }
    var registration = descriptors[descriptor] ?? makeRegistration()
    registration.waiters.append((number, event, continuation))
    try arm(descriptor, registration)
  }

  mutating func removeWaiter(_ number: UInt64, _ descriptor: Int32) -> Waiter? {
    guard var registration = descriptors[descriptor],
      let place = registration.waiters.firstIndex(where: { $0.number == number })
    else { return nil }
    let continuation = registration.waiters.remove(at: place).continuation
    armKnown(descriptor, registration)
    return continuation
  }

  /// The waiters that `events` satisfies, and the watch's handler when it is interested.
  mutating func takeReady(
    token: UInt64,
    _ events: DescriptorEvents
  ) -> ([Waiter], (@Sendable (DescriptorEvents) -> Void)?) {
    let descriptor = Int32(bitPattern: UInt32(truncatingIfNeeded: token))
    if descriptor == wake {
      var drained: UInt64 = 0
      unsafe _ = read(wake, &drained, MemoryLayout<UInt64>.size)
      isSignalled = false
      return ([], nil)
    }
    guard var registration = descriptors[descriptor],
      registration.generation == UInt32(truncatingIfNeeded: token >> 32)
    else { return ([], nil) }
    let ready = registration.waiters.filter { !$0.event.isDisjoint(with: events) }
    let wanted = registration.interest.union(.hangup)
    let handler =
      registration.interest.isEmpty || events.isDisjoint(with: wanted) ? nil : registration.handler
    guard !ready.isEmpty else { return ([], handler) }
    registration.waiters.removeAll { !$0.event.isDisjoint(with: events) }
    armKnown(descriptor, registration)
    return (ready.map(\.continuation), handler)
  }

  /// Ends the loop: closes its descriptors and returns everyone who still waits.
  mutating func finish() -> [Waiter] {
    let orphans = descriptors.values.flatMap { $0.waiters.map(\.continuation) } + sleepers.values
    descriptors.removeAll()
    sleepers.removeAll()
    timers.removeAll()
    closeDescriptors()
    phase = .ended
    return orphans
  }

  private mutating func makeRegistration() -> Registration {
    generations &+= 1
    return Registration(generation: generations, armed: nil)
  }

  /// Tells epoll what is wanted of a descriptor now, and keeps the registration if anything is.
  private mutating func arm(
    _ descriptor: Int32,
    _ registration: Registration
  ) throws(EventLoopError) {
    var registration = registration
    let wanted = registration.waiters.reduce(registration.interest) { $0.union($1.event) }
    let bits: UInt32? = wanted.isEmpty ? nil : wanted.epollBits
    if bits != registration.armed {
      let token =
        UInt64(registration.generation) << 32 | UInt64(UInt32(bitPattern: descriptor))
      var event = unsafe epoll_event(events: bits ?? 0, data: epoll_data(u64: token))
      let operation =
        bits == nil ? EPOLL_CTL_DEL : registration.armed == nil ? EPOLL_CTL_ADD : EPOLL_CTL_MOD
      if unsafe epoll_ctl(epoll, operation, descriptor, &event) != 0, bits != nil {
        throw .system(operation: "epoll_ctl", code: errno)
      }
      registration.armed = bits
    }
    let isUnused = registration.handler == nil && registration.waiters.isEmpty
    descriptors[descriptor] = isUnused ? nil : registration
  }

  /// As `arm` for a descriptor that epoll has accepted once: if it was closed meanwhile there is
  /// nothing left to wait for, and the kernel has dropped it.
  private mutating func armKnown(_ descriptor: Int32, _ registration: Registration) {
    do throws(EventLoopError) { try arm(descriptor, registration) } catch {
      var registration = registration
      registration.armed = nil
      let isUnused = registration.handler == nil && registration.waiters.isEmpty
      descriptors[descriptor] = isUnused ? nil : registration
    }
  }
}

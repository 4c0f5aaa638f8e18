public import TermindScreen

/// What becomes of a key.
public enum KeyOutcome: Hashable, Sendable {
  /// Do this.
  case action(Action)
  /// The key belongs to a sequence that is not complete; show the choices when `deadline` passes.
  case pending(PendingKeys)
  /// A pause after a prefix: show what may follow, until the next outcome.
  case showChoices(PendingKeys)
  /// The keys belong to the program, in order; a broadcast may carry them.
  case passThrough([KeyEvent])
  /// The leader, or another prefix, was pressed twice: the focused program gets it once. A broadcast
  /// never carries it.
  case sendLeader(KeyEvent)
  /// The sequence is not bound; nothing is sent anywhere.
  case unbound([KeyChord])
  /// The sequence was left with escape.
  case cancelled
  /// The key has no effect and reaches nobody, such as the release of a key that acted.
  case consumed
}

/// A sequence that is not complete.
public struct PendingKeys: Hashable, Sendable {
  /// The keys so far.
  public let prefix: [KeyChord]
  /// What may follow, in the order of the keymap.
  public let choices: [KeyChoice]

  /// The keys so far as people read them.
  public var prefixText: String { prefix.map(\.description).joined(separator: " ") }
}

/// Decides what each key means; a pure state machine, told the time by its caller.
///
/// Every press gives one outcome. A program sees the release of exactly those keys whose press it saw.
/// When `deadline` passes without a key, call `deadlinePassed`.
public struct KeymapResolver: Sendable {
  /// Points in time; any clock's, as long as it is always the same one.
  public typealias Instant = ContinuousClock.Instant

  private enum State: Sendable {
    /// Nothing is open.
    case idle
    /// Keys of a sequence were pressed; the next key decides. `events` are those keys.
    case prefix([KeyChord], events: [KeyEvent], showsChoices: Bool)
    /// A repeating binding has just acted; its last key works again until the deadline.
    case repeating(prefix: [KeyChord])
    /// The keys of a lock's own sequence were pressed while locked. `held` are not sent yet.
    case lockedPrefix([KeyChord], held: [KeyEvent])
  }

  /// The bindings; changing them leaves any open sequence.
  public var keymap: Keymap {
    didSet { reset() }
  }
  /// Whether every key goes to the program but those of `lock_mode`.
  public private(set) var isLocked = false
  /// When something happens without a key; nil when never.
  public private(set) var deadline: Instant?

  private var state = State.idle
  /// Keys that are down and whose press was not passed on, with what holding them does.
  private var swallowed: [KeyCode: Action?] = [:]

  /// Starts with nothing pressed.
  public init(keymap: Keymap) { self.keymap = keymap }

  /// The open sequence; nil when there is none.
  public var pending: PendingKeys? {
    guard case .prefix(let prefix, _, _) = state else { return nil }
    return PendingKeys(prefix: prefix, choices: keymap.choices(after: prefix) ?? [])
  }

  /// Whether an event is the leader, which a broadcast never carries.
  public func isLeader(_ event: KeyEvent) -> Bool {
    guard let leader = keymap.leader else { return false }
    return KeyIdentity.chords(of: event).contains(leader)
  }

  /// Locks or unlocks without a key.
  public mutating func setLocked(_ locked: Bool) {
    reset()
    isLocked = locked
  }

  /// Leaves an open sequence, for instance when the mouse is used or a sheet opens.
  public mutating func reset() {
    state = .idle
    deadline = nil
  }

  /// Takes a key.
  ///
  /// - Parameters:
  ///   - event: The key, of any kind.
  ///   - now: The time.
  /// - Returns: What becomes of it.
  public mutating func feed(_ event: KeyEvent, at now: Instant) -> KeyOutcome {
    expireRepeat(now)
    switch event.kind {
    case .release: return released(event)
    case .repeat:
      if let held = swallowed[event.code] { return holding(held, event, now) }
    case .press: break
    }
    if KeyIdentity.isModifier(event) { return .passThrough([event]) }
    let outcome = isLocked ? locked(event, now) : unlocked(event, now)
    switch outcome {
    case .passThrough: swallowed.removeValue(forKey: event.code)
    case .action(let action): swallowed[event.code] = .some(action)
    default: swallowed[event.code] = .some(nil)
    }
    return outcome
  }

  /// Tells that `deadline` has passed.
  ///
  /// - Returns: What to do now; nil when nothing is visible of it.
  public mutating func deadlinePassed(at now: Instant) -> KeyOutcome? {
    guard let due = deadline, now >= due else { return nil }
    deadline = nil
    switch state {
    case .idle: return nil
    case .repeating:
      state = .idle
      return nil
    case .prefix(let prefix, let events, _):
      state = .prefix(prefix, events: events, showsChoices: true)
      return pending.map(KeyOutcome.showChoices)
    case .lockedPrefix(let prefix, let held):
      // Nothing may wait for long in lock mode; the sequence still unlocks when it is completed.
      state = .lockedPrefix(prefix, held: [])
      return held.isEmpty ? nil : passing(held)
    }
  }

  // MARK: - Unlocked

  private mutating func unlocked(_ event: KeyEvent, _ now: Instant) -> KeyOutcome {
    let chords = KeyIdentity.chords(of: event)
    switch state {
    case .prefix(let prefix, let events, let shows):
      return continued(prefix, events, shows, event, chords, now)
    case .repeating(let prefix):
      for chord in chords {
        if case .binding(let binding) = keymap.node(at: prefix + [chord]), binding.repeats {
          return acted(binding, event, now)
        }
      }
      reset()
      return started(event, chords, now)
    case .idle, .lockedPrefix: return started(event, chords, now)
    }
  }

  private mutating func started(
    _ event: KeyEvent,
    _ chords: [KeyChord],
    _ now: Instant
  ) -> KeyOutcome {
    for chord in chords {
      switch keymap.node(at: [chord]) {
      case .binding(let binding): return acted(binding, event, now)
      case .prefix: return opened([chord], [event], shows: false, now)
      case nil:
        guard chord == keymap.leader else { continue }
        return opened([chord], [event], shows: false, now)
      }
    }
    reset()
    return .passThrough([event])
  }

  private mutating func continued(
    _ prefix: [KeyChord],
    _ events: [KeyEvent],
    _ shows: Bool,
    _ event: KeyEvent,
    _ chords: [KeyChord],
    _ now: Instant
  ) -> KeyOutcome {
    for chord in chords {
      switch keymap.node(at: prefix + [chord]) {
      case .binding(let binding):
        return acted(binding, events.first ?? event, now)
      case .prefix: return opened(prefix + [chord], events + [event], shows: shows, now)
      case nil: continue
      }
    }
    reset()
    if prefix.count == 1, chords.contains(prefix[0]) {
      // A leader that is held down is still one press.
      guard event.kind == .press else {
        return opened(prefix, events, shows: shows, now)
      }
      return .sendLeader(event)
    }
    if chords.contains(KeyChord(.named(.escape))) { return .cancelled }
    return .unbound(prefix + chords.prefix(1))
  }

  private mutating func opened(
    _ prefix: [KeyChord],
    _ events: [KeyEvent],
    shows: Bool,
    _ now: Instant
  ) -> KeyOutcome {
    state = .prefix(prefix, events: events, showsChoices: shows)
    let keys = PendingKeys(prefix: prefix, choices: keymap.choices(after: prefix) ?? [])
    deadline = shows ? nil : now + keymap.whichKeyDelay
    // Once the sheet is up, it follows the sequence without another pause.
    return shows ? .showChoices(keys) : .pending(keys)
  }

  private mutating func acted(
    _ binding: KeyBinding,
    _ first: KeyEvent,
    _ now: Instant
  ) -> KeyOutcome {
    reset()
    switch binding.action {
    case .sendLeader:
      guard let leader = keymap.leader else { return .consumed }
      let isFirst = KeyIdentity.chords(of: first).contains(leader)
      return .sendLeader(isFirst ? first : leader.event)
    case .lockMode: isLocked = true
    case .ignore: return .consumed
    default: break
    }
    if binding.repeats, binding.keys.count > 1 {
      state = .repeating(prefix: Array(binding.keys.dropLast()))
      deadline = now + keymap.repeatDelay
    }
    return .action(binding.action)
  }

  /// A held key whose press acted: acts again when that makes sense, and is never typed.
  private mutating func holding(_ action: Action?, _ event: KeyEvent, _ now: Instant) -> KeyOutcome
  {
    guard let action else { return .consumed }
    if case .repeating(let prefix) = state {
      for chord in KeyIdentity.chords(of: event) {
        if case .binding(let binding) = keymap.node(at: prefix + [chord]), binding.repeats {
          return acted(binding, event, now)
        }
      }
    }
    return action.repeatsWhenHeld ? .action(action) : .consumed
  }

  private mutating func expireRepeat(_ now: Instant) {
    if case .repeating = state, let due = deadline, now >= due { reset() }
  }

  // MARK: - Locked

  private mutating func locked(_ event: KeyEvent, _ now: Instant) -> KeyOutcome {
    let chords = KeyIdentity.chords(of: event)
    var prefix: [KeyChord] = []
    var held: [KeyEvent] = []
    if case .lockedPrefix(let keys, let events) = state { (prefix, held) = (keys, events) }
    let unlocking = keymap.bindings(of: .lockMode).map(\.keys)
    for start in prefix.isEmpty ? [prefix] : [prefix, []] {
      for chord in chords {
        let keys = start + [chord]
        if unlocking.contains(keys) {
          reset()
          isLocked = false
          return .action(.lockMode)
        }
        guard unlocking.contains(where: { $0.starts(with: keys) }) else { continue }
        // A sequence that begins anew lets go of the keys that it held before.
        let released = start.isEmpty ? held : []
        state = .lockedPrefix(keys, held: start.isEmpty ? [event] : held + [event])
        deadline = now + keymap.whichKeyDelay
        return released.isEmpty ? .consumed : passing(released)
      }
    }
    reset()
    return passing(held + [event])
  }

  /// Passes keys on that were held back; those still down are the program's to see released.
  private mutating func passing(_ events: [KeyEvent]) -> KeyOutcome {
    for event in events where event.kind != .release {
      let isUp = events.contains { $0.code == event.code && $0.kind == .release }
      if !isUp { swallowed.removeValue(forKey: event.code) }
    }
    return .passThrough(events)
  }

  private mutating func released(_ event: KeyEvent) -> KeyOutcome {
    guard swallowed.removeValue(forKey: event.code) != nil else { return .passThrough([event]) }
    if case .lockedPrefix(let prefix, let held) = state,
      held.contains(where: { $0.code == event.code })
    {
      state = .lockedPrefix(prefix, held: held + [event])
    }
    return .consumed
  }
}

extension Action {
  /// Whether holding its key does it again and again.
  var repeatsWhenHeld: Bool {
    switch self {
    case .resize, .scroll, .focus, .focusNext, .focusPrevious, .nextWorkspace, .previousWorkspace,
      .text:
      true
    default: false
    }
  }
}

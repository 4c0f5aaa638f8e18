/// Guesses what a program on a slow line will echo, so that it can be shown before it comes.
///
/// A guess is shown only where echoing is known: at a prompt that the shell marked, or after a guess of the same line came
/// true. So nothing is shown while a password is typed, in a program on the alternate screen, or beside text that would
/// move. The first guess that proves wrong ends guessing until the next prompt. The cursor is only ever guessed to be
/// further right, never left of where the program has it.
public struct EchoPredictor: Sendable {
  /// When guesses are shown.
  public enum Mode: String, Hashable, Sendable, CaseIterable {
    /// Never.
    case off
    /// Once echoes were seen to take longer than 60 ms.
    case auto
    /// Always.
    case on
  }

  /// A character that is guessed to stand somewhere soon.
  public struct Guess: Hashable, Sendable {
    /// The row of the screen.
    public let row: Int
    /// The column.
    public let column: Int
    /// The character.
    public let scalar: UInt32
  }

  private struct Pending {
    let scalar: UInt32
    let column: Int
    let typed: ContinuousClock.Instant
  }

  /// From which latency on a line counts as slow.
  static let slow = Duration.milliseconds(60)
  private static let mostPending = 128
  private static let firstPatience = Duration.seconds(5)

  private let mode: Mode
  private var pending: [Pending] = []
  /// The row of the text in which it is typed.
  private var line: UInt64 = 0
  /// How long an echo takes, smoothed; nil before there was one.
  private(set) var latency: Duration?
  /// Whether a guess of this line came true.
  private var isConfirmed = false
  /// Whether a guess was wrong since the last prompt.
  private var isRefused = false
  /// The marked place where the command line begins; another one is another prompt.
  private var prompt: TextPlace?
  /// Echoes of keys that nothing is guessed about are on the way until then.
  private var quietUntil: ContinuousClock.Instant?

  /// Begins to guess.
  public init(mode: Mode) { self.mode = mode }

  // MARK: What happens

  /// Keys were typed.
  ///
  /// - Parameters:
  ///   - bytes: What the program was sent for them.
  ///   - terminal: The screen as it is now.
  ///   - now: The time.
  public mutating func typed(
    _ bytes: [UInt8],
    on terminal: Terminal,
    at now: ContinuousClock.Instant
  ) {
    guard mode != .off else { return }
    expire(at: now)
    lookAtPrompt(terminal)
    guard let scalar = Self.plain(bytes), !isQuiet(now), !isRefused,
      pending.count < Self.mostPending,
      let place = nextPlace(on: terminal)
    else {
      // Nobody knows where the cursor is until the echoes of everything so far are there.
      pending = []
      isConfirmed = false
      let patience = min((latency ?? .milliseconds(200)) * 2, .seconds(2))
      quietUntil = now + max(patience, .milliseconds(100))
      return
    }
    line = place.line
    pending.append(Pending(scalar: scalar, column: place.column, typed: now))
  }

  /// The program has printed.
  public mutating func printed(on terminal: Terminal, at now: ContinuousClock.Instant) {
    guard !pending.isEmpty else { return }
    lookAtPrompt(terminal)
    guard let first = pending.first, let last = pending.last else { return }
    let cursor = terminal.cursor.position
    guard !terminal.modes.isAlternateScreen, terminal.screenLine + UInt64(cursor.row) == line,
      (first.column...last.column + 1).contains(cursor.column)
    else { return refuse() }
    let row = terminal.scalars(row: cursor.row)
    while let next = pending.first, next.column < cursor.column {
      guard next.column < row.count,
        row[next.column] == next.scalar || next.scalar == 0x20 && row[next.column] == 0
      else { return refuse() }
      let took = next.typed.duration(to: now)
      latency = latency.map { ($0 * 3 + took) / 4 } ?? took
      isConfirmed = true
      pending.removeFirst()
    }
  }

  /// Gives up guesses that did not come true in time; whether there were some.
  @discardableResult
  public mutating func expire(at now: ContinuousClock.Instant) -> Bool {
    guard let first = pending.first, first.typed.duration(to: now) > patience else { return false }
    refuse()
    return true
  }

  /// How long a guess is kept that does not come true.
  public var patience: Duration {
    latency.map { min($0 * 2 + .milliseconds(250), Self.firstPatience) } ?? Self.firstPatience
  }

  private mutating func refuse() {
    pending = []
    isConfirmed = false
    isRefused = true
  }

  /// A new prompt begins everything anew.
  private mutating func lookAtPrompt(_ terminal: Terminal) {
    let now = terminal.commandLineStart
    guard now != prompt else { return }
    prompt = now
    isRefused = false
    isConfirmed = false
    pending = []
  }

  private mutating func isQuiet(_ now: ContinuousClock.Instant) -> Bool {
    guard let end = quietUntil, now < end else {
      // Whoever types on after a line without marks may be believed again.
      if quietUntil != nil, prompt == nil { isRefused = false }
      quietUntil = nil
      return false
    }
    return true
  }

  // MARK: What is shown

  /// The guesses to be shown, left to right; none where nothing is shown.
  public func guesses(on terminal: Terminal) -> [Guess] {
    guard let first = pending.first, isShown(terminal, first.column), line >= terminal.screenLine
    else {
      return []
    }
    let row = Int(line - terminal.screenLine)
    guard row < terminal.size.rows else { return [] }
    return pending.map { Guess(row: row, column: $0.column, scalar: $0.scalar) }
  }

  private func isShown(_ terminal: Terminal, _ column: Int) -> Bool {
    guard !terminal.modes.isAlternateScreen else { return false }
    switch mode {
    case .off: return false
    case .auto: if (latency ?? .zero) <= Self.slow { return false }
    case .on: break
    }
    let isAtPrompt = prompt.map { TextPlace(line: line, column: column) >= $0 } ?? false
    return isConfirmed || isAtPrompt
  }

  // MARK: Where

  /// Where the next character is going to stand; nil where that cannot be told.
  private func nextPlace(on terminal: Terminal) -> TextPlace? {
    let cursor = terminal.cursor
    guard !terminal.modes.isAlternateScreen, cursor.isVisible else { return nil }
    let column = pending.last.map { $0.column + 1 } ?? cursor.position.column
    // What a character at the edge does is not guessed.
    guard column < terminal.size.columns - 1 else { return nil }
    let row = terminal.scalars(row: cursor.position.row)
    guard row[min(cursor.position.column, row.count)...].allSatisfy({ $0 == 0 || $0 == 0x20 })
    else {
      return nil
    }
    return TextPlace(line: terminal.screenLine + UInt64(cursor.position.row), column: column)
  }

  /// The one printable character of one column that bytes are; nil for everything else.
  private static func plain(_ bytes: [UInt8]) -> UInt32? {
    let scalars = String(validating: bytes, as: UTF8.self)?.unicodeScalars
    guard let scalars, scalars.count == 1, let scalar = scalars.first?.value else { return nil }
    switch scalar {
    case 0x20...0x7E, 0xA1...0xAC, 0xAE...0x2FF, 0x391...0x3C9, 0x400...0x45F: return scalar
    default: return nil
    }
  }
}

extension Terminal {
  /// Where the command line begins that is being typed at a prompt of the shell; nil elsewhere.
  public var commandLineStart: TextPlace? {
    state.isMainScreen ? state.commands.typed : nil
  }

  /// The first scalar of each used column of a row of the screen, 0 for blanks.
  func scalars(row: Int) -> [UInt32] {
    var scalars: [UInt32] = []
    visitRow(row) { cell in
      while scalars.count < cell.column { scalars.append(0) }
      scalars.append(cell.isCluster ? .max : cell.scalar)
      if cell.width == 2 { scalars.append(.max) }
    }
    return scalars
  }
}

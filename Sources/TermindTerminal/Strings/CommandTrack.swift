/// How a command of the shell came out, as the shell itself told it.
public struct CommandResult: Hashable, Sendable {
  /// Its exit status; nil where the shell does not tell it.
  public var status: Int?
  /// How long it ran; nil where the shell does not tell it.
  public var duration: Duration?

  /// Makes a result.
  public init(status: Int? = nil, duration: Duration? = nil) {
    self.status = status
    self.duration = duration
  }

  /// Whether it failed.
  public var isFailure: Bool { status.map { $0 != 0 } ?? false }
}

/// What a shell told of its commands (OSC 133), by the rows of their prompts.
struct CommandTrack {
  /// Most results that are kept.
  static let most = 1_000
  /// Longest command line that is taken, in bytes.
  static let longestCommand = 16_384

  /// Results by the number of the prompt's row.
  private(set) var results: [UInt64: CommandResult] = [:]
  /// The rows of the results, the oldest first.
  private var order: [UInt64] = []
  /// The row of the newest prompt.
  private var prompt: UInt64?
  /// Where the command line that is being typed begins.
  private(set) var typed: TextPlace?
  /// Where the output of the newest command begins.
  private(set) var outputStart: TextPlace?
  /// Where it ended; nil while the command runs.
  private(set) var outputEnd: TextPlace?
  /// Whether a command runs.
  private(set) var isRunning = false

  /// A prompt begins in a row; what an earlier one there came to is gone.
  mutating func promptBegan(_ line: UInt64) {
    prompt = line
    typed = nil
    isRunning = false
    if results.removeValue(forKey: line) != nil { order.removeAll { $0 == line } }
  }

  /// What is typed from here on is a command.
  mutating func typingBegan(_ place: TextPlace) { typed = place }

  /// A command runs, and prints from here on.
  mutating func outputBegan(_ place: TextPlace) {
    typed = nil
    outputStart = place
    outputEnd = nil
    isRunning = true
  }

  /// The command ended; false when none ran.
  mutating func ended(_ place: TextPlace, _ result: CommandResult) -> Bool {
    guard isRunning else { return false }
    isRunning = false
    outputEnd = place
    guard let prompt else { return true }
    if results.updateValue(result, forKey: prompt) == nil { order.append(prompt) }
    if order.count > Self.most { results[order.removeFirst()] = nil }
    return true
  }

  /// Rows have other numbers now; places in them are known no more.
  ///
  /// - Parameters:
  ///   - old: Numbers of rows with prompts.
  ///   - new: Their present numbers.
  mutating func renumber(_ old: [UInt64], to new: [UInt64]) {
    let numbers = Dictionary(zip(old, new), uniquingKeysWith: { first, _ in first })
    func number(_ line: UInt64) -> UInt64 { numbers[line] ?? line }
    results = Dictionary(
      results.map { (number($0.key), $0.value) },
      uniquingKeysWith: { first, _ in first }
    )
    order = order.map(number)
    prompt = prompt.map(number)
    typed = nil
    outputStart = nil
    outputEnd = nil
  }
}

/// Turns the outer terminal's bytes into events.
///
/// Where the input is cut never matters: any split of the same bytes gives the same events, as long as nobody
/// waits so long in between that `timeout` is due. What the terminal reports is never taken for typing, also
/// when a piece of it is late.
public struct InputDecoder: Sendable {
  /// What the bytes so far have begun.
  enum State: Hashable, Sendable {
    /// Nothing.
    case ground
    /// An ESC.
    case escape
    /// `ESC [`, with parameters in `sequence`.
    case control
    /// `ESC [ [`, as the Linux console sends for F1 to F5.
    case console
    /// `ESC O`.
    case singleShift
    /// `ESC [ M`: three bytes of an old mouse report follow.
    case oldMouse
    /// `ESC ]`, `ESC P` and the like, up to their terminator.
    case string
    /// An ESC inside a string.
    case stringEscape
    /// Some bytes of one character in UTF-8.
    case character
    /// Between the marks of a bracketed paste.
    case paste
    /// The waiting for the rest of a sequence is over, but it may still come.
    case late
  }

  /// Whether the terminal sends the Escape key as an escape code, so that a lone ESC always has more behind it.
  public var usesKeyboardProtocol = false
  /// How long a lone ESC may wait for more before it is the Escape key.
  public var escapeDelay: Duration = .milliseconds(50)
  /// Keys that terminfo adds.
  var terminfoKeys: [[UInt8]: KeyEvent] = [:]
  var controlHIsBackspace = false

  var state = State.ground
  /// Whether another ESC stood before the one that began the sequence.
  var hasAlt = false
  /// The bytes of the sequence after its ESC.
  var sequence: [UInt8] = []
  /// Whether the sequence is longer than anything known, and goes on only to find its end.
  var isOverlong = false
  /// The bytes that count as typed should they turn out not to belong to a late sequence.
  var lateBytes: [UInt8]?
  var pasted: [UInt8] = []
  /// How many bytes of the paste's end mark have matched.
  var endMarkCount = 0
  var events: [InputEvent] = []

  /// Makes a decoder that knows the usual keys.
  public init() {}

  /// Makes a decoder for a terminal.
  public init(capabilities: ScreenCapabilities) {
    adopt(capabilities)
  }

  /// Learns what is known of the terminal by now.
  public mutating func adopt(_ capabilities: ScreenCapabilities) {
    usesKeyboardProtocol = capabilities.kittyKeyboard
    terminfoKeys = capabilities.keys
    let isXterm = capabilities.terminalName.hasPrefix("xterm")
    controlHIsBackspace = !isXterm && capabilities.keys[[0x08]]?.code == .backspace
  }

  /// Takes bytes in and returns the events that they complete.
  public mutating func feed(_ bytes: [UInt8]) -> [InputEvent] {
    var place = 0
    while place < bytes.count {
      if state == .paste, endMarkCount == 0, bytes[place] != 0x1B {
        place = keepRun(of: bytes, from: place)
      } else {
        step(bytes[place])
        place += 1
      }
    }
    return takeEvents()
  }

  /// How long to wait for more bytes before `timeout` has to be called; `nil` when nothing is pending.
  ///
  /// The time starts anew with each `feed` and each `timeout`.
  public var pendingTimeout: Duration? {
    let isShort = lateBytes.map { $0.count <= Self.lateTypingLimit } ?? false
    switch state {
    case .ground, .character, .console: return isShort ? Self.lateHold : nil
    case .escape: return usesKeyboardProtocol ? nil : escapeDelay
    case .control, .singleShift, .string:
      if isShort { return Self.lateHold }
      if sequence.count <= 1 { return usesKeyboardProtocol ? nil : escapeDelay * 2 }
      return state == .string ? Self.stringPatience : nil
    case .stringEscape, .oldMouse: return Self.stringPatience
    case .paste: return Self.pastePatience
    case .late: return Self.latePatience
    }
  }

  /// Ends what is pending.
  public mutating func timeout() -> [InputEvent] {
    switch state {
    case .ground, .character, .console: break
    case .escape where !usesKeyboardProtocol:
      emit(KeyEvent(code: .escape, modifiers: hasAlt ? .alt : []))
      reset(to: .late)
    case .control, .singleShift, .string: introducerTimeout()
    case .stringEscape, .oldMouse: reset(to: .ground)
    case .paste: pasteTimeout()
    case .late: reset(to: .ground)
    case .escape: break
    }
    return takeEvents()
  }

  /// How long a piece that may belong to a late sequence is held back.
  private static let lateHold: Duration = .milliseconds(30)
  /// How many held bytes a person can have typed within that time.
  private static let lateTypingLimit = 2
  /// How long after a timeout the rest of a sequence is still expected.
  private static let latePatience: Duration = .seconds(1)
  /// How long the rest of a string is waited for.
  private static let stringPatience: Duration = .seconds(2)
  /// How long a paste may stall before its end mark counts as lost.
  private static let pastePatience: Duration = .seconds(2)

  private mutating func introducerTimeout() {
    if let lateBytes {
      guard lateBytes.count <= Self.lateTypingLimit else {
        if state == .string { reset(to: .ground) }
        return
      }
      return typeLateBytes()
    }
    guard let introducer = sequence.first, sequence.count == 1, !usesKeyboardProtocol else {
      if state == .string { reset(to: .ground) }
      return
    }
    if hasAlt { emit(KeyEvent(code: .escape)) }
    emit(LegacyKeys.character(UInt32(introducer), alt: true))
    reset(to: .late)
    sequence = [introducer]
  }

  private mutating func takeEvents() -> [InputEvent] {
    defer { events.removeAll(keepingCapacity: true) }
    return events
  }

  mutating func emit(_ key: KeyEvent) { events.append(.key(key)) }

  mutating func reset(to state: State) {
    self.state = state
    sequence.removeAll(keepingCapacity: true)
    hasAlt = false
    isOverlong = false
    lateBytes = nil
  }
}

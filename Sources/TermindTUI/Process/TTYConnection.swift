public import TermindDomain
import TermindInfrastructure

/// Why a terminal left without being told to.
public nonisolated enum TTYEnd: Hashable, Sendable {
  /// The client died or was killed; the terminal was given back.
  case clientVanished
  /// The terminal itself has gone.
  case hungUp
  /// The client was asked to end by a signal; the terminal was given back.
  case clientEnded(reason: String)
}

/// Takes what happens on a terminal.
@MainActor public protocol TTYConnectionDelegate: AnyObject {
  /// Bytes were typed, or the terminal answered.
  func terminal(_ terminal: TTYConnection, received bytes: [UInt8])
  /// The terminal has another size; `size` is the newest.
  func terminalResized(_ terminal: TTYConnection)
  /// The frame in flight is out: the next one may be written.
  func terminalBecameWritable(_ terminal: TTYConnection)
  /// The terminal is ours again after a stop, in an unknown state: enter it anew and draw everything.
  func terminalResumed(_ terminal: TTYConnection)
  /// The terminal left; nothing can be written any more. Not called when the owner ended it.
  func terminalEnded(_ terminal: TTYConnection, _ end: TTYEnd)
}

/// A terminal that a client passed to the server.
///
/// Writing never blocks: one frame at most is in flight, and while it is, further ones are refused.
/// Whatever happens to the client, the terminal gets its settings and its screen back.
public final class TTYConnection {
  /// What is true of the terminal.
  private enum State {
    /// Not accepted yet.
    case offered
    /// Ours: input is read, output is written.
    case open
    /// Given back for the time of a stop.
    case stopped
    /// Given back, or gone.
    case ended
  }

  /// Takes input and events; set it before `accept`.
  public weak var delegate: (any TTYConnectionDelegate)?
  /// The size, the newest that the terminal reported; 24 rows of 80 columns while it reports none.
  public private(set) var size: TerminalDimensions
  /// What the client asked for, with its variables.
  public let request: AttachRequest
  /// Whether the terminal still waits to be accepted or refused.
  var isOffered: Bool { state == .offered }
  /// Whether a frame would be taken now.
  public var isWritable: Bool { state == .open && pending.isEmpty }

  private let input: TerminalDevice
  private let output: TerminalDevice
  private var originalModes: TerminalModes
  private let connection: ServerConnection
  private var state = State.offered
  private var leave: [UInt8] = []
  private var pending: ArraySlice<UInt8> = []
  private var reading: ReadinessSource?
  private var writing: ReadinessSource?

  init(
    input: TerminalDevice,
    output: TerminalDevice,
    originalModes: TerminalModes,
    request: AttachRequest,
    connection: ServerConnection
  ) throws(TerminalDeviceError) {
    self.input = input.reopened(reading: true)
    self.output = output.reopened(reading: false)
    self.originalModes = originalModes
    self.request = request
    self.connection = connection
    size = self.output.size() ?? request.size ?? TerminalDimensions(rows: 24, columns: 80)
  }

  // MARK: What the owner does

  /// Takes the terminal: from here on input arrives and frames can be written.
  ///
  /// - Parameter leave: The bytes that give the screen back; the client keeps them for the case that
  ///   this server dies.
  public func accept(leave: [UInt8]) {
    guard state == .offered else { return }
    state = .open
    self.leave = leave
    connection.acceptTerminal(leave: leave)
    guard state == .open else { return }
    reading = ReadinessSource(input.descriptor, .reading) { [weak self] in self?.read() }
    writing = ReadinessSource(output.descriptor, .writing) { [weak self] in self?.flush() }
    reading?.setRunning(true)
  }

  /// Refuses the terminal; the client shows the text and exits with status 1.
  public func refuse(_ text: String) {
    guard state == .offered else { return }
    state = .ended
    connection.refuse(.failed, text)
  }

  /// Replaces the bytes that give the screen back, when more is known about the terminal.
  public func setLeave(_ bytes: [UInt8]) {
    guard bytes != leave, state == .open || state == .stopped else { return }
    leave = bytes
    connection.send(.leaveChanged(bytes))
  }

  /// Writes a frame.
  ///
  /// - Returns: Whether it was taken; one that was not is gone, and `terminalBecameWritable` tells
  ///   when to draw the newest.
  @discardableResult public func write(_ frame: [UInt8]) -> Bool {
    guard isWritable else { return false }
    guard !frame.isEmpty else { return true }
    pending = isFrameCut ? [Self.cancel] + frame : frame[...]
    isFrameCut = false
    flush()
    return true
  }

  /// Gives the terminal back and stops the client, as the stop key does; `terminalResumed` tells when
  /// it goes on.
  public func stop() {
    guard state == .open else { return }
    state = .stopped
    connection.send(.stop(unwritten: giveBack()))
  }

  /// Gives the terminal back and ends the client.
  ///
  /// - Parameters:
  ///   - text: A closing line for the person; empty for none.
  ///   - status: What the client exits with.
  public func close(text: String, status: UInt8 = 0) {
    guard state != .ended else { return }
    let wasOpen = state == .open
    state = .ended
    let unwritten = wasOpen ? giveBack() : []
    stopSources()
    connection.send(.goodbye(status: status, text: text, unwritten: unwritten))
    connection.finish()
  }

  // MARK: What the client says

  func clientResized() {
    guard let newest = output.size(), newest != size else { return }
    size = newest
    if state == .open { delegate?.terminalResized(self) }
  }

  func clientResumed(_ modes: TerminalModes) {
    guard state == .stopped || state == .open else { return }
    if !modes.isRaw { originalModes = modes }
    state = .open
    // A client that was frozen comes back in the middle of a frame.
    if !pending.isEmpty { isFrameCut = true }
    pending = []
    isWaiting = false
    writing?.setRunning(false)
    reading?.setRunning(true)
    size = output.size() ?? size
    delegate?.terminalResumed(self)
  }

  func clientDetaches(_ reason: String) {
    guard state != .ended else { return }
    close(text: "[detached: \(reason)]")
    delegate?.terminalEnded(self, .clientEnded(reason: reason))
  }

  /// The socket closed without a goodbye: the client is dead, and its shell may already be at work.
  func clientVanished() {
    guard state != .ended else { return }
    if state == .open { _ = giveBack() }
    ended(.clientVanished)
  }

  // MARK: The terminal itself

  private func read() {
    do throws(TerminalDeviceError) {
      guard state == .open, let bytes = try input.read() else { return }
      delegate?.terminal(self, received: bytes)
    } catch {
      hungUp()
    }
  }

  private func flush() {
    do throws(TerminalDeviceError) {
      while !pending.isEmpty {
        let count = try output.write(pending)
        if count == 0 { break }
        pending = pending.dropFirst(count)
      }
    } catch {
      return hungUp()
    }
    let isBlocked = !pending.isEmpty
    let wasBlocked = isWaiting
    isWaiting = isBlocked
    writing?.setRunning(isBlocked)
    if wasBlocked, !isBlocked { delegate?.terminalBecameWritable(self) }
  }

  /// Whether the terminal took less than it was given.
  private var isWaiting = false
  /// Whether only a part of the last frame went out.
  private var isFrameCut = false
  /// CAN: ends a control sequence of which only a part went out.
  private static let cancel: UInt8 = 0x18

  private func ended(_ end: TTYEnd) {
    guard state != .ended else { return }
    state = .ended
    stopSources()
    delegate?.terminalEnded(self, end)
  }

  private func hungUp() {
    ended(.hungUp)
    connection.send(.goodbye(status: 129, text: "", unwritten: []))
    connection.finish()
  }

  private func stopSources() {
    reading = nil
    writing = nil
    pending = []
    isWaiting = false
  }

  /// Writes what ends a cut frame and gives the screen back, and restores the line settings.
  ///
  /// Settings that are no longer ours stay: a shell that woke up first has made its own.
  /// - Returns: What the terminal did not take.
  private func giveBack() -> [UInt8] {
    let bytes = pending.isEmpty ? leave : [Self.cancel] + leave
    pending = []
    isWaiting = false
    reading?.setRunning(false)
    writing?.setRunning(false)
    // A terminal that has gone needs nothing back.
    let count = (try? output.write(bytes[...])) ?? bytes.count
    if let current = try? input.modes(), current.isRaw { try? input.set(originalModes) }
    return Array(bytes.dropFirst(count))
  }
}

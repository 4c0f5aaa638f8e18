internal import CLinux
internal import Glibc
public import TermindDomain

/// Why a terminal device could not be used.
public enum TerminalDeviceError: Error, Hashable, Sendable {
  /// The descriptor is not a terminal.
  case notTerminal
  /// The terminal has gone: its emulator closed, or its line hung up.
  case hungUp
  /// The system refused; the diagnostic names the call and its text.
  case failed(diagnostic: String)
}

/// A terminal that somebody looks at, by an open descriptor.
public struct TerminalDevice: Sendable {
  /// The open terminal, for readiness sources.
  public let descriptor: OwnedDescriptor
  /// Whether the open file is our own, so that its flags concern nobody else.
  public let isReopened: Bool

  /// Wraps a terminal that is open.
  public init(_ descriptor: OwnedDescriptor) throws(TerminalDeviceError) {
    guard isatty(descriptor.number) == 1 else { throw .notTerminal }
    self.descriptor = descriptor
    isReopened = false
  }

  private init(reopened descriptor: OwnedDescriptor) {
    self.descriptor = descriptor
    isReopened = true
  }

  /// Duplicates a standard stream of this process.
  public static func standard(_ number: Int32) throws(TerminalDeviceError) -> TerminalDevice {
    guard isatty(number) == 1 else { throw .notTerminal }
    let copy = tm_duplicate_from(number, 3)
    guard copy >= 0 else { throw .failed(diagnostic: "duplicate: \(SystemText.last())") }
    return try TerminalDevice(OwnedDescriptor(adopting: copy))
  }

  /// Opens the same terminal once more, not blocking.
  ///
  /// So the flags of the shared open file stay as they are. Where that is refused (the terminal belongs to another user, as after `su`), the
  /// given one is used, and its flags change.
  public func reopened(reading: Bool) -> TerminalDevice {
    let flags = (reading ? O_RDONLY : O_WRONLY) | O_NOCTTY | O_NONBLOCK | O_CLOEXEC
    let number = unsafe tm_open("/proc/self/fd/\(descriptor.number)", flags, 0)
    if number >= 0 { return TerminalDevice(reopened: OwnedDescriptor(adopting: number)) }
    _ = tm_set_nonblocking(descriptor.number, 1)
    return self
  }

  /// The status flags of the open file, to be restored with `restoreStatusFlags`.
  public var statusFlags: Int32 { tm_status_flags(descriptor.number) }

  /// Puts the status flags back; a terminal that has gone needs nothing.
  public func restoreStatusFlags(_ flags: Int32) {
    if flags >= 0 { _ = tm_set_status_flags(descriptor.number, flags) }
  }

  /// The line settings in force.
  public func modes() throws(TerminalDeviceError) -> TerminalModes {
    var modes = termios()
    guard unsafe tcgetattr(descriptor.number, &modes) == 0 else {
      throw errno == EIO ? .hungUp : .failed(diagnostic: "tcgetattr: \(SystemText.last())")
    }
    return TerminalModes(modes)
  }

  /// Puts line settings in force at once, without waiting for output that is still queued.
  public func set(_ modes: TerminalModes) throws(TerminalDeviceError) {
    var system = modes.system
    while unsafe tcsetattr(descriptor.number, TCSANOW, &system) != 0 {
      if errno == EINTR { continue }
      throw errno == EIO ? .hungUp : .failed(diagnostic: "tcsetattr: \(SystemText.last())")
    }
  }

  /// The size that the terminal reports; `nil` while it reports none (no rows or no columns).
  public func size() -> TerminalDimensions? {
    var size = winsize()
    guard unsafe tm_get_window_size(descriptor.number, &size) == 0, size.ws_row > 0, size.ws_col > 0
    else { return nil }
    return TerminalDimensions(
      rows: Int(size.ws_row),
      columns: Int(size.ws_col),
      pixelWidth: Int(size.ws_xpixel),
      pixelHeight: Int(size.ws_ypixel)
    )
  }

  /// Writes what the terminal takes now.
  ///
  /// - Returns: How many bytes went; 0 when it takes none.
  public func write(_ bytes: ArraySlice<UInt8>) throws(TerminalDeviceError) -> Int {
    while true {
      let count = unsafe bytes.withUnsafeBytes {
        unsafe Glibc.write(descriptor.number, $0.baseAddress, $0.count)
      }
      if count >= 0 { return count }
      switch errno {
      case EINTR: continue
      case EAGAIN: return 0
      case EIO: throw .hungUp
      default: throw .failed(diagnostic: "write: \(SystemText.last())")
      }
    }
  }

  /// Reads what was typed.
  ///
  /// - Parameter limit: The most bytes to take.
  /// - Returns: The bytes, or `nil` when there are none now.
  /// - Throws: `.hungUp` once the terminal has gone.
  public func read(limit: Int = 65_536) throws(TerminalDeviceError) -> [UInt8]? {
    while true {
      var count = 0
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, used in
        count = unsafe Glibc.read(descriptor.number, buffer.baseAddress, limit)
        used = max(0, count)
      }
      if count > 0 { return bytes }
      if count == 0 { throw .hungUp }
      switch errno {
      case EINTR: continue
      case EAGAIN: return nil
      case EIO: throw .hungUp
      default: throw .failed(diagnostic: "read: \(SystemText.last())")
      }
    }
  }
}

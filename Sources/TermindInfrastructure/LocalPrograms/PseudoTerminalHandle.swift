internal import CLinux
internal import Glibc
public import TermindDomain

/// The master side of a pseudo-terminal; the other side is opened by path.
public struct PseudoTerminal: Sendable {
  /// The master, not blocking.
  public let descriptor: OwnedDescriptor
  /// The path of the terminal that the program sees.
  public let path: String

  /// Opens a pseudo-terminal of the given size, with UTF-8 line editing.
  public init(size: TerminalDimensions) throws(TerminalDeviceError) {
    var name = [CChar](repeating: 0, count: 128)
    let number = unsafe tm_open_pseudo_terminal(&name, name.count)
    guard number >= 0 else { throw .failed(diagnostic: "posix_openpt: \(SystemText.last())") }
    descriptor = OwnedDescriptor(adopting: number)
    path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    _ = tm_set_nonblocking(number, 1)
    var modes = termios()
    if unsafe tcgetattr(number, &modes) == 0 {
      modes.c_iflag |= tcflag_t(IUTF8)
      unsafe tcsetattr(number, TCSANOW, &modes)
    }
    resize(to: size)
  }

  /// Tells the program its new size.
  public func resize(to size: TerminalDimensions) {
    var system = winsize(
      ws_row: UInt16(clamping: size.rows),
      ws_col: UInt16(clamping: size.columns),
      ws_xpixel: UInt16(clamping: size.pixelWidth),
      ws_ypixel: UInt16(clamping: size.pixelHeight)
    )
    _ = unsafe tm_set_window_size(descriptor.number, &system)
  }

  /// The process group in the foreground; `nil` when there is none.
  public func foregroundGroup() -> Int32? {
    let group = tm_foreground_group(descriptor.number)
    return group > 0 ? group : nil
  }

  /// What one read brought.
  public enum Read: Hashable, Sendable {
    /// So many bytes.
    case bytes(Int)
    /// Nothing now.
    case empty
    /// No program has the terminal open any more.
    case ended
  }

  /// Reads into a buffer what the program wrote.
  public func read(into buffer: UnsafeMutableRawBufferPointer) -> Read {
    while true {
      let count = unsafe Glibc.read(descriptor.number, buffer.baseAddress, buffer.count)
      if count > 0 { return .bytes(count) }
      if count < 0, errno == EINTR { continue }
      return count < 0 && errno == EAGAIN ? .empty : .ended
    }
  }

  /// Writes what the terminal takes now; how many bytes, or `nil` when it has ended.
  public func write(_ bytes: ArraySlice<UInt8>) -> Int? {
    while true {
      let count = unsafe bytes.withUnsafeBytes {
        unsafe Glibc.write(descriptor.number, $0.baseAddress, $0.count)
      }
      if count >= 0 { return count }
      if errno == EINTR { continue }
      return errno == EAGAIN ? 0 : nil
    }
  }
}

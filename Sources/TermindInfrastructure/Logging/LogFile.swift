internal import CLinux
internal import FoundationEssentials
internal import Glibc

/// How much a line of the log matters.
public enum LogLevel: String, Sendable, Hashable {
  /// Something that happened.
  case info
  /// Something that was unexpected and handled.
  case warning
  /// Something that failed for the person.
  case error
}

/// The server's log: one line an event, bounded to two files of a fixed size.
///
/// Writing is safe from any thread and never waits for the disk to sync. What cannot be written is
/// dropped: the log must never be the reason that the program stops.
public final class LogFile: Sendable {
  private struct State {
    var descriptor: OwnedDescriptor?
    var size: Int
  }

  /// Where the log lies; the file before it has `.old` appended.
  public let path: String
  private let limit: Int
  private let state: Locked<State>

  /// Opens or creates the file with mode 0600.
  ///
  /// - Parameters:
  ///   - path: Where the log lies.
  ///   - limit: The size in bytes from which on the file is set aside as `.old`.
  public init(path: String, limit: Int = 1_048_576) {
    self.path = path
    self.limit = limit
    state = Locked(Self.open(path))
  }

  /// Appends one line with the time, the level and the text, control characters replaced.
  public func write(_ level: LogLevel, _ text: String) {
    let line = Self.line(level, text, at: Date())
    state.withLock { state in
      if state.size + line.count > limit {
        _ = unsafe rename(path, path + ".old")
        state = Self.open(path)
      }
      guard let descriptor = state.descriptor else { return }
      let written = unsafe line.withUnsafeBytes {
        unsafe Glibc.write(descriptor.number, $0.baseAddress, $0.count)
      }
      state.size += max(0, written)
    }
  }

  static func line(_ level: LogLevel, _ text: String, at date: Date) -> [UInt8] {
    var line = "\(date.formatted(.iso8601)) \(level.rawValue) "
    for scalar in text.unicodeScalars.prefix(4096) {
      let hidden = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
      line.unicodeScalars.append(hidden ? "\u{FFFD}" : scalar)
    }
    line += "\n"
    return Array(line.utf8)
  }

  private static func open(_ path: String) -> State {
    let number = unsafe tm_open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard number >= 0 else { return State(descriptor: nil, size: 0) }
    let end = lseek(number, 0, SEEK_END)
    return State(descriptor: OwnedDescriptor(adopting: number), size: max(0, Int(end)))
  }
}

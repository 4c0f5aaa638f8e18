internal import CLinux
internal import Glibc

/// The line settings of a terminal (`termios`), as a value that can be sent and compared.
public struct TerminalModes: Sendable, Hashable {
  /// Input, output, control and local flags.
  public var flags: [UInt32]
  /// The line discipline.
  public var line: UInt8
  /// The control characters.
  public var characters: [UInt8]
  /// Input and output speed.
  public var speeds: [UInt32]

  /// How many control characters the system has.
  public static let characterCount = 32

  /// Puts received settings together; `nil` when the counts are wrong.
  public init?(flags: [UInt32], line: UInt8, characters: [UInt8], speeds: [UInt32]) {
    guard flags.count == 4, characters.count == Self.characterCount, speeds.count == 2 else {
      return nil
    }
    self.flags = flags
    self.line = line
    self.characters = characters
    self.speeds = speeds
  }

  init(_ modes: termios) {
    flags = [modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag]
    line = modes.c_line
    var characters = modes.c_cc
    self.characters = unsafe withUnsafeBytes(of: &characters) { unsafe Array($0) }
    speeds = [modes.c_ispeed, modes.c_ospeed]
  }

  var system: termios {
    var modes = termios()
    modes.c_iflag = flags[0]
    modes.c_oflag = flags[1]
    modes.c_cflag = flags[2]
    modes.c_lflag = flags[3]
    modes.c_line = line
    modes.c_ispeed = speeds[0]
    modes.c_ospeed = speeds[1]
    unsafe withUnsafeMutableBytes(of: &modes.c_cc) { unsafe $0.copyBytes(from: characters) }
    return modes
  }

  /// These settings with every translation and key of the line discipline off: each byte passes as
  /// it is, and reads give what is there.
  public var raw: TerminalModes {
    var modes = system
    unsafe cfmakeraw(&modes)
    var result = TerminalModes(modes)
    result.characters[Int(VMIN)] = 1
    result.characters[Int(VTIME)] = 0
    return result
  }

  /// Whether line editing is off, which a shell at its prompt or a cooked terminal never has together
  /// with signals off.
  public var isRaw: Bool { flags[3] & (tcflag_t(ICANON) | tcflag_t(ISIG) | tcflag_t(ECHO)) == 0 }
}

/// How a host is talked to.
public enum HostProtocol: String, Hashable, Sendable, Codable, CaseIterable {
  /// SSH, with SFTP and forwarding.
  case ssh
  /// Telnet, in the clear.
  case telnet

  /// The port that is meant when none is given.
  public var defaultPort: UInt16 {
    switch self {
    case .ssh: 22
    case .telnet: 23
    }
  }
}

/// Whether the shell of a host is given the marks that tell prompts, commands and directories.
public enum ShellIntegrationChoice: String, Hashable, Sendable, Codable, CaseIterable {
  /// As the settings say for all hosts.
  case standard
  /// Always for this host.
  case enabled
  /// Never for this host.
  case disabled
}

/// Which shells are given those marks where no host says otherwise.
public enum ShellIntegrationScope: String, Hashable, Sendable, CaseIterable {
  /// None.
  case off
  /// Those of this machine.
  case local
  /// Those of hosts too.
  case on

  /// Whether the shell of a host is given them.
  ///
  /// - Parameter choice: What the host says.
  /// - Returns: What it says, else whether it is every shell.
  public func includesHost(_ choice: ShellIntegrationChoice) -> Bool {
    switch choice {
    case .standard: self == .on
    case .enabled: true
    case .disabled: false
    }
  }
}

/// What the programs of a host may do with the clipboard.
public enum ClipboardChoice: String, Hashable, Sendable, Codable, CaseIterable {
  /// They may write it; whether they may read it is as the settings say.
  case standard
  /// They may write and read it.
  case reading
  /// They may only write it.
  case writing
  /// They may do neither.
  case disabled

  /// Whether a program may put a text there.
  public var allowsWriting: Bool { self != .disabled }

  /// Whether a program may ask for what was last copied.
  ///
  /// - Parameter setting: What the settings say for all hosts.
  /// - Returns: What the host says, else what the settings say.
  public func allowsReading(otherwise setting: Bool) -> Bool {
    switch self {
    case .standard: setting
    case .reading: true
    case .writing, .disabled: false
    }
  }
}

/// Which engine makes the SSH connections of a host.
public enum EngineChoice: String, Hashable, Sendable, Codable, CaseIterable {
  /// Libssh2, and OpenSSH where libssh2 cannot reach the host.
  case automatic
  /// Only libssh2.
  case libssh2
  /// Only OpenSSH.
  case openSSH
}

/// A mark of a record in one of the theme's colours.
public enum PaletteColor: String, Hashable, Sendable, Codable, CaseIterable {
  /// The theme's red.
  case red
  /// The theme's green.
  case green
  /// The theme's yellow.
  case yellow
  /// The theme's blue.
  case blue
  /// The theme's magenta.
  case magenta
  /// The theme's cyan.
  case cyan
  /// The theme's bright black.
  case gray

  /// The place of the colour among the 16 of a terminal.
  public var index: UInt8 {
    switch self {
    case .red: 1
    case .green: 2
    case .yellow: 3
    case .blue: 4
    case .magenta: 5
    case .cyan: 6
    case .gray: 8
    }
  }
}

/// A variable that a host's shell is asked to have.
public struct EnvironmentVariable: Hashable, Sendable, Codable {
  /// Its name.
  public var name: String
  /// Its value, kept exactly.
  public var value: String

  /// Makes a variable.
  public init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}

/// One jump host on the way to a saved host.
public enum HostJump: Hashable, Sendable, ExpressibleByStringLiteral {
  /// A saved host, whose own jumps come before it; it stays meant when it is renamed.
  case saved(HostID)
  /// `[user@]host[:port]`, where the host may be the name of a saved host.
  case text(String)

  /// Takes a jump as a person writes it.
  public init(stringLiteral value: String) { self = .text(value) }
}

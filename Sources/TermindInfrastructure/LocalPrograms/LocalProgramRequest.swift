public import TermindDomain
internal import Glibc

/// What a local terminal pane is to run.
public struct LocalProgramRequest: Sendable, Hashable {
  /// The kinds of program.
  public enum Program: Sendable, Hashable {
    /// The user's login shell.
    case loginShell
    /// A command with its arguments; never interpreted by a shell.
    case command([String])
  }

  /// What to run.
  public var program: Program
  /// Where to start; the home directory when it is absent or cannot be entered.
  public var directory: String?
  /// Variables to set over those of the server.
  public var environment: [String: String]
  /// The size to start with.
  public var size: TerminalDimensions
  /// Whether a login shell is to mark its prompts and commands, where it is one that can.
  public var isIntegrated: Bool

  /// Describes a program.
  public init(
    _ program: Program,
    directory: String? = nil,
    environment: [String: String] = [:],
    size: TerminalDimensions,
    isIntegrated: Bool = false
  ) {
    self.program = program
    self.directory = directory
    self.environment = environment
    self.size = size
    self.isIntegrated = isIntegrated
  }
}

/// What a program in a pane finds around it.
enum LocalProgramSurroundings {
  /// The outer terminal's and the service manager's marks, which would mislead a program in a pane.
  private static let dropped: Set<String> = [
    "TERM", "TERMCAP", "TERMINFO", "COLORTERM", "COLORFGBG", "LINES", "COLUMNS", "WINDOWID",
    "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "TERM_SESSION_ID", "LC_TERMINAL",
    "LC_TERMINAL_VERSION", "TMUX", "TMUX_PANE", "STY", "VTE_VERSION", "WT_SESSION",
    "WT_PROFILE_ID", "KONSOLE_VERSION", "SHLVL", "OLDPWD", "_", "NOTIFY_SOCKET", "LISTEN_FDS",
    "LISTEN_PID", "LISTEN_FDNAMES", "INVOCATION_ID", "JOURNAL_STREAM", "MAINPID",
  ]
  private static let droppedPrefixes = [
    "KITTY_", "WEZTERM_", "ITERM_", "GHOSTTY_", "ALACRITTY_", "KONSOLE_DBUS_", "ZELLIJ",
  ]

  /// The whole environment of a program.
  static func environment(
    of request: LocalProgramRequest,
    server: [String: String],
    version: String,
    directory: String,
    account: UserAccount?,
    shell: String
  ) -> [String: String] {
    var result = server.filter { name, _ in
      !dropped.contains(name) && !droppedPrefixes.contains(where: name.hasPrefix)
    }
    if let account {
      for (name, value) in [
        ("HOME", account.home), ("USER", account.name), ("LOGNAME", account.name),
      ] where result[name] == nil { result[name] = value }
    }
    result["SHELL"] = shell
    result["PWD"] = directory
    result["TERM"] = "xterm-256color"
    result["COLORTERM"] = "truecolor"
    result["TERM_PROGRAM"] = "termind"
    result["TERM_PROGRAM_VERSION"] = version
    return result.merging(request.environment) { $1 }
  }

  /// The login shell: `SHELL` when it can be run, else the account's, else the system's.
  static func shell(variable: String?, account: UserAccount?) -> String {
    for candidate in [variable ?? "", account?.shell ?? ""]
    where candidate.hasPrefix("/") && isAccessible(candidate) { return candidate }
    return "/bin/sh"
  }

  /// The first directory that can be entered.
  static func directory(_ candidates: [String?]) -> String {
    for case .some(let candidate) in candidates
    where candidate.hasPrefix("/") && isAccessible(candidate + "/.") {
      return candidate
    }
    return "/"
  }

  private static func isAccessible(_ path: String) -> Bool { unsafe access(path, X_OK) == 0 }
}

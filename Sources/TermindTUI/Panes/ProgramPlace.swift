import TermindInfrastructure
import TermindTerminal

/// Where the program of a pane is, and which one has the terminal.
///
/// The kernel is asked only when something was printed since the last time.
struct ProgramPlace {
  /// What was found.
  struct Sight {
    /// The directory: as the program told it, also on another machine, else as procfs says.
    var directory: String?
    /// The program in the foreground of a local shell, when it is not the shell itself.
    var program: String?
  }

  private var known: Sight?
  /// The host that was named first, which is the pane's own.
  private var ownHost: String?

  /// The program has printed, and may be elsewhere or another one.
  mutating func printed() { known = nil }

  /// The program has told where it is, and on which host.
  mutating func told(by host: String?) { if ownHost == nil { ownHost = host } }

  /// Where a remote shell is, unless it is on another host than the one that was named first, as after `ssh` in it.
  func remoteDirectory(_ surface: Surface?) -> String? {
    surface?.withTerminal { [ownHost] terminal in
      terminal.workingDirectoryHost == ownHost ? terminal.workingDirectory : nil
    }
  }

  /// Looks where the program is.
  mutating func look(_ surface: Surface?, _ local: LocalProgram?) -> Sight {
    if let known { return known }
    let told = surface?.withTerminal { $0.workingDirectory }
    let hasJob = local?.hasForegroundJob == true
    // A shell that tells where it is needs no look at its process.
    let foreground = hasJob || told == nil ? local?.foreground() : nil
    let sight = Sight(
      directory: told ?? foreground?.directory,
      program: hasJob ? foreground?.name : nil
    )
    known = sight
    return sight
  }

  /// Where a new program beside it starts: as it told by OSC 7, else as procfs says.
  func workingDirectory(_ surface: Surface?, _ local: LocalProgram?) -> String? {
    if let told = surface?.withTerminal({ Self.localDirectory(of: $0) }) { return told }
    return local?.foreground()?.directory
  }

  /// The directory told by OSC 7, unless it is one of another machine, as after `ssh` in a local shell.
  private nonisolated static func localDirectory(of terminal: Terminal) -> String? {
    let host = terminal.workingDirectoryHost ?? ""
    guard host.isEmpty || host == "localhost" || host == ProcessEnvironment.hostName else {
      return nil
    }
    return terminal.workingDirectory
  }
}

import TermindApplication
import TermindDomain
import TermindInfrastructure

/// What a pane was opened for; a restart uses it again.
enum PaneContent {
  /// Nothing yet: a hint says what can be opened here.
  case empty
  /// A program of this machine.
  case local(LocalProgramRequest.Program, directory: String?)
  /// A remote shell.
  case ssh(SSHTarget)
  /// The files of a server or of this machine.
  case files(FilesTarget)

  /// A remote shell's host.
  struct SSHTarget {
    /// The way to it.
    var route: Route
    /// The saved host's name, or the words that the person typed.
    var name: String
    /// The saved host, if it is one.
    var host: HostID?
    /// What to type to come here again.
    var line: String

    /// What a workspace of several hosts is called: `web1 +3`.
    static func name(of targets: [SSHTarget]) -> String {
      let first = targets.first?.name ?? ""
      return targets.count > 1 ? "\(first) +\(targets.count - 1)" : first
    }
  }

  var kind: PaneKind {
    switch self {
    case .empty: .empty
    case .local: .local
    case .ssh: .ssh
    case .files(let target): target.host == nil ? .files : .sftp
    }
  }

  var hopCount: Int {
    server?.route.hops.count ?? 0
  }

  /// The server that it is about.
  var server: SSHTarget? {
    switch self {
    case .ssh(let target): target
    case .files(let target): target.host
    case .empty, .local: nil
    }
  }
}

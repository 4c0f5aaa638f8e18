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
  /// A saved host that no route leads to; the pane says why, and looks again when it is started anew.
  case noRoute(NoRoute)

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
    /// How the shell is started there.
    var shell = ShellStart()
  }

  /// A saved host without a route.
  struct NoRoute {
    /// The host's name.
    var name: String
    /// The host.
    var host: HostID
    /// Why there is none.
    var error: RouteBuildError
  }

  /// What a workspace of several hosts is called: `web1 +3`.
  static func name(of contents: [PaneContent]) -> String {
    let first = contents.first?.hostName ?? ""
    return contents.count > 1 ? "\(first) +\(contents.count - 1)" : first
  }

  /// The name of the host that is meant; nil where none is.
  var hostName: String? {
    switch self {
    case .ssh(let target): target.name
    case .noRoute(let host): host.name
    case .files(let target): target.host?.name
    case .empty, .local: nil
    }
  }

  /// The saved host that is meant; nil where none is.
  var host: HostID? {
    switch self {
    case .ssh(let target): target.host
    case .noRoute(let host): host.host
    case .files(let target): target.host?.host
    case .empty, .local: nil
    }
  }

  /// Whether it is what root sees on a server.
  var isRoot: Bool {
    if case .files(let target) = self { target.isRoot } else { false }
  }

  var kind: PaneKind {
    switch self {
    case .empty: .empty
    case .local: .local
    case .ssh, .noRoute: .ssh
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
    case .empty, .local, .noRoute: nil
    }
  }

  /// The files of the host, in place of a shell on it.
  var asFiles: PaneContent {
    guard case .ssh(let target) = self else { return self }
    return .files(FilesTarget(host: target, directory: nil))
  }
}

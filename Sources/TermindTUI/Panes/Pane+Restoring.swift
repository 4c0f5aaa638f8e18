import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindPresentation
import TermindTerminal

/// A pane as a restart brings it back: what it is for and its last text, and nothing that runs.
extension Pane {
  /// What is kept of the pane.
  ///
  /// - Parameter withText: Whether its last text is kept too.
  /// - Returns: The pane under its own number.
  func saved(withText: Bool) -> SessionSnapshot.Pane {
    // Its file goes with it, or belongs to an edit that comes back by itself.
    guard !isHelper else {
      return SessionSnapshot.Pane(id: id, content: .empty, name: nil, text: [])
    }
    let text = withText ? surface?.withTerminal { $0.lastLines(SessionSnapshot.maximumLines) } : nil
    return SessionSnapshot.Pane(id: id, content: savedContent, name: customName, text: text ?? [])
  }

  private var savedContent: SavedPaneContent {
    switch content {
    case .empty: .empty
    case .local(let program, let directory):
      .local(words: program.words, directory: workingDirectory ?? directory)
    case .ssh(let target): .ssh(target.saved)
    case .noRoute(let host): .ssh(.init(host: host.host, name: host.name, line: host.name))
    case .files(let target): savedFiles(target)
    }
  }

  private func savedFiles(_ target: PaneContent.FilesTarget) -> SavedPaneContent {
    var target = target
    target.directory = files?.model.directory ?? target.directory
    return target.saved
  }

  /// Shows the text of the last session, greyed, until something is started here.
  func restore(_ saved: SessionSnapshot.Pane) {
    customName = saved.name ?? customName
    guard content.kind.isTerminal, !saved.text.isEmpty else { return }
    let surface = surface ?? makeSurface()
    surface.change { $0.showPast(saved.text) }
    surface.leave("what is above comes from the last session")
    // The text is worth more than an Escape.
    hasBeenUp = true
    fit()
  }
}

extension LocalProgramRequest.Program {
  /// The program with its arguments; nil for the login shell.
  fileprivate var words: [String]? {
    switch self {
    case .loginShell: nil
    case .command(let words): words
    }
  }
}

extension PaneContent.FilesTarget {
  /// The files as a restart finds them again.
  var saved: SavedPaneContent {
    guard let host else { return .files(directory: directory?.bytes) }
    var saved = host.saved
    if isRoot { saved.isRoot = true }
    return .sftp(saved, directory: directory?.bytes)
  }
}

extension PaneContent.SSHTarget {
  fileprivate var saved: SavedPaneContent.SavedHost {
    SavedPaneContent.SavedHost(host: host, name: name, line: line)
  }
}

extension SavedPaneContent {
  /// What a pane is opened with, and the name of what is no longer there.
  ///
  /// - Parameters:
  ///   - services: Knows the saved hosts.
  ///   - routes: Finds the way to what was only typed.
  /// - Returns: The content; an empty one with a name for a host that is gone.
  func content(_ services: Services, _ routes: RouteBuilder) -> (PaneContent, missing: String?) {
    switch self {
    case .empty: return (.empty, nil)
    case .local(let words, let directory):
      let program = words.map { LocalProgramRequest.Program.command($0) } ?? .loginShell
      return (.local(program, directory: directory), nil)
    case .ssh(let host): return Self.content(host, services, routes)
    case .sftp(let host, let directory):
      let (content, missing) = Self.content(host, services, routes)
      guard case .files(var target) = content.asFiles else { return (content, missing) }
      target.directory = directory.flatMap { RemotePath($0) }
      target.isRoot = host.isRoot == true
      return (.files(target), missing)
    case .files(let directory):
      let path = directory.flatMap { RemotePath($0) }
      return (.files(PaneContent.FilesTarget(host: nil, directory: path)), nil)
    }
  }

  /// Whose files it was opened for; nil when its host is gone, or when it is no pane of files.
  func filesTarget(_ services: Services, _ routes: RouteBuilder) -> PaneContent.FilesTarget? {
    guard case .files(let target) = content(services, routes).0 else { return nil }
    return target
  }

  private static func content(
    _ saved: SavedHost,
    _ services: Services,
    _ routes: RouteBuilder
  ) -> (PaneContent, missing: String?) {
    if let id = saved.host {
      guard let host = services.vault.contents.host(id) else { return (.empty, saved.name) }
      return (HostTarget.content(host, routes), nil)
    }
    guard case .found(let content) = HostTarget.parse(saved.line, routes) else {
      return (.empty, saved.name)
    }
    return (content, nil)
  }
}

public import TermindDomain

/// What a pane holds, as the questions before an end name it.
public enum PaneKind: String, Hashable, Sendable, Codable, CaseIterable {
  /// Nothing yet.
  case empty
  /// A local shell or command.
  case local
  /// A remote shell.
  case ssh
  /// The files of a server.
  case sftp
  /// The files of this machine.
  case files

  /// Whether it lives on a connection to a server.
  public var isRemote: Bool { self == .ssh || self == .sftp }
  /// Whether keys go to a program in a terminal.
  public var isTerminal: Bool { self == .local || self == .ssh }
}

/// One pane in a question before an end.
public struct PaneSummary: Hashable, Sendable {
  /// The pane.
  public let pane: PaneID
  /// What it holds.
  public let kind: PaneKind
  /// Whether something runs in it that would end.
  public let isLive: Bool
  /// Its title, as it is shown.
  public let title: String
  /// The program in its foreground, when it is known and is not the shell.
  public let program: String?

  /// Makes a summary.
  public init(
    pane: PaneID,
    kind: PaneKind,
    isLive: Bool,
    title: String = "",
    program: String? = nil
  ) {
    self.pane = pane
    self.kind = kind
    self.isLive = isLive
    self.title = title
    self.program = program
  }
}

/// One workspace that would end, with its panes.
public struct EndingWorkspace: Hashable, Sendable, Identifiable {
  /// The workspace.
  public let id: WorkspaceID
  /// Its name.
  public let name: String
  /// The window that owns it.
  public let window: WindowID
  /// Its panes, in reading order.
  public let panes: [PaneSummary]

  /// The panes in which something runs.
  public var livePanes: [PaneSummary] { panes.filter(\.isLive) }
}

/// Work that belongs to no window.
public struct AppWideWork: Hashable, Sendable {
  /// Transfers that run or wait.
  public var transfers: Int
  /// What they are, in words.
  public var names: [String]
  /// Copies that were asked for on a command line.
  public var commands: Int
  /// Forwardings that are up.
  public var forwardings: Int
  /// Hosts that are being monitored.
  public var monitors: Int
  /// Files of servers that were edited here and not uploaded; their copies stay.
  public var edits: Int
  /// Runs of snippets that were asked for on a command line.
  public var runs: Int

  /// Makes a count.
  public init(
    transfers: Int = 0,
    names: [String] = [],
    commands: Int = 0,
    forwardings: Int = 0,
    monitors: Int = 0,
    edits: Int = 0,
    runs: Int = 0
  ) {
    self.transfers = transfers
    self.names = names
    self.commands = commands
    self.forwardings = forwardings
    self.monitors = monitors
    self.edits = edits
    self.runs = runs
  }

  /// Whether there is none.
  public var isEmpty: Bool { self == AppWideWork(names: names) }
}

/// The question before a window is closed.
public struct CloseWindowQuestion: Hashable, Sendable {
  /// The window.
  public let window: WindowID
  /// Everything that ends: all workspaces of the window, also hidden and disconnected ones.
  public let ending: [EndingWorkspace]
  /// What goes on without the window.
  public let kept: AppWideWork
}

/// The question before the server ends.
public struct QuitQuestion: Hashable, Sendable {
  /// Every workspace of every window, attached or not.
  public let ending: [EndingWorkspace]
  /// App-wide work, which ends too.
  public let work: AppWideWork
}

/// What the close-pane action did.
public enum ClosePaneOutcome: Hashable, Sendable {
  /// The focused pane is out of its tree; its session ends. With the last pane its workspace went.
  case closed(pane: PaneID, workspace: WorkspaceID, endedWorkspace: Bool)
  /// What lay on top was dismissed.
  case dismissed(WindowOverlay)
  /// A destination such as Settings was left.
  case left(WindowDestination)
  /// There was nothing to close.
  case nothing
}

/// Whether a window may be closed at once.
public enum CloseWindowRequest: Hashable, Sendable {
  /// It owns no workspace; `ServerModel.closeWindow` ends nothing.
  case immediate
  /// The person has to agree first.
  case needsConfirmation(CloseWindowQuestion)
  /// There is no such window.
  case unknownWindow
}

/// Whether the server may end at once.
public enum QuitRequest: Hashable, Sendable {
  /// Nothing would be lost.
  case immediate
  /// The person has to agree first.
  case needsConfirmation(QuitQuestion)
}

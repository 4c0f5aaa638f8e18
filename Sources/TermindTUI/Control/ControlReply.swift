public import TermindDomain

/// One window, as `termind ctl windows` and `termind ls` list it.
public nonisolated struct ControlWindow: Hashable, Sendable, Codable {
  /// The window's number.
  public var id: WindowID
  /// Its name.
  public var name: String
  /// Whether a terminal shows it.
  public var attached: Bool
  /// Whether it is the one that verbs without an id mean.
  public var active: Bool
  /// Rows of its terminal.
  public var rows: Int
  /// Columns of its terminal.
  public var columns: Int
  /// Its workspaces, in order.
  public var workspaces: [WorkspaceID]

  /// Makes a row.
  public init(
    id: WindowID,
    name: String,
    attached: Bool,
    active: Bool,
    rows: Int,
    columns: Int,
    workspaces: [WorkspaceID]
  ) {
    self.id = id
    self.name = name
    self.attached = attached
    self.active = active
    self.rows = rows
    self.columns = columns
    self.workspaces = workspaces
  }
}

/// One workspace, as `termind ctl workspaces` lists it.
public nonisolated struct ControlWorkspace: Hashable, Sendable, Codable {
  /// The workspace's number.
  public var id: WorkspaceID
  /// Its name.
  public var name: String
  /// The window that owns it.
  public var window: WindowID
  /// Whether its window shows it.
  public var active: Bool
  /// Whether its focused pane is zoomed.
  public var zoomed: Bool
  /// Its panes, in the order of the tree.
  public var panes: [PaneID]

  /// Makes a row.
  public init(
    id: WorkspaceID,
    name: String,
    window: WindowID,
    active: Bool,
    zoomed: Bool,
    panes: [PaneID]
  ) {
    self.id = id
    self.name = name
    self.window = window
    self.active = active
    self.zoomed = zoomed
    self.panes = panes
  }
}

/// One pane, as `termind ctl panes` lists it.
public nonisolated struct ControlPane: Hashable, Sendable, Codable {
  /// The pane's number.
  public var id: PaneID
  /// The workspace that holds it.
  public var workspace: WorkspaceID
  /// The window that shows it.
  public var window: WindowID
  /// `empty`, `shell`, `command` or `ssh`, or a later kind.
  public var kind: String
  /// What stands in its frame.
  public var title: String
  /// What it is doing.
  public var state: ControlPaneState
  /// Why it is in that state, for a person; absent when there is nothing to say.
  public var reason: String?
  /// The remote endpoint; absent for local panes.
  public var host: String?
  /// What its host wishes for and did not get, one sentence each; absent when there is nothing to say.
  public var notes: [String]?
  /// What carries its connection, with the version (`libssh2 1.10.0`, `OpenSSH 9.2p1`); absent without one.
  public var engine: String?
  /// Why that is not the usual engine, as the end of a sentence; absent when it is.
  public var engineReason: String?
  /// Its directory, when known.
  public var directory: String?
  /// The local process in its foreground, when known.
  public var program: String?
  /// What its program exited with, once it did.
  public var exitStatus: Int?
  /// Whether it has the focus of its workspace.
  public var focused: Bool
  /// Rows of its terminal.
  public var rows: Int
  /// Columns of its terminal.
  public var columns: Int

  /// Makes a row.
  public init(
    id: PaneID,
    workspace: WorkspaceID,
    window: WindowID,
    kind: String,
    title: String,
    state: ControlPaneState,
    reason: String? = nil,
    host: String? = nil,
    notes: [String]? = nil,
    engine: String? = nil,
    engineReason: String? = nil,
    directory: String? = nil,
    program: String? = nil,
    exitStatus: Int? = nil,
    focused: Bool,
    rows: Int,
    columns: Int
  ) {
    self.id = id
    self.workspace = workspace
    self.window = window
    self.kind = kind
    self.title = title
    self.state = state
    self.reason = reason
    self.host = host
    self.notes = notes
    self.engine = engine
    self.engineReason = engineReason
    self.directory = directory
    self.program = program
    self.exitStatus = exitStatus
    self.focused = focused
    self.rows = rows
    self.columns = columns
  }
}

/// What a verb made.
public nonisolated struct ControlCreated: Hashable, Sendable, Codable {
  /// The window in which it stands.
  public var window: WindowID
  /// The workspace that was made or that holds the new panes.
  public var workspace: WorkspaceID
  /// The new panes.
  public var panes: [PaneID]

  /// Makes an answer.
  public init(window: WindowID, workspace: WorkspaceID, panes: [PaneID]) {
    self.window = window
    self.workspace = workspace
    self.panes = panes
  }
}

/// Why a verb was not done; each has its exit status.
public nonisolated enum ControlErrorCode: String, Hashable, Sendable, Codable, CaseIterable {
  /// The server could not do it.
  case failed
  /// The command line cannot be understood.
  case usage
  /// No server runs.
  case noServer = "no-server"
  /// No window, workspace, pane or host of that name or number.
  case notFound = "not-found"
  /// Something would be lost; `--force` does it all the same.
  case needsForce = "needs-force"
  /// What was waited for did not come in time.
  case timedOut = "timed-out"
  /// The server is of another build.
  case otherVersion = "other-version"
  /// The server went away before it answered.
  case lost
  /// The verb does not apply here, such as splitting a pane that is too small.
  case notPossible = "not-possible"
  /// A name means several records.
  case ambiguous
  /// A field has a value that it cannot have.
  case invalid
  /// An import was shown and not confirmed.
  case unconfirmed
  /// The store cannot be used.
  case store
  /// Something is there already, or has changed meanwhile.
  case conflict
  /// The secret store is locked.
  case locked
  /// A server is just starting or ending.
  case busy
  /// A host cannot be reached, does not let in, or gives no files.
  case unreachable
  /// Only a person can answer what is asked, and none is there.
  case needsPerson = "needs-person"

  /// What `termind` exits with.
  public var exitStatus: UInt8 {
    switch self {
    case .failed: 1
    case .usage: 2
    case .noServer: 3
    case .notFound: 4
    case .needsForce: 5
    case .timedOut: 6
    case .otherVersion: 7
    case .lost: 8
    case .notPossible: 9
    case .ambiguous: 10
    case .invalid: 11
    case .unconfirmed: 12
    case .store: 13
    case .conflict: 14
    case .locked: 15
    case .busy: 16
    case .unreachable: 17
    case .needsPerson: 18
    }
  }
}

/// A code for scripts and a sentence for people.
public nonisolated struct ControlError: Error, Hashable, Sendable, Codable {
  /// The kind of error.
  public var code: ControlErrorCode
  /// What failed and what to do, in one sentence.
  public var message: String

  /// Makes an error.
  public init(_ code: ControlErrorCode, _ message: String) {
    self.code = code
    self.message = message
  }

  /// What would be lost, and how to do it all the same.
  static func needingForce(_ loss: String) -> ControlError {
    let sentence = loss.hasSuffix(".") ? loss : loss + "."
    return ControlError(.needsForce, sentence + " With --force it is done all the same.")
  }
}

/// The answer to a request of `termind ctl`.
public nonisolated enum ControlReply: Hashable, Sendable, Codable {
  /// The windows asked for.
  case windows([ControlWindow])
  /// The workspaces asked for.
  case workspaces([ControlWorkspace])
  /// The panes asked for.
  case panes([ControlPane])
  /// What was made.
  case created(ControlCreated)
  /// The text of a pane; lines end in a newline.
  case text(String)
  /// The answer to a request about records.
  case records(RecordAnswer)
  /// Done, and there is nothing to tell.
  case done
  /// Not done.
  case failed(ControlError)
}

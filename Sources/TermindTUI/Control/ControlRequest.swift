public import TermindDomain

/// What a verb of `termind ctl` is about; none means what is active.
public nonisolated enum ControlTarget: Hashable, Sendable, Codable {
  /// The active window, its active workspace, its focused pane.
  case active
  /// A window by number.
  case window(WindowID)
  /// A workspace by number.
  case workspace(WorkspaceID)
  /// A pane by number.
  case pane(PaneID)
}

/// A side, for splits, focus and sizes.
public nonisolated enum ControlDirection: String, Hashable, Sendable, Codable, CaseIterable {
  /// To the left.
  case left
  /// To the right.
  case right
  /// Upwards.
  case up
  /// Downwards.
  case down
}

/// Where the focus goes.
public nonisolated enum ControlFocus: Hashable, Sendable, Codable {
  /// To the target itself.
  case target
  /// To the neighbour on a side.
  case direction(ControlDirection)
  /// To the pane that had it before.
  case last
  /// To the next pane in order.
  case next
  /// To the pane before in order.
  case previous
}

/// What `wait` waits for.
public nonisolated enum ControlCondition: Hashable, Sendable, Codable {
  /// A row of the screen that a regular expression matches.
  case text(String)
  /// A state of the pane.
  case state(ControlPaneState)
}

/// What a pane is doing.
public nonisolated enum ControlPaneState: String, Hashable, Sendable, Codable, CaseIterable {
  /// Nothing is in it.
  case empty
  /// It is being connected.
  case connecting
  /// It waits for an answer of the person.
  case asking
  /// Its program runs.
  case up
  /// Its connection was lost, and another attempt follows by itself.
  case lost
  /// Its program ended, or its connection failed; a key starts it anew.
  case ended
}

/// A verb of `termind ctl` with its arguments.
public nonisolated enum ControlCommand: Hashable, Sendable, Codable {
  /// Lists windows.
  case windows
  /// Lists workspaces, of one window if the target names one.
  case workspaces
  /// Lists panes, of one window or workspace if the target names one.
  case panes
  /// Makes a workspace with an empty pane.
  case newWorkspace(name: String?)
  /// Opens hosts, those of a tag, or a template as panes of one new workspace.
  case open(OpenRequest)
  /// Does something about the records of the vault.
  case records(RecordQuestion)
  /// Splits the target pane; the command runs locally in the new one, else the login shell.
  case split(ControlDirection, command: [String])
  /// Moves the focus.
  case focus(ControlFocus)
  /// Zooms the pane; `nil` toggles.
  case zoom(Bool?)
  /// Moves a border of the pane by cells.
  case resize(ControlDirection, cells: Int)
  /// Types text as it is.
  case sendText(String)
  /// Presses keys, by the names of keymaps.
  case sendKeys([String])
  /// Gives the text of the pane.
  case capture(scrollback: Bool, ansi: Bool)
  /// Waits until something is true of the pane.
  case wait(ControlCondition, timeoutSeconds: Double)
  /// Names the target.
  case rename(String)
  /// Closes the pane.
  case closePane
  /// Closes the workspace.
  case closeWorkspace(force: Bool)
  /// Closes the window.
  case closeWindow(force: Bool)
  /// Moves the workspace to another window.
  case moveWorkspace(to: WindowID)
  /// Detaches the window.
  case detach
  /// Ends the server.
  case quit(force: Bool)
}

/// A request of `termind ctl`.
public nonisolated struct ControlRequest: Hashable, Sendable, Codable {
  /// What to do.
  public var command: ControlCommand
  /// What it is about.
  public var target: ControlTarget
  /// Secrets that go with it, by field; they travel in messages of their own and are never encoded.
  public var secrets: [String: SecretBytes] = [:]

  private enum CodingKeys: String, CodingKey {
    case command
    case target
  }

  /// Makes a request.
  public init(_ command: ControlCommand, target: ControlTarget = .active) {
    self.command = command
    self.target = target
  }

  /// Whether every number is in its documented range; a client of ours never sends others.
  var isInRange: Bool {
    switch command {
    case .wait(_, let seconds): (0...86_400).contains(seconds)
    case .resize(_, let cells): (1...1000).contains(cells)
    default: true
    }
  }
}

/// Answers requests of `termind ctl`.
@MainActor public protocol ControlHandling: AnyObject {
  /// Does what is asked, and answers; the task is cancelled when the asking client goes away.
  func handle(_ request: ControlRequest) async -> ControlReply
}

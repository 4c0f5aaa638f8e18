public import TermindDomain

/// Everything that a key, a palette entry or a click can ask the program to do.
///
/// The text form is `name` or `name:parameter`, as a keymap writes it; `description` prints it and
/// `init(text:)` reads it back.
public enum Action: Hashable, Sendable {
  /// A side of a pane.
  public enum Direction: String, Hashable, Sendable, CaseIterable {
    /// Towards column zero.
    case left
    /// Towards the last column.
    case right
    /// Towards row zero.
    case up
    /// Towards the last row.
    case down
  }

  /// Which pane the focused one changes places with.
  public enum SwapTarget: Hashable, Sendable {
    /// The neighbour on that side.
    case neighbour(Direction)
    /// The next one in the workspace's order.
    case next
    /// The one before in the workspace's order.
    case previous
  }

  /// The way a ring of panes turns.
  public enum Turn: String, Hashable, Sendable, CaseIterable {
    /// Every pane takes the place of the next one.
    case forward
    /// Every pane takes the place of the one before.
    case backward
  }

  /// An arrangement for all panes of a workspace.
  public enum Preset: String, Hashable, Sendable, CaseIterable {
    /// Side by side, equally wide.
    case evenColumns = "even_columns"
    /// One above the other, equally high.
    case evenRows = "even_rows"
    /// A large pane at the left, the others stacked at its right.
    case mainStack = "main_stack"
    /// As near to a square grid as the count allows.
    case tiled
  }

  /// A screen of the window that is not a workspace.
  public enum Destination: String, Hashable, Sendable, CaseIterable {
    /// The connect bar and recent hosts.
    case welcome
    /// Saved hosts, identities, keys, known hosts, snippets, templates and the history.
    case vault
  }

  /// How far a pane is scrolled back or forth.
  public enum Scroll: Hashable, Sendable {
    /// Towards older lines.
    case up(lines: Int)
    /// Towards newer lines.
    case down(lines: Int)
    /// Half a pane towards older lines.
    case halfPageUp
    /// Half a pane towards newer lines.
    case halfPageDown
    /// A pane towards older lines.
    case pageUp
    /// A pane towards newer lines.
    case pageDown
    /// The oldest line.
    case top
    /// The live screen.
    case bottom
  }

  /// A prompt to be shown.
  public enum PromptJump: String, Hashable, Sendable, CaseIterable {
    /// The one before what is in view.
    case previous
    /// The one after the first row in view.
    case next
  }

  /// A part of the focused pane's text.
  public enum TextPart: String, Hashable, Sendable, CaseIterable {
    /// What the last command printed.
    case output
    /// All of it, with what is above the screen.
    case scrollback
  }

  /// Where a snippet is run.
  public enum SnippetTarget: String, Hashable, Sendable, CaseIterable {
    /// In every pane that takes part in the broadcast.
    case broadcast
    /// In every terminal pane of the workspace.
    case workspace
    /// On hosts, without panes; asks which.
    case hosts
  }

  /// Which panes take part in a broadcast.
  public enum Broadcast: String, Hashable, Sendable, CaseIterable {
    /// The focused pane joins or leaves.
    case pane
    /// Every terminal pane of the workspace joins, or all leave.
    case workspace
    /// Every pane of the workspace joins whose host has a tag; asks which.
    case tag
    /// All leave.
    case off
  }

  // Panes
  /// Splits the focused pane; the new one stands on that side.
  case newSplit(Direction)
  /// Opens a local shell in an empty pane, or in a new one.
  case openLocal
  /// Opens the connect bar.
  case openSSH
  /// Opens the files of the focused pane's machine beside it, or a terminal beside files.
  case openFiles
  /// Opens the files of this machine beside the focused pane.
  case openLocalFiles
  /// Opens the files of the focused pane's server as root sees them.
  case openRootFiles
  /// Drops the files that were picked up at the focused pane's directory.
  case dropFiles
  /// Shows everything that is copied.
  case showTransfers
  /// Offers to copy a file that the focused terminal names to this machine.
  case downloadFile
  /// Closes the focused pane, or what lies on top.
  case closePane
  /// Moves the focus to the neighbour on a side.
  case focus(Direction)
  /// Moves the focus to the next pane in order.
  case focusNext
  /// Moves the focus to the pane before in order.
  case focusPrevious
  /// Moves the focus to the pane that had it before.
  case focusLast
  /// Moves the focus to a pane by its place, from 1.
  case focusPane(Int)
  /// Moves the pane's border on that side outwards, or its opposite border when it has none there.
  case resize(Direction, cells: Int)
  /// Lets two panes change places.
  case swap(SwapTarget)
  /// Turns all panes of the workspace.
  case rotate(Turn)
  /// Gives neighbours equal room.
  case evenOut
  /// Arranges the workspace.
  case layout(Preset)
  /// Takes the next arrangement.
  case nextLayout
  /// Shows the focused pane alone, or all again.
  case zoom
  /// Asks for a name for the pane.
  case renamePane
  /// Moves the pane to a new workspace.
  case breakPane
  /// Moves the pane to a workspace by its place; nil asks which.
  case movePaneToWorkspace(Int?)
  /// Changes who receives what is typed.
  case broadcast(Broadcast)

  /// Gives the panes of the broadcast the size of the smallest of them, or their own again.
  case sameSize
  /// Runs a snippet in several places; asks which one.
  case runSnippet(SnippetTarget)

  /// Starts writing the focused pane's session to a file, or stops it.
  case record(RecordingFormat)

  // Connections
  /// Connects a dead pane again.
  case reconnect
  /// Connects every dead pane of the window again.
  case reconnectAll
  /// Saves the host of the focused pane, which was only typed; asks for its name.
  case saveHost
  /// Shows what is known of the focused pane.
  case showDetails

  // Workspaces
  /// Opens an empty workspace.
  case newWorkspace
  /// Closes the workspace in front.
  case closeWorkspace
  /// Goes to the workspace at the right.
  case nextWorkspace
  /// Goes to the workspace at the left.
  case previousWorkspace
  /// Goes to the workspace that was in front before.
  case lastWorkspace
  /// Goes to a workspace by its place, from 1.
  case gotoWorkspace(Int)
  /// Moves the workspace one place to the left.
  case moveWorkspaceLeft
  /// Moves the workspace one place to the right.
  case moveWorkspaceRight
  /// Moves the workspace to another window; asks which.
  case moveWorkspaceToWindow
  /// Asks for a name for the workspace.
  case renameWorkspace
  /// Saves the workspace as a template; asks for its name.
  case saveTemplate

  // Window and program
  /// Opens another window of the server in this terminal's place.
  case newWindow
  /// Asks for a name for the window.
  case renameWindow
  /// Closes the window and what it owns, after asking.
  case closeWindow
  /// Leaves the window running and gives the terminal back.
  case detach
  /// Stops the client like any program on Ctrl-Z.
  case suspend
  /// Ends the server, after naming what ends with it.
  case quit
  /// Shows a destination.
  case go(Destination)
  /// Goes through wide, narrow and hidden.
  case toggleSidebar
  /// Draws the whole window anew.
  case redraw
  /// Reads the configuration again.
  case reloadConfiguration

  // Finding and help
  /// Opens Quick Open.
  case quickOpen
  /// Opens Quick Open with actions only.
  case commandPalette
  /// Opens the find bar of the focused pane.
  case find
  /// Shows the next match, towards older lines.
  case findNext
  /// Shows the match before, towards newer lines.
  case findPrevious
  /// Opens Quick Open with the text of all panes of the window.
  case findInPanes
  /// Lets keys move about in the focused pane's text, and select some of it.
  case copyMode
  /// Copies what is selected.
  case copy
  /// Selects what the last command printed.
  case selectOutput
  /// Copies what the last command printed.
  case copyOutput
  /// Opens a part of the text in the person's editor.
  case editText(TextPart)
  /// Opens a part of the text in the pager, with its colours.
  case pageText(TextPart)
  /// Writes a part of the text to a file; asks for its name.
  case saveText(TextPart)
  /// Lists the commands that were run where the focused pane is, to insert one.
  case commandHistory
  /// Pastes what was copied last.
  case paste
  /// Lists what was copied, to paste one of it.
  case choosePasteBuffer
  /// Shows every binding in force.
  case showKeys
  /// Opens the theme list with its live preview.
  case chooseTheme
  /// Passes every key to the program until it is pressed again.
  case lockMode

  // Scrolling
  /// Scrolls the focused pane.
  case scroll(Scroll)
  /// Shows the prompt before or after.
  case jumpToPrompt(PromptJump)
  /// Forgets the pane's lines above the screen.
  case clearScrollback
  /// Resets the pane's terminal after a program left it in disorder.
  case resetTerminal

  // Keys
  /// Sends the leader itself to the program.
  case sendLeader
  /// Types a text into the pane.
  case text(String)
  /// Does nothing, and keeps the key from the program.
  case ignore
}

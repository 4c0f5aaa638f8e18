internal import TermindDomain

/// One row of the vocabulary: a name, what may follow it, and what it does.
public struct ActionEntry: Sendable {
  /// What may stand behind the colon.
  public enum Form: Hashable, Sendable {
    /// Nothing.
    case none
    /// One of these words or shapes.
    case required([String])
    /// One of these, or nothing.
    case optional([String])

    /// The choices for a message: `left, right, up or down`.
    var words: String {
      switch self {
      case .none: return "nothing"
      case .required(let choices), .optional(let choices):
        guard choices.count > 1, let last = choices.last else { return choices.joined() }
        return choices.dropLast().joined(separator: ", ") + " or " + last
      }
    }
  }

  /// The name that a keymap writes.
  public let name: String
  /// What may stand behind the colon.
  public let form: Form
  /// Where it is listed.
  public let group: ActionGroup
  /// What it does, in one sentence.
  public let summary: String
  /// Makes the action of the parameter; nil when it does not fit.
  let make: @Sendable (String?) -> Action?
}

/// The whole vocabulary of actions.
public enum ActionCatalog {
  /// Every entry, in the order of its group's list.
  public static let entries: [ActionEntry] =
    paneEntries + layoutEntries + workspaceEntries + connectionEntries + windowEntries
    + findingEntries + scrollEntries + keyEntries

  private static let byName: [String: ActionEntry] = Dictionary(
    entries.map { ($0.name, $0) },
    uniquingKeysWith: { first, _ in first }
  )

  /// The entry with that name.
  public static func entry(named name: String) -> ActionEntry? { byName[name] }

  /// Ghostty's names for the same things, so that lines written for it work here.
  public static let aliases: [String: String] = [
    "close_surface": "close_pane",
    "close_tab": "close_workspace",
    "copy_to_clipboard": "copy",
    "equalize_splits": "even_out",
    "goto_split": "focus",
    "goto_tab": "goto_workspace",
    "last_tab": "last_workspace",
    "new_tab": "new_workspace",
    "next_tab": "next_workspace",
    "previous_tab": "previous_workspace",
    "paste_from_clipboard": "paste",
    "prompt_surface_title": "rename_pane",
    "reset": "reset_terminal",
    "resize_split": "resize",
    "scroll_to_bottom": "scroll_bottom",
    "scroll_to_top": "scroll_top",
    "start_search": "find",
    "toggle_command_palette": "command_palette",
    "toggle_split_zoom": "zoom",
  ]

  // MARK: - Rows

  private static let sides = Action.Direction.allCases.map(\.rawValue)

  private static func plain(
    _ action: Action,
    _ group: ActionGroup,
    _ summary: String
  ) -> ActionEntry {
    ActionEntry(name: action.name, form: .none, group: group, summary: summary) { _ in action }
  }

  private static func choice<Value: RawRepresentable & CaseIterable & Sendable>(
    _ name: String,
    _ values: Value.Type,
    _ group: ActionGroup,
    _ summary: String,
    _ make: @escaping @Sendable (Value) -> Action
  ) -> ActionEntry where Value.RawValue == String {
    let words = Value.allCases.map(\.rawValue)
    return ActionEntry(name: name, form: .required(words), group: group, summary: summary) {
      Value(rawValue: $0 ?? "").map(make)
    }
  }

  private static func count(_ text: String?, limit: Int = Action.largestCount) -> Int? {
    guard let text, let value = Int(text), (1...limit).contains(value) else { return nil }
    return value
  }

  private static func direction(_ word: some StringProtocol) -> Action.Direction? {
    switch word {
    case "top": .up
    case "bottom": .down
    default: Action.Direction(rawValue: String(word))
    }
  }

  private static let paneEntries: [ActionEntry] = [
    ActionEntry(
      name: "new_split",
      form: .required(sides),
      group: .panes,
      summary: "Splits the focused pane; the new one stands on that side."
    ) { $0.flatMap { direction($0) }.map(Action.newSplit) },
    plain(.openLocal, .panes, "Opens a shell on this machine."),
    plain(.openSSH, .panes, "Opens the connect bar for an SSH host."),
    plain(.openFiles, .panes, "Opens the pane's files beside it; from files, a terminal there."),
    plain(.openLocalFiles, .panes, "Opens the files of this machine."),
    plain(.openRootFiles, .panes, "Opens the files of the pane's server as root sees them."),
    plain(.dropFiles, .panes, "Drops the files that were picked up where the pane is."),
    plain(.showTransfers, .panes, "Shows everything that is copied, to pause, retry or cancel it."),
    plain(
      .downloadFile,
      .panes,
      "Copies the file whose path is selected, or under the cursor, to this machine."
    ),
    plain(.closePane, .panes, "Closes the focused pane, or what lies on top of it."),
    ActionEntry(
      name: "focus",
      form: .required(sides + ["next", "previous"]),
      group: .panes,
      summary: "Moves the focus to the neighbouring pane."
    ) { word in
      switch word {
      case "next": .focusNext
      case "previous": .focusPrevious
      default: word.flatMap { direction($0) }.map(Action.focus)
      }
    },
    plain(.focusNext, .panes, "Moves the focus to the next pane in order."),
    plain(.focusPrevious, .panes, "Moves the focus to the pane before in order."),
    plain(.focusLast, .panes, "Moves the focus to the pane that had it before."),
    ActionEntry(
      name: "focus_pane",
      form: .required(["a number from 1"]),
      group: .panes,
      summary: "Moves the focus to a pane by its place."
    ) { count($0).map(Action.focusPane) },
    plain(.zoom, .panes, "Shows the focused pane alone, or all of them again."),
    choice(
      "record",
      RecordingFormat.self,
      .panes,
      "Starts writing the session of the pane to a file, or stops it."
    ) { .record($0) },
    plain(
      .sameSize,
      .panes,
      "Gives the panes of the broadcast the size of the smallest, or their own again."
    ),
    choice(
      "run_snippet",
      Action.SnippetTarget.self,
      .panes,
      "Runs a snippet in several panes, or on hosts with their outputs side by side."
    ) { .runSnippet($0) },
    plain(.renamePane, .panes, "Gives the pane a name."),
    plain(.breakPane, .panes, "Moves the pane to a new workspace."),
    ActionEntry(
      name: "move_pane_to_workspace",
      form: .optional(["a number from 1"]),
      group: .panes,
      summary: "Moves the pane to a workspace by its place, or asks which one."
    ) { text in
      guard let text else { return .movePaneToWorkspace(nil) }
      return count(text).map(Action.movePaneToWorkspace)
    },
  ]

  private static let layoutEntries: [ActionEntry] = [
    ActionEntry(
      name: "resize",
      form: .required(sides.map { "\($0)[,cells]" }),
      group: .layout,
      summary: "Moves a border of the pane by one cell, or by as many as are given."
    ) { text in
      guard let parts = text?.split(separator: ",", omittingEmptySubsequences: false) else {
        return nil
      }
      guard parts.count <= 2, let side = parts.first.flatMap({ direction($0) }) else { return nil }
      guard parts.count == 2 else { return .resize(side, cells: 1) }
      return count(String(parts[1])).map { .resize(side, cells: $0) }
    },
    ActionEntry(
      name: "swap",
      form: .required(sides + ["next", "previous"]),
      group: .layout,
      summary: "Lets the pane change places with its neighbour, or with the next in order."
    ) { word in
      switch word {
      case "next": .swap(.next)
      case "previous": .swap(.previous)
      default: word.flatMap { direction($0) }.map { .swap(.neighbour($0)) }
      }
    },
    choice("rotate", Action.Turn.self, .layout, "Turns all panes of the workspace by one place.") {
      .rotate($0)
    },
    plain(.evenOut, .layout, "Gives neighbouring panes equal room."),
    choice("layout", Action.Preset.self, .layout, "Arranges the panes of the workspace.") {
      .layout($0)
    },
    plain(.nextLayout, .layout, "Takes the next arrangement in turn."),
  ]

  private static let workspaceEntries: [ActionEntry] = [
    plain(.newWorkspace, .workspaces, "Opens a new workspace."),
    plain(.closeWorkspace, .workspaces, "Closes the workspace in front with all its panes."),
    plain(.nextWorkspace, .workspaces, "Goes to the workspace at the right."),
    plain(.previousWorkspace, .workspaces, "Goes to the workspace at the left."),
    plain(.lastWorkspace, .workspaces, "Goes to the workspace that was in front before."),
    ActionEntry(
      name: "goto_workspace",
      form: .required(["a number from 1"]),
      group: .workspaces,
      summary: "Goes to a workspace by its place."
    ) { count($0).map(Action.gotoWorkspace) },
    plain(.moveWorkspaceLeft, .workspaces, "Moves the workspace one place to the left."),
    plain(.moveWorkspaceRight, .workspaces, "Moves the workspace one place to the right."),
    plain(.moveWorkspaceToWindow, .workspaces, "Moves the workspace to another window."),
    plain(.renameWorkspace, .workspaces, "Gives the workspace a name."),
    plain(.saveTemplate, .workspaces, "Saves the workspace as a template."),
  ]

  private static let connectionEntries: [ActionEntry] = [
    plain(.reconnect, .connections, "Connects or starts a dead pane again."),
    plain(.reconnectAll, .connections, "Connects every dead pane of the window again."),
    plain(.saveHost, .connections, "Saves the focused pane's host, with its account and its way."),
    plain(
      .showDetails,
      .connections,
      "Shows the focused pane's host, way, engine with its reason, state, directory and notes."
    ),
    choice(
      "broadcast",
      Action.Broadcast.self,
      .connections,
      "Changes which panes receive what is typed."
    ) { .broadcast($0) },
  ]

  private static let windowEntries: [ActionEntry] = [
    plain(.newWindow, .window, "Opens another window."),
    plain(.renameWindow, .window, "Gives the window a name."),
    plain(.closeWindow, .window, "Closes the window and what it owns, after asking."),
    plain(.detach, .window, "Leaves the window running and gives the terminal back."),
    plain(.suspend, .window, "Stops the client until the shell continues it."),
    plain(.quit, .window, "Ends the server, after naming what ends with it."),
    choice("go", Action.Destination.self, .window, "Shows a part of the program.") { .go($0) },
    plain(.toggleSidebar, .window, "Makes the sidebar wide, narrow or hidden."),
    plain(.redraw, .window, "Draws the whole window anew."),
    plain(.reloadConfiguration, .window, "Reads the configuration and the keymap again."),
  ]

  private static let findingEntries: [ActionEntry] = [
    plain(.quickOpen, .finding, "Finds hosts, panes, workspaces and actions."),
    plain(.commandPalette, .finding, "Finds an action by its name."),
    plain(.find, .finding, "Finds text in the focused pane."),
    plain(.findNext, .finding, "Shows the next match, towards older lines."),
    plain(.findPrevious, .finding, "Shows the match before, towards newer lines."),
    plain(.findInPanes, .finding, "Finds text in all panes of the window."),
    plain(
      .copyMode,
      .finding,
      "Moves about in the focused pane's text by keys, to select and copy."
    ),
    plain(.copy, .finding, "Copies what is selected."),
    plain(.selectOutput, .finding, "Selects what the last command printed."),
    plain(.copyOutput, .finding, "Copies what the last command printed."),
    choice(
      "edit_text",
      Action.TextPart.self,
      .finding,
      "Opens the pane's text in the editor, in a pane beside it."
    ) { .editText($0) },
    choice(
      "page_text",
      Action.TextPart.self,
      .finding,
      "Opens the pane's text in less, with its colours, in a pane beside it."
    ) { .pageText($0) },
    choice(
      "save_text",
      Action.TextPart.self,
      .finding,
      "Writes the pane's text to a new file."
    ) { .saveText($0) },
    plain(
      .commandHistory,
      .finding,
      "Lists the commands that were run where the pane is, to insert one."
    ),
    plain(.paste, .finding, "Pastes what was copied last."),
    plain(.choosePasteBuffer, .finding, "Lists what was copied, to paste one of it."),
    plain(.showKeys, .finding, "Lists every key in force."),
    plain(.chooseTheme, .finding, "Chooses a theme, with a live preview."),
    plain(.lockMode, .finding, "Passes every key to the program until it is pressed again."),
  ]

  private static let scrollEntries: [ActionEntry] = [
    ActionEntry(
      name: "scroll_up",
      form: .optional(["a number of lines"]),
      group: .scrolling,
      summary: "Scrolls towards older lines."
    ) { text in text == nil ? .scroll(.up(lines: 1)) : count(text).map { .scroll(.up(lines: $0)) }
    },
    ActionEntry(
      name: "scroll_down",
      form: .optional(["a number of lines"]),
      group: .scrolling,
      summary: "Scrolls towards newer lines."
    ) { text in
      text == nil ? .scroll(.down(lines: 1)) : count(text).map { .scroll(.down(lines: $0)) }
    },
    plain(.scroll(.halfPageUp), .scrolling, "Scrolls half a pane towards older lines."),
    plain(.scroll(.halfPageDown), .scrolling, "Scrolls half a pane towards newer lines."),
    plain(.scroll(.pageUp), .scrolling, "Scrolls a pane towards older lines."),
    plain(.scroll(.pageDown), .scrolling, "Scrolls a pane towards newer lines."),
    plain(.scroll(.top), .scrolling, "Scrolls to the oldest line."),
    plain(.scroll(.bottom), .scrolling, "Returns to the live screen."),
    choice(
      "jump_to_prompt",
      Action.PromptJump.self,
      .scrolling,
      "Shows the prompt before what is in view, or the one after."
    ) { .jumpToPrompt($0) },
    plain(.clearScrollback, .scrolling, "Forgets the lines above the screen."),
    plain(.resetTerminal, .scrolling, "Resets a terminal that a program left in disorder."),
  ]

  private static let keyEntries: [ActionEntry] = [
    plain(.sendLeader, .keys, "Sends the leader itself to the program."),
    ActionEntry(
      name: "text",
      form: .required(["a text with \\n, \\e, \\xNN"]),
      group: .keys,
      summary: "Types a text into the pane."
    ) { $0.flatMap(ActionText.unescaped).map(Action.text) },
    plain(.ignore, .keys, "Does nothing, and keeps the key from the program."),
  ]
}

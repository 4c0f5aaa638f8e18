internal import TermindDomain

extension Action: CustomStringConvertible {
  /// The most that a count in an action may be.
  public static let largestCount = 10_000

  /// The name without its parameter.
  public var name: String {
    switch self {
    case .newSplit: "new_split"
    case .openLocal: "open_local"
    case .openSSH: "open_ssh"
    case .openFiles: "open_files"
    case .openLocalFiles: "open_local_files"
    case .openRootFiles: "open_root_files"
    case .dropFiles: "drop_files"
    case .showTransfers: "show_transfers"
    case .downloadFile: "download_file"
    case .closePane: "close_pane"
    case .focus: "focus"
    case .focusNext: "focus_next"
    case .focusPrevious: "focus_previous"
    case .focusLast: "focus_last"
    case .focusPane: "focus_pane"
    case .resize: "resize"
    case .swap: "swap"
    case .rotate: "rotate"
    case .evenOut: "even_out"
    case .layout: "layout"
    case .nextLayout: "next_layout"
    case .zoom: "zoom"
    case .renamePane: "rename_pane"
    case .breakPane: "break_pane"
    case .movePaneToWorkspace: "move_pane_to_workspace"
    case .broadcast: "broadcast"
    case .sameSize: "same_size"
    case .runSnippet: "run_snippet"
    case .record: "record"
    case .reconnect: "reconnect"
    case .reconnectAll: "reconnect_all"
    case .saveHost: "save_host"
    case .showDetails: "show_details"
    case .newWorkspace: "new_workspace"
    case .closeWorkspace: "close_workspace"
    case .nextWorkspace: "next_workspace"
    case .previousWorkspace: "previous_workspace"
    case .lastWorkspace: "last_workspace"
    case .gotoWorkspace: "goto_workspace"
    case .moveWorkspaceLeft: "move_workspace_left"
    case .moveWorkspaceRight: "move_workspace_right"
    case .moveWorkspaceToWindow: "move_workspace_to_window"
    case .renameWorkspace: "rename_workspace"
    case .saveTemplate: "save_template"
    case .newWindow: "new_window"
    case .renameWindow: "rename_window"
    case .closeWindow: "close_window"
    case .detach: "detach"
    case .suspend: "suspend"
    case .quit: "quit"
    case .go: "go"
    case .toggleSidebar: "toggle_sidebar"
    case .redraw: "redraw"
    case .reloadConfiguration: "reload_config"
    case .quickOpen: "quick_open"
    case .commandPalette: "command_palette"
    case .find: "find"
    case .findNext: "find_next"
    case .findPrevious: "find_previous"
    case .findInPanes: "find_in_panes"
    case .copyMode: "copy_mode"
    case .copy: "copy"
    case .selectOutput: "select_output"
    case .copyOutput: "copy_output"
    case .editText: "edit_text"
    case .pageText: "page_text"
    case .saveText: "save_text"
    case .commandHistory: "command_history"
    case .paste: "paste"
    case .choosePasteBuffer: "choose_paste_buffer"
    case .showKeys: "show_keys"
    case .chooseTheme: "choose_theme"
    case .lockMode: "lock_mode"
    case .scroll(let scroll): scroll.actionName
    case .jumpToPrompt: "jump_to_prompt"
    case .clearScrollback: "clear_scrollback"
    case .resetTerminal: "reset_terminal"
    case .sendLeader: "send_leader"
    case .text: "text"
    case .ignore: "ignore"
    }
  }

  /// What stands behind the colon; nil when the action needs nothing.
  public var parameter: String? {
    switch self {
    case .newSplit(let side), .focus(let side): side.rawValue
    case .resize(let side, let cells): cells == 1 ? side.rawValue : "\(side.rawValue),\(cells)"
    case .swap(.neighbour(let side)): side.rawValue
    case .swap(.next): "next"
    case .swap(.previous): "previous"
    case .rotate(let turn): turn.rawValue
    case .layout(let preset): preset.rawValue
    case .focusPane(let place), .gotoWorkspace(let place): String(place)
    case .movePaneToWorkspace(let place): place.map { String($0) }
    case .broadcast(let members): members.rawValue
    case .runSnippet(let target): target.rawValue
    case .record(let format): format.rawValue
    case .go(let destination): destination.rawValue
    case .jumpToPrompt(let jump): jump.rawValue
    case .editText(let part), .pageText(let part), .saveText(let part): part.rawValue
    case .scroll(.up(let lines)), .scroll(.down(let lines)): lines == 1 ? nil : String(lines)
    case .text(let text): ActionText.escaped(text)
    default: nil
    }
  }

  /// `name` or `name:parameter`, as a keymap writes it.
  public var description: String {
    guard let parameter else { return name }
    return "\(name):\(parameter)"
  }

  /// Reads an action as a keymap writes it; Ghostty's own names are understood where they mean the same.
  ///
  /// - Throws: What is wrong, in words that fit behind the place of the line.
  public init(text: String) throws(ActionSyntaxError) {
    let colon = text.utf8.firstIndex(of: UInt8(ascii: ":"))
    let given = String(text[..<(colon ?? text.endIndex)])
    let parameter = colon.map { String(text[text.utf8.index(after: $0)...]) }
    let name = ActionCatalog.aliases[given] ?? given
    guard let entry = ActionCatalog.entry(named: name) else { throw .unknownAction(given) }
    switch (entry.form, parameter) {
    case (.none, .some(let extra)): throw .unwantedParameter(action: given, parameter: extra)
    case (.required, nil), (.required, ""):
      throw .missingParameter(action: given, expected: entry.form.words)
    default: break
    }
    guard let action = entry.make(parameter) else {
      throw .badParameter(action: given, parameter: parameter ?? "", expected: entry.form.words)
    }
    self = action
  }
}

/// Why a text names no action.
public enum ActionSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No action has that name.
  case unknownAction(String)
  /// The action needs a parameter.
  case missingParameter(action: String, expected: String)
  /// The action takes no parameter.
  case unwantedParameter(action: String, parameter: String)
  /// The parameter is none that the action knows.
  case badParameter(action: String, parameter: String, expected: String)

  /// The reason in one clause.
  public var description: String {
    switch self {
    case .unknownAction(let name):
      name.isEmpty ? "no action is named" : "there is no action '\(name)'"
    case .missingParameter(let action, let expected):
      "'\(action)' needs \(expected) after a colon"
    case .unwantedParameter(let action, let parameter):
      "'\(action)' takes no parameter, found '\(parameter)'"
    case .badParameter(let action, let parameter, let expected):
      "'\(action)' takes \(expected), not '\(parameter)'"
    }
  }
}

extension Action.Scroll {
  var actionName: String {
    switch self {
    case .up: "scroll_up"
    case .down: "scroll_down"
    case .halfPageUp: "scroll_half_page_up"
    case .halfPageDown: "scroll_half_page_down"
    case .pageUp: "scroll_page_up"
    case .pageDown: "scroll_page_down"
    case .top: "scroll_top"
    case .bottom: "scroll_bottom"
    }
  }
}

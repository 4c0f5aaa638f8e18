import TermindDomain
import Testing

@testable import TermindPresentation

@Suite("Actions") struct ActionTests {
  /// One action of every kind, and every word of those with words.
  static let samples: [Action] = {
    var actions: [Action] = [
      .openLocal, .openSSH, .openFiles, .openLocalFiles, .openRootFiles, .dropFiles, .showTransfers,
      .downloadFile,
      .closePane, .focusNext,
      .focusPrevious, .focusLast, .focusPane(3),
      .swap(.next), .swap(.previous), .evenOut, .nextLayout, .zoom, .renamePane, .breakPane,
      .movePaneToWorkspace(nil), .movePaneToWorkspace(2), .reconnect, .reconnectAll, .newWorkspace,
      .closeWorkspace, .nextWorkspace, .previousWorkspace, .lastWorkspace, .gotoWorkspace(9),
      .moveWorkspaceLeft, .moveWorkspaceRight, .moveWorkspaceToWindow, .renameWorkspace,
      .saveTemplate, .saveHost, .showDetails, .newWindow, .renameWindow,
      .closeWindow, .detach, .suspend, .quit, .toggleSidebar, .redraw, .reloadConfiguration,
      .quickOpen, .commandPalette,
      .find, .findNext, .findPrevious, .findInPanes, .copyMode, .copy, .selectOutput, .copyOutput,
      .commandHistory, .sameSize, .paste,
      .choosePasteBuffer, .showKeys, .chooseTheme, .lockMode, .scroll(.up(lines: 1)),
      .scroll(.down(lines: 1)),
      .scroll(.up(lines: 5)), .scroll(.down(lines: 7)), .scroll(.halfPageUp),
      .scroll(.halfPageDown), .scroll(.pageUp), .scroll(.pageDown), .scroll(.top), .scroll(.bottom),
      .clearScrollback, .resetTerminal, .sendLeader, .text("ls -l\n\u{1B}[A\\\u{7F}é"), .ignore,
    ]
    for side in Action.Direction.allCases {
      actions += [.newSplit(side), .focus(side), .swap(.neighbour(side))]
      actions += [.resize(side, cells: 1), .resize(side, cells: 12)]
    }
    actions += Action.Turn.allCases.map(Action.rotate)
    actions += Action.Preset.allCases.map(Action.layout)
    actions += RecordingFormat.allCases.map(Action.record)
    actions += Action.Broadcast.allCases.map(Action.broadcast)
    actions += Action.Destination.allCases.map(Action.go)
    actions += Action.SnippetTarget.allCases.map(Action.runSnippet)
    actions += Action.PromptJump.allCases.map(Action.jumpToPrompt)
    for part in Action.TextPart.allCases {
      actions += [.editText(part), .pageText(part), .saveText(part)]
    }
    return actions
  }()

  @Test("what is printed is read back", arguments: samples)
  func roundTrip(action: Action) throws {
    let again = try Action(text: action.description)
    #expect(again == action)
  }

  @Test("every entry of the vocabulary has a sample, a label and a sentence")
  func complete() {
    let names = Set(Self.samples.map(\.name))
    #expect(Set(ActionCatalog.entries.map(\.name)) == names)
    #expect(ActionCatalog.entries.count == names.count)
    for entry in ActionCatalog.entries {
      #expect(entry.summary.hasSuffix("."), "\(entry.name)")
      #expect(entry.summary.first?.isUppercase == true, "\(entry.name)")
    }
    for action in Self.samples { #expect(!action.label.isEmpty && action.label.count < 30) }
  }

  @Test(
    "Ghostty's names are understood",
    arguments: [
      ("goto_split:top", "focus:up"), ("goto_split:next", "focus_next"),
      ("resize_split:left,10", "resize:left,10"), ("close_surface", "close_pane"),
      ("toggle_split_zoom", "zoom"), ("new_tab", "new_workspace"),
      ("goto_tab:3", "goto_workspace:3"),
      ("equalize_splits", "even_out"), ("scroll_to_top", "scroll_top"),
      ("toggle_command_palette", "command_palette"),
    ]
  )
  func aliases(given: String, ours: String) throws {
    let action = try Action(text: given)
    #expect(action.description == ours)
  }

  @Test("no alias hides a name, and each leads to one")
  func aliasesLead() {
    for (alias, name) in ActionCatalog.aliases {
      #expect(ActionCatalog.entry(named: alias) == nil, "\(alias)")
      #expect(ActionCatalog.entry(named: name) != nil, "\(alias)")
    }
  }

  @Test(
    "a wrong action says what is wrong",
    arguments: [
      ("", "no action is named"),
      ("fly", "there is no action 'fly'"),
      ("new_split", "'new_split' needs left, right, up or down after a colon"),
      ("new_split:", "'new_split' needs left, right, up or down after a colon"),
      ("new_split:sideways", "'new_split' takes left, right, up or down, not 'sideways'"),
      ("zoom:2", "'zoom' takes no parameter, found '2'"),
      ("goto_workspace:0", "'goto_workspace' takes a number from 1, not '0'"),
      (
        "goto_workspace:99999999999999999999",
        "'goto_workspace' takes a number from 1, not '99999999999999999999'"
      ),
      (
        "resize:left,-1",
        "'resize' takes left[,cells], right[,cells], up[,cells] or down[,cells], not 'left,-1'"
      ),
      ("scroll_up:many", "'scroll_up' takes a number of lines, not 'many'"),
      ("text:\\x4", "'text' takes a text with \\n, \\e, \\xNN, not '\\x4'"),
      ("text:\\", "'text' takes a text with \\n, \\e, \\xNN, not '\\'"),
    ]
  )
  func errors(text: String, reason: String) {
    let error = #expect(throws: ActionSyntaxError.self) { try Action(text: text) }
    #expect(error?.description == reason)
  }

  @Test("escapes of a text stand for their characters")
  func textEscapes() throws {
    #expect(try Action(text: "text:a\\x41\\u{1F600}\\t\\r") == .text("aA\u{1F600}\t\r"))
    #expect(throws: ActionSyntaxError.self) { try Action(text: "text:\\u{D800}") }
    #expect(throws: ActionSyntaxError.self) { try Action(text: "text:\\u{}") }
    #expect(throws: ActionSyntaxError.self) { try Action(text: "text:\\x+1") }
  }
}

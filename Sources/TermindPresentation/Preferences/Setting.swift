import TermindApplication
import TermindDomain
import TermindTerminal

/// A setting of the configuration file; the raw value is its key there.
public enum Setting: String, Hashable, Sendable, CaseIterable {
  case theme
  case keymap
  case sidebar
  case scrollbackLines = "scrollback-lines"
  case titleReport = "title-report"
  case clipboardRead = "clipboard-read"
  case recordingDirectory = "recording-directory"
  case copyKeys = "copy-keys"
  case copyOnSelect = "copy-on-select"
  case rightClickPaste = "right-click-paste"
  case confirmPaste = "confirm-paste"
  case offerUpload = "offer-upload"
  case editUpload = "edit-upload"
  case rootCommand = "root-command"
  case shellIntegration = "shell-integration"
  case localEcho = "local-echo"
  case notifyAfter = "notify-after"
  case commandHistory = "command-history"
  case restoreSession = "restore-session"
  case transferFiles = "transfer-files"
  case transferFilesPerServer = "transfer-files-per-server"
  case transferBandwidth = "transfer-bandwidth"

  /// Those that are listed one by one; in place of `theme` the themes are.
  public static let listed = allCases.filter { $0 != .theme }

  /// What it says, in a few words.
  public var summary: String {
    switch self {
    case .theme: "Colours for dark and light terminals"
    case .keymap: "Which keys do what"
    case .sidebar: "How a new window's sidebar starts"
    case .scrollbackLines: "Lines kept above each screen"
    case .titleReport: "Programs may ask for their title"
    case .clipboardRead: "Programs may ask for what was copied"
    case .recordingDirectory: "Where sessions are recorded to"
    case .copyKeys: "Keys of copy mode"
    case .copyOnSelect: "Selecting with the mouse copies at once"
    case .rightClickPaste: "The right mouse button pastes"
    case .confirmPaste: "Several lines are pasted after asking"
    case .offerUpload: "Pasted paths may be uploaded instead"
    case .editUpload: "When saves of a server's file are uploaded"
    case .rootCommand: "Runs what is done as root on servers"
    case .shellIntegration: "Which shells mark prompts and commands"
    case .localEcho: "Typing is shown before its echo"
    case .notifyAfter: "Seconds until an end is worth a notification"
    case .commandHistory: "Commands of shells are remembered"
    case .restoreSession: "What the next start brings back"
    case .transferFiles: "Files copied at once in all"
    case .transferFilesPerServer: "Files of one server copied at once"
    case .transferBandwidth: "Bytes a second of all transfers"
    }
  }

  /// What it may be; empty where a value is typed.
  ///
  /// - Parameter keymaps: The names of the keymaps that there are.
  /// - Returns: The values as the file has them.
  public func choices(keymaps: [String]) -> [String] {
    switch self {
    case .keymap: keymaps
    case .sidebar: SidebarState.allCases.map(\.rawValue)
    case .clipboardRead: ["allow", "deny"]
    case .copyKeys: CopyKeys.allCases.map(\.rawValue)
    case .editUpload: ["auto", "ask"]
    case .shellIntegration: ShellIntegrationScope.allCases.map(\.rawValue)
    case .localEcho: EchoPredictor.Mode.allCases.map(\.rawValue)
    case .restoreSession: SessionRestoring.allCases.map(\.rawValue)
    case .titleReport, .copyOnSelect, .rightClickPaste, .confirmPaste, .offerUpload,
      .commandHistory:
      ["true", "false"]
    case .theme, .scrollbackLines, .recordingDirectory, .rootCommand, .notifyAfter, .transferFiles,
      .transferFilesPerServer, .transferBandwidth:
      []
    }
  }

  /// The value in force, as the file says it; nil while none is chosen that could be said.
  public func value(in preferences: Preferences) -> String? {
    switch self {
    case .theme: preferences.theme.description
    case .keymap: preferences.keymap
    case .sidebar: preferences.sidebar?.rawValue
    case .scrollbackLines: String(preferences.scrollbackLines)
    case .titleReport: String(preferences.reportsTitle)
    case .clipboardRead: preferences.allowsClipboardRead ? "allow" : "deny"
    case .recordingDirectory: preferences.recordingDirectory
    case .copyKeys: preferences.copyKeys.rawValue
    case .copyOnSelect: String(preferences.copiesOnSelect)
    case .rightClickPaste: String(preferences.pastesOnRightClick)
    case .confirmPaste: String(preferences.confirmsPaste)
    case .offerUpload: String(preferences.offersUpload)
    case .editUpload: preferences.uploadsEdits ? "auto" : "ask"
    case .rootCommand: preferences.rootCommand
    case .shellIntegration: preferences.shellIntegration.rawValue
    case .localEcho: preferences.localEcho.rawValue
    case .notifyAfter: String(preferences.notifyAfter)
    case .commandHistory: String(preferences.keepsCommands)
    case .restoreSession: preferences.restoring.rawValue
    case .transferFiles: String(preferences.transferFiles)
    case .transferFilesPerServer: String(preferences.transferFilesPerServer)
    case .transferBandwidth: BandwidthText.text(preferences.transferBandwidth)
    }
  }

  /// Why the file's reader would not take a value, as a sentence; nil when it would.
  public func problem(of value: String) -> String? {
    let line = Preferences.setting(rawValue, to: value, in: "")
    return Preferences.parse(line, file: "").notes.first.map { "\($0.reason)." }
  }

  // MARK: Showing

  /// How it looks in a list.
  public func row(_ preferences: Preferences) -> ChooserRow {
    ChooserRow(
      title: rawValue,
      detail: summary,
      trailing: value(in: preferences) ?? "",
      sign: "=",
      signInk: .dim
    )
  }

  /// Asks for a value that is typed; the one in force stands there already.
  public func form(_ preferences: Preferences) -> Form {
    Form(
      title: rawValue,
      rows: [Form.Row(summary, text: value(in: preferences) ?? "")],
      hints: [KeyHint("enter", "take"), KeyHint("esc", "cancel")]
    )
  }
}

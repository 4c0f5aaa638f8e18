public import TermindApplication
public import TermindDomain
public import TermindTerminal

/// A person's choices, from `~/.config/termind/config`.
///
/// The file has Ghostty's form: the keys of `Setting`, and any line of a keymap (`leader`, `keybind`, `which-key-delay`,
/// `repeat-delay`), which then changes the chosen one.
public struct Preferences: Hashable, Sendable {
  /// The most lines that may be kept above a screen.
  public static let mostScrollback = 1_000_000

  /// The themes for dark and light terminals.
  public var theme = ThemeChoice.standard
  /// The keymap's name.
  public var keymap = KeymapLibrary.defaultName
  /// How a new window's sidebar starts; nil lets the width decide.
  public var sidebar: SidebarState?
  /// How many lines are kept above each screen.
  public var scrollbackLines = 10_000

  /// Whether programs are told the title when they ask for it; a remote that chose it could type with it.
  public var reportsTitle = false

  /// Whether programs are told the text that was last copied when they ask for it; it may be a secret of another host.
  public var allowsClipboardRead = false

  /// Where sessions are written to, absolute or beginning with `~/`; nil leaves it to the program.
  public var recordingDirectory: String?

  /// The keys of copy mode.
  public var copyKeys = CopyKeys.vi

  /// Whether selecting with the mouse copies at once.
  public var copiesOnSelect = false

  /// Whether the right mouse button pastes what was copied last.
  public var pastesOnRightClick = false

  /// Whether the commands that shells tell of are remembered.
  public var keepsCommands = true

  /// Whether several lines are pasted into a program that takes them for typed ones only after asking.
  public var confirmsPaste = true

  /// Whether paths of this machine that are pasted into a remote shell may be uploaded instead.
  public var offersUpload = true

  /// How many files are copied at once, in all.
  public var transferFiles = TransferLimits.standard.total

  /// How many files of one server are copied at once.
  public var transferFilesPerServer = TransferLimits.standard.perHost

  /// How many bytes a second all transfers together may take; nil is as many as there are.
  public var transferBandwidth: Int?

  /// How many files are copied at once.
  public var transferLimits: TransferLimits {
    TransferLimits(total: transferFiles, perHost: transferFilesPerServer)
  }

  /// Which shells are given prompt marks, where their host does not say.
  public var shellIntegration = ShellIntegrationScope.local

  /// Whether what is typed on a slow line is shown before it is echoed.
  public var localEcho = EchoPredictor.Mode.auto

  /// After how many seconds a command is worth a notification when it ends out of view; 0 is never.
  public var notifyAfter = 10

  /// What the next start brings back.
  public var restoring = SessionRestoring.text
  /// Whether each save of a server's file that is edited here is uploaded at once.
  public var uploadsEdits = false

  /// What runs the command behind it as root on a server; it asks on its standard error, and reads answers from its standard
  /// input.
  public var rootCommand = "sudo -S --"

  /// Makes the choices of someone who has made none.
  public init() {}

  /// Reads a file; a line that is wrong leaves its choice as it was, or as keeps least, and is noted.
  ///
  /// - Parameters:
  ///   - text: The file's text.
  ///   - file: What notes call the file.
  /// - Returns: The choices and the notes.
  public static func parse(
    _ text: String,
    file: String
  ) -> (preferences: Preferences, notes: [ConfigurationNote]) {
    var preferences = Preferences()
    var (lines, notes) = ConfigurationLines.read(text, file: file)
    lines.removeAll { KeymapDraft.keys.contains($0.key) }
    for line in lines {
      guard let reason = preferences.apply(line) else { continue }
      notes.append(ConfigurationNote(.error, file: file, line: line.number, reason: reason))
    }
    return (preferences, notes.sorted { $0.line < $1.line })
  }

  /// Takes a line.
  ///
  /// - Returns: What is wrong with it.
  private mutating func apply(_ line: ConfigurationLine) -> String? {
    guard let setting = Setting(rawValue: line.key) else {
      return "'\(line.key)' is no setting that Termind knows; the line is ignored"
    }
    switch setting {
    case .theme:
      guard let choice = ThemeChoice(text: line.value) else {
        return "'theme' needs a name, or light:NAME,dark:NAME"
      }
      theme = choice
    case .keymap:
      guard ConfigurationFolder.isPlainName(line.value) else {
        return "'keymap' needs the name of a keymap, not '\(line.value)'"
      }
      keymap = line.value
    case .sidebar:
      guard let state = SidebarState(rawValue: line.value) else {
        return "'sidebar' is wide, narrow or hidden, not '\(line.value)'"
      }
      sidebar = state
    case .scrollbackLines:
      guard let count = Int(line.value), (0...Self.mostScrollback).contains(count) else {
        return "'scrollback-lines' is a number from 0 to \(Self.mostScrollback)"
      }
      scrollbackLines = count
    case .titleReport:
      guard let isOn = ["true": true, "false": false][line.value] else {
        return "'title-report' is true or false, not '\(line.value)'"
      }
      reportsTitle = isOn
    case .clipboardRead:
      guard let isAllowed = ["allow": true, "deny": false][line.value] else {
        return "'clipboard-read' is allow or deny, not '\(line.value)'"
      }
      allowsClipboardRead = isAllowed
    case .recordingDirectory:
      guard line.value.hasPrefix("/") || line.value.hasPrefix("~/") else {
        return "'recording-directory' is an absolute path, or one that begins with ~/"
      }
      recordingDirectory = line.value
    case .copyKeys:
      guard let keys = CopyKeys(rawValue: line.value) else {
        return "'copy-keys' is vi or emacs, not '\(line.value)'"
      }
      copyKeys = keys
    case .restoreSession:
      guard let choice = SessionRestoring(rawValue: line.value) else {
        // What somebody may not have wanted to be kept is not: no text goes to the disk for a slip of the pen.
        restoring = .layout
        return "'restore-session' is text, layout or off, not '\(line.value)'; it counts as layout"
      }
      restoring = choice
    case .editUpload:
      guard let isAutomatic = ["auto": true, "ask": false][line.value] else {
        return "'edit-upload' is ask or auto, not '\(line.value)'"
      }
      uploadsEdits = isAutomatic
    case .rootCommand:
      guard line.value.contains(where: { !$0.isWhitespace }),
        !line.value.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
      else { return "'root-command' is a command such as sudo -S --" }
      rootCommand = line.value
    case .copyOnSelect: return apply(line, to: \.copiesOnSelect)
    case .rightClickPaste: return apply(line, to: \.pastesOnRightClick)
    case .shellIntegration:
      guard let scope = ShellIntegrationScope(rawValue: line.value) else {
        return "'shell-integration' is off, local or on, not '\(line.value)'"
      }
      shellIntegration = scope
    case .localEcho:
      guard let mode = EchoPredictor.Mode(rawValue: line.value) else {
        return "'local-echo' is off, auto or on, not '\(line.value)'"
      }
      localEcho = mode
    case .notifyAfter:
      guard let seconds = Int(line.value), (0...86_400).contains(seconds) else {
        return "'notify-after' is a number of seconds from 0 to 86400"
      }
      notifyAfter = seconds
    case .commandHistory: return apply(line, to: \.keepsCommands)
    case .confirmPaste: return apply(line, to: \.confirmsPaste)
    case .offerUpload: return apply(line, to: \.offersUpload)
    case .transferFiles:
      guard let count = Int(line.value), TransferLimits.totals.contains(count) else {
        return "'transfer-files' is a number from 1 to 100"
      }
      transferFiles = count
    case .transferFilesPerServer:
      guard let count = Int(line.value), TransferLimits.countsPerHost.contains(count) else {
        return "'transfer-files-per-server' is a number from 1 to 50"
      }
      transferFilesPerServer = count
    case .transferBandwidth:
      guard let limit = BandwidthText.read(line.value) else {
        return "'transfer-bandwidth' is none, or bytes a second such as 500K or 2M"
      }
      transferBandwidth = limit.bytesPerSecond
    }
    return nil
  }

  /// Takes a setting that is on or off.
  private mutating func apply(
    _ line: ConfigurationLine,
    to path: WritableKeyPath<Preferences, Bool>
  ) -> String? {
    guard let isOn = ["true": true, "false": false][line.value] else {
      return "'\(line.key)' is true or false, not '\(line.value)'"
    }
    self[keyPath: path] = isOn
    return nil
  }

  /// Puts a setting into a file's text and keeps everything else, comments included.
  ///
  /// - Parameters:
  ///   - key: The setting, such as `theme`.
  ///   - value: Its new value.
  ///   - text: The file's text; empty for a new file.
  /// - Returns: The text with the last line of that setting changed, or one added.
  public static func setting(_ key: String, to value: String, in text: String) -> String {
    let flat = String(value.map { $0.isNewline ? " " : $0 })
    let new = "\(key) = \(flat)"
    var rows = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map {
      String($0)
    }
    let lines = ConfigurationLines.read(text, file: "").lines
    if let last = lines.last(where: { $0.key == key }) {
      rows[last.number - 1] = new
    } else {
      while rows.last?.isEmpty == true { rows.removeLast() }
      rows.append(new)
    }
    let joined = rows.joined(separator: "\n")
    return joined.hasSuffix("\n") ? joined : joined + "\n"
  }
}

import TermindDomain
import TermindPresentation
import TermindTerminal

/// What the settings and the pane's host allow its programs.
extension Pane {
  /// How its emulator behaves.
  var terminalConfiguration: TerminalConfiguration {
    var configuration = services.terminalConfiguration
    configuration.allowsClipboardRead = mayReadClipboard
    return configuration
  }

  private var clipboard: ClipboardChoice { savedHost?.clipboard ?? .standard }

  /// Whether its programs may ask for what was last copied.
  var mayReadClipboard: Bool {
    clipboard.allowsReading(otherwise: services.looks.preferences.allowsClipboardRead)
  }

  /// Whether its programs may put a text into the clipboard.
  var mayWriteClipboard: Bool { clipboard.allowsWriting }

  /// Says that a program was not allowed to copy.
  func refuseClipboard() {
    observer?.pane(
      id,
      says: "\(PaneText.title(self)) may not write the clipboard; its host's settings say so."
    )
  }

  /// Lets the emulator follow the settings and the host as they are now.
  func applyConfiguration() {
    let configuration = terminalConfiguration
    surface?.change { $0.adopt(configuration) }
    scroll(to: scrolledBack)
  }
}

import TermindDomain
import TermindInfrastructure

/// Hears what changes in a pane.
protocol PaneObserver: AnyObject {
  /// Something that is drawn has changed.
  func paneChanged(_ pane: PaneID)
  /// The program printed something that is to be seen.
  ///
  /// - Parameters:
  ///   - pane: The pane.
  ///   - isAnswer: Whether a key was typed into it before, and this is the first that came since.
  func panePrinted(_ pane: PaneID, isAnswer: Bool)
  /// The program rang the bell.
  func paneRang(_ pane: PaneID)
  /// The program printed something that is not to be seen yet.
  func paneWasActive(_ pane: PaneID)
  /// The program wrote a text for the clipboard; nil when it was too large to be taken.
  func pane(_ pane: PaneID, copied bytes: [UInt8]?)
  /// The text that was last copied, for a program that asks for it and may.
  func paneAsksClipboard(_ pane: PaneID) -> [UInt8]
  /// Something that a person should read now.
  func pane(_ pane: PaneID, says text: String)
  /// The program's input queue is full: what was typed is gone.
  func paneRefusedInput(_ pane: PaneID)
  /// A recording of the session has ended, without being told to.
  func pane(_ pane: PaneID, stoppedRecording problem: RecordingProblem)
  /// A command of the shell has ended.
  func pane(_ pane: PaneID, ended command: EndedCommand)
  /// The session came to another state.
  func paneSessionChanged(_ pane: PaneID)
}

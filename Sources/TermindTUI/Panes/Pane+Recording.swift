import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindPresentation

/// Writing a pane's session to a file.
extension Pane {
  /// Begins a recording in place of one that runs.
  ///
  /// - Returns: The file.
  /// - Throws: Why the file cannot be made, or that there is nothing to record yet.
  func startRecording(_ format: RecordingFormat) throws(RecordingProblem) -> String? {
    guard let surface else { return nil }
    stopRecording()
    let made = try SessionRecorder(
      RecordingRequest(
        format: format,
        directory: services.recordingDirectory,
        name: PaneText.title(self),
        title: PaneText.title(self),
        columns: size.columns,
        rows: size.rows
      ),
      now: { WallClock.seconds }
    ) { [weak self] problem in
      guard let problem else { return }
      Task { @MainActor in self?.recordingFailed(problem) }
    }
    recorder = made
    surface.record(to: made)
    observer?.paneChanged(id)
    return made.path
  }

  /// Begins the recording that the host asks for, unless one runs, or a recovery goes on with the session.
  func startHostRecording() {
    guard recorder == nil, remote?.isSilent == false, let format = savedHost?.recording else {
      return
    }
    do throws(RecordingProblem) { _ = try startRecording(format) } catch {
      observer?.pane(id, stoppedRecording: error)
    }
  }

  /// Ends the recording; what has come is still written.
  func stopRecording() {
    guard let recorder else { return }
    recorder.stop()
    self.recorder = nil
    surface?.record(to: nil)
    observer?.paneChanged(id)
  }

  private func recordingFailed(_ problem: RecordingProblem) {
    // Another recording may have begun since; the path tells them apart.
    guard recorder?.path == problem.path else { return }
    stopRecording()
    observer?.pane(id, stoppedRecording: problem)
  }
}

import TermindTerminal

/// Echoes that are shown before they come.
extension Pane {
  /// Keys are about to be sent: what they will be echoed as is shown at once, where that can be told.
  func guessEcho(of bytes: [UInt8]) {
    guard let patience = surface?.guess(bytes) else { return }
    observer?.panePrinted(id, isAnswer: true)
    echoTimer?.cancel()
    echoTimer = Task { [weak self] in
      // Cancelled by the next key.
      guard (try? await Task.sleep(for: patience + .milliseconds(10))) != nil, let self,
        surface?.expireGuesses() == true
      else { return }
      changed()
    }
  }
}

internal import TermindDomain

/// What is known of a server that does not answer.
struct SFTPSilence: Sendable {
  /// How long a server may say nothing while anything waits.
  var limit = Duration.seconds(60)
  /// How much longer that may be while it does something whose time grows with the data.
  static let patience = 10
  /// How many looks there are at it in that time.
  static let looks = 6

  /// Grows with everything that comes, and with everything that the channel takes.
  var signs: UInt64 = 0
  /// Requests that may take long: the server copies, or waits for its disk.
  var slow: Set<UInt32> = []
  fileprivate var watch: Task<Void, Never>?

  mutating func end() {
    watch?.cancel()
    watch = nil
    slow = []
  }
}

/// A server whose connection is up and that answers nothing: what waits does not wait for ever.
extension SFTPConnection {
  /// Takes another time that the server may say nothing.
  func limitSilence(to limit: Duration) { silence.limit = limit }

  /// Watches until nothing waits any more.
  func watchSilence() {
    guard silence.watch == nil, case .up = phase else { return }
    silence.watch = Task { [weak self, pause = silence.limit / SFTPSilence.looks] in
      var (quiet, signs) = (0, UInt64.max)
      // Cancelled at the end of the conversation.
      while (try? await Task.sleep(for: pause)) != nil {
        guard let now = await self?.look(quiet: quiet, since: signs) else { return }
        (quiet, signs) = now
      }
    }
  }

  /// Looks whether anything has come since the last look.
  ///
  /// - Returns: How many looks in a row found nothing, and what to compare with; nil ends the watch.
  private func look(quiet: Int, since signs: UInt64) -> (quiet: Int, signs: UInt64)? {
    guard isWaiting else {
      silence.watch = nil
      return nil
    }
    guard silence.signs == signs else { return (0, silence.signs) }
    let looks = SFTPSilence.looks * (silence.slow.isEmpty ? 1 : SFTPSilence.patience)
    guard quiet + 1 >= looks else { return (quiet + 1, signs) }
    let seconds = (silence.limit * (silence.slow.isEmpty ? 1 : SFTPSilence.patience)).components
      .seconds
    fail(FileError(.connectionLost("the SFTP server has not answered for \(seconds) seconds")))
    return nil
  }
}

import TermindDomain

/// Lets panes that were started together ask one after another.
///
/// The pane that asks keeps its turn until its attempt is over, so that a password and the code after it belong
/// together; then the next one that waits has it. Whoever the person goes to has it at once.
final class PromptTurns {
  /// The pane that may ask.
  private(set) var holder: PaneID?
  /// The panes with an open question, in the order in which it came up.
  private var asking: [PaneID] = []
  /// Runs when the turn has come to another pane; also tells whose it was.
  var onPass: ((_ from: PaneID?, _ to: PaneID) -> Void)?

  /// Takes note of how a pane's attempt stands.
  ///
  /// - Parameters:
  ///   - pane: The pane.
  ///   - asks: Whether it has an open question.
  ///   - isOpening: Whether its attempt goes on.
  func update(_ pane: PaneID, asks: Bool, isOpening: Bool) {
    if !asks {
      asking.removeAll { $0 == pane }
    } else if !asking.contains(pane) {
      asking.append(pane)
    }
    if holder == nil || holder == pane && !asks && !isOpening { pass(to: asking.first) }
  }

  /// Gives the turn to a pane that waits for it.
  func prefer(_ pane: PaneID) {
    if holder != pane, asking.contains(pane) { pass(to: pane) }
  }

  private func pass(to next: PaneID?) {
    let last = holder
    holder = next
    if let next { onPass?(last, next) }
  }
}

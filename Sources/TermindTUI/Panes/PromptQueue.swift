import TermindApplication
import TermindDomain

/// The questions of one pane's connection attempt, shown in the pane one after another.
///
/// An attempt that is cancelled takes its question with it; a pane that closes answers all of them
/// with a refusal.
final class PromptQueue {
  /// A question that waits for the person.
  enum Question: Hashable {
    case hostKey(HostKeyQuestion)
    case credentials(CredentialChallenge)
    /// What has to be filled into a snippet before it is sent.
    case places(SnippetRecord)
  }

  /// What the person decided.
  enum Answer: Sendable {
    case hostKey(HostKeyDecision)
    /// One answer a prompt; nil when the person gave up.
    case credentials([SecretBytes]?)
    /// One text a place; nil when the person gave up.
    case places([String]?)
  }

  private struct Entry {
    let number: Int
    let question: Question
    let continuation: CheckedContinuation<Answer, Never>
  }

  private var entries: [Entry] = []
  private var nextNumber = 0
  /// Whether the pane may ask now; those that were started together take turns.
  var mayAsk: () -> Bool = { true }
  /// Runs when the question in front changed.
  var onChange: (() -> Void)?

  /// Whether there is a question, shown or not.
  var isAsking: Bool { !entries.isEmpty }

  /// The question to show, with a number that changes with it; nil before its turn has come.
  var current: (number: Int, question: Question)? {
    guard mayAsk() else { return nil }
    return entries.first.map { ($0.number, $0.question) }
  }

  /// Waits for the person; a cancelled task gets a refusal at once.
  func ask(_ question: Question) async -> Answer {
    let number = nextNumber
    nextNumber += 1
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled {
          continuation.resume(returning: question.refusal)
        } else {
          entries.append(Entry(number: number, question: question, continuation: continuation))
          onChange?()
        }
      }
    } onCancel: {
      Task { @MainActor in self.refuse(number) }
    }
  }

  /// Answers the question in front, if it is still the numbered one.
  func answer(_ number: Int, with answer: Answer) {
    guard let first = entries.first, first.number == number else { return }
    entries.removeFirst()
    first.continuation.resume(returning: answer)
    onChange?()
  }

  /// Refuses everything that waits.
  func refuseAll() {
    let waiting = entries
    entries = []
    for entry in waiting { entry.continuation.resume(returning: entry.question.refusal) }
    if !waiting.isEmpty { onChange?() }
  }

  private func refuse(_ number: Int) {
    guard let place = entries.firstIndex(where: { $0.number == number }) else { return }
    let entry = entries.remove(at: place)
    entry.continuation.resume(returning: entry.question.refusal)
    onChange?()
  }
}

extension PromptQueue.Question {
  /// The answer of somebody who is not there.
  var refusal: PromptQueue.Answer {
    switch self {
    case .hostKey: .hostKey(.reject)
    case .credentials: .credentials(nil)
    case .places: .places(nil)
    }
  }
}

/// A key, the agent, or a password that an identity selects and that could not be used in an attempt.
///
/// Shown beside a question that would not have come otherwise. Reasons are short phrases without a
/// capital or a full stop.
public enum UnusedKey: Hashable, Sendable {
  /// A key was left out; the label is the path of its file, or what else people know it by.
  case key(label: String, reason: String)
  /// The agent's keys are not known.
  case agent(reason: String)
  /// The saved password was of no use.
  case password(reason: String)
  /// The saved passphrase of the key that is asked about was of no use.
  case passphrase(reason: String)
}

/// Which keys copy mode has.
public enum CopyKeys: String, Hashable, Sendable, CaseIterable {
  /// Those of vi.
  case vi
  /// Those of Emacs.
  case emacs
}

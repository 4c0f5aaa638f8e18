/// A part of a list that a typed prefix narrows it to, such as `@` to the hosts.
public struct FilterScope: Hashable, Sendable {
  /// The character that has to stand first.
  public let prefix: Character
  /// What it narrows to, as a plural: `hosts`.
  public let label: String

  /// Makes a scope.
  public init(_ prefix: Character, _ label: String) {
    self.prefix = prefix
    self.label = label
  }
}

public import TermindDomain

/// How a record looks in its list.
public struct VaultRow: Hashable, Sendable {
  /// A sign before it: `●` for up, `⚿` for a secret.
  public var sign: String
  /// The sign's ink.
  public var signInk: Ink
  /// What it is.
  public var title: String
  /// What tells it from others.
  public var detail: String
  /// Its tags, parted by blanks.
  public var tags: String
  /// What stands at the right end.
  public var trailing: String
  /// A mark at the left edge.
  public var color: PaletteColor?

  /// Makes a row.
  public init(
    title: String,
    detail: String = "",
    tags: String = "",
    trailing: String = "",
    sign: String = "",
    signInk: Ink = .success,
    color: PaletteColor? = nil
  ) {
    self.title = title
    self.detail = detail
    self.tags = tags
    self.trailing = trailing
    self.color = color
    self.sign = sign
    self.signInk = signInk
  }
}

/// What a list says while there is nothing in it.
public struct VaultEmptyText: Hashable, Sendable {
  /// What there is not.
  public var title: String
  /// What it would be good for.
  public var detail: String
  /// What to press.
  public var hints: [KeyHint]

  /// Makes a text.
  public init(title: String, detail: String, hints: [KeyHint]) {
    self.title = title
    self.detail = detail
    self.hints = hints
  }
}

/// Which machine and account a file system belongs to.
public enum FilePlace: Hashable, Sendable, Codable {
  /// The machine that Termind runs on.
  case thisMachine
  /// A server; the text names the account there and the way to it (`Route.text`), and is the same for every connection to it.
  case server(String)
}

/// What a file system can do beyond the basics.
public struct FileSystemAbilities: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt32

  /// Wraps bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// A rename replaces what is there in one step.
  public static let replacingRename = FileSystemAbilities(rawValue: 1)
  /// Tells how full the disk is.
  public static let space = FileSystemAbilities(rawValue: 2)
  /// Waits until what was written is on the disk.
  public static let sync = FileSystemAbilities(rawValue: 4)
  /// Makes hard links.
  public static let hardLinks = FileSystemAbilities(rawValue: 8)
  /// Changes the attributes of a link itself.
  public static let linkAttributes = FileSystemAbilities(rawValue: 16)
  /// Copies data between two of its files by itself.
  public static let copyData = FileSystemAbilities(rawValue: 32)
  /// Tells the names of owners and groups by number.
  public static let ownerNames = FileSystemAbilities(rawValue: 64)
  /// Resolves paths that start with `~`.
  public static let homePaths = FileSystemAbilities(rawValue: 128)
}

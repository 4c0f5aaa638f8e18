/// What `ssh [-p PORT] [-l USER] [-i KEY] [-J HOPS] [user@]host` asks for.
///
/// The same grammar reads the arguments of `termind ssh` and the line of the connect bar. Options may
/// stand before and after the host and may be glued to their value (`-p22`). What it does not know is
/// refused by name; nothing is ever handed to a shell.
public struct ConnectCommand: Hashable, Sendable {
  /// The most key files that one command may name.
  public static let maximumKeyFiles = 16

  /// The host, with the account and port of the options when those were given there.
  public var target: ConnectTarget
  /// Key files in the given order, as they were written: absolute, relative, or with `~/`.
  public var keyFiles: [String]
  /// The jump hosts in order; empty after `-J none`, nil when the option was not given.
  public var jumps: [ConnectTarget]?

  /// Makes a command.
  public init(target: ConnectTarget, keyFiles: [String] = [], jumps: [ConnectTarget]? = nil) {
    self.target = target
    self.keyFiles = keyFiles
    self.jumps = jumps
  }

  /// Reads a line of the connect bar, with or without `ssh` in front.
  ///
  /// - Parameters:
  ///   - line: The line; quotes and backslashes keep blanks together.
  ///   - isSavedHost: Whether a word is the name of a saved host, which may have any characters.
  /// - Throws: What is wrong, with the word and the character where it stands.
  public init(
    line: String,
    isSavedHost: (String) -> Bool = { _ in false }
  ) throws(ConnectCommandError) {
    var words = try ConnectWords.split(line)[...]
    var dropped = 0
    if let first = words.first, first.text == "ssh", words.count > 1 || !isSavedHost("ssh") {
      words = words.dropFirst()
      dropped = 1
    }
    try self.init(words: Array(words), firstWord: dropped, isSavedHost: isSavedHost)
  }

  /// Reads the arguments that follow `termind ssh`.
  ///
  /// - Parameters:
  ///   - arguments: The words, already without quotes.
  ///   - isSavedHost: Whether a word is the name of a saved host, which may have any characters.
  /// - Throws: What is wrong, with the index of the word.
  public init(
    arguments: [String],
    isSavedHost: (String) -> Bool = { _ in false }
  ) throws(ConnectCommandError) {
    let words = arguments.map { ConnectWord(text: $0, offset: nil) }
    guard words.count <= ConnectWords.maximumWords,
      arguments.allSatisfy({ $0.utf8.count <= ConnectWords.maximumLineLength })
    else { throw ConnectCommandError(.tooLong, word: 0, offset: nil) }
    try self.init(words: words, firstWord: 0, isSavedHost: isSavedHost)
  }

  private init(
    words: [ConnectWord],
    firstWord: Int,
    isSavedHost: (String) -> Bool
  ) throws(ConnectCommandError) {
    var reader = ConnectCommandReader(words: words, firstWord: firstWord)
    self = try reader.read(isSavedHost: isSavedHost)
  }
}

/// Why a command was refused, and where.
public struct ConnectCommandError: Error, Hashable, Sendable {
  /// What is wrong.
  public enum Reason: Hashable, Sendable {
    /// There is no host.
    case missingHost
    /// The option is not one of `-p`, `-l`, `-i`, `-J`.
    case unknownOption(String)
    /// The option stands at the end or before nothing.
    case missingValue(option: String)
    /// The option may be given once only.
    case repeatedOption(String)
    /// A second host, or a command for the host.
    case unexpectedWord(String)
    /// Account or port were given twice with different values.
    case contradiction(option: String, value: String, other: String)
    /// Two commas of `-J` have nothing between them, or one stands at an end.
    case missingHop(String)
    /// The host, or a hop of `-J`, is not a target.
    case invalidTarget(String, ConnectTargetError)
    /// The value of `-p` is no port.
    case invalidPort(String)
    /// The value of `-l` is no account.
    case invalidUser(String)
    /// More jump hosts than a route may have.
    case tooManyHops(count: Int)
    /// More key files than `ConnectCommand.maximumKeyFiles`.
    case tooManyKeyFiles
    /// A quote is not closed, or a backslash stands at the end.
    case unclosedQuote
    /// A character that cannot be seen.
    case controlCharacter
    /// The line or a word is too long, or there are too many words.
    case tooLong
  }

  /// What is wrong.
  public let reason: Reason
  /// The word that is wrong, counted from zero; the number of words when one is missing.
  public let word: Int
  /// Where it begins in the line, in characters from zero; nil for argument lists.
  public let offset: Int?

  /// Makes an error.
  public init(_ reason: Reason, word: Int, offset: Int?) {
    self.reason = reason
    self.word = word
    self.offset = offset
  }
}

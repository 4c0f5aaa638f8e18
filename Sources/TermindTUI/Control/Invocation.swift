import TermindDomain
import TermindPresentation

/// What the command line of `termind` asks for.
nonisolated enum Invocation: Hashable, Sendable {
  /// A terminal for a window.
  case window(AttachKind)
  /// A request to the running server.
  case control(ControlArguments)
  /// A request about the records of the vault.
  case records(RecordArguments)
  /// An import of hosts or host keys.
  case importing(ImportArguments)
  /// A copy between this machine and hosts.
  case transfer(TransferCommandArguments)
  /// A run of a snippet on hosts.
  case snippetRun(SnippetCommandArguments)
  /// The list of windows.
  case list(isJSON: Bool)
  /// What is wrong with the surroundings.
  case doctor(isJSON: Bool)
  /// The server itself, on descriptors that its starter left open.
  case server
  /// The usage text.
  case help
  /// How files are copied.
  case copyingHelp
  /// The version.
  case version

  /// The word that starts a server; only the program itself uses it.
  static let serverWord = "--server"

  /// Understands the words after the program's name.
  ///
  /// - Parameters:
  ///   - words: The words as text.
  ///   - bytes: The same words by their bytes, where they are known; names of files need not be text.
  /// - Throws: Which word cannot be understood, and why.
  init(_ words: ArraySlice<String>, bytes: ArraySlice<[UInt8]>? = nil) throws(UsageError) {
    guard let first = words.first else {
      self = .window(.newWindow)
      return
    }
    let rest = words.dropFirst()
    switch first {
    case "--help", "-h", "help": self = .help
    case "--version", "-V": self = .version
    case "--demo":
      try Self.refuseMore(rest, after: first)
      self = .window(.demo)
    case Self.serverWord:
      try Self.refuseMore(rest, after: first)
      self = .server
    case "attach": self = try Self.attach(rest)
    case "run": self = .window(.run(try Self.command(rest)))
    case "ssh": self = .window(.ssh(try Self.connection(rest)))
    case "open": self = .window(.open(try OpenRequest(rest)))
    case "import": self = .importing(try ImportArguments(rest))
    case "export": self = .records(try ExportArguments.read(rest))
    case let word where TransferCommandVerb(rawValue: word) != nil:
      guard let verb = TransferCommandVerb(rawValue: word) else {
        throw UsageError("unknown '\(word)'")
      }
      if rest.prefix(while: { $0 != "--" }).contains("--help") {
        self = .copyingHelp
        return
      }
      let exact = bytes?.dropFirst() ?? rest.map { Array($0.utf8) }[...]
      self = .transfer(try TransferCommandArguments(verb, rest, bytes: exact))
    case "ls": self = .list(isJSON: try Self.json(rest, after: first))
    case "doctor": self = .doctor(isJSON: try Self.json(rest, after: first))
    case "quit": self = .control(try ControlArguments(["quit"] + rest))
    case "ctl": self = .control(try ControlArguments(rest))
    case "snippet" where rest.first == "run":
      self = .snippetRun(try SnippetCommandArguments(rest.dropFirst()))
    case let word where RecordKind(rawValue: word) != nil:
      guard let kind = RecordKind(rawValue: word) else { throw UsageError("unknown '\(word)'") }
      self = .records(try RecordArguments(kind, rest))
    case let word where word.hasPrefix("-"): throw UsageError("unknown option '\(word)'")
    default: throw UsageError("unknown command '\(first)'")
    }
  }

  private static func refuseMore(_ rest: ArraySlice<String>, after word: String)
    throws(UsageError)
  {
    guard let extra = rest.first else { return }
    throw UsageError("\(word) does not take '\(extra)'")
  }

  private static func json(_ rest: ArraySlice<String>, after word: String) throws(UsageError)
    -> Bool
  {
    if rest.first != "--json" {
      try refuseMore(rest, after: word)
      return false
    }
    try refuseMore(rest.dropFirst(), after: word)
    return true
  }

  private static func attach(_ rest: ArraySlice<String>) throws(UsageError) -> Invocation {
    guard let word = rest.first else { return .window(.attach(nil)) }
    if word.hasPrefix("-") { throw UsageError("attach has no option '\(word)'") }
    try refuseMore(rest.dropFirst(), after: "attach")
    guard let number = UInt32(word), number > 0 else {
      throw UsageError("attach needs the number of a window (see termind ls), not '\(word)'")
    }
    return .window(.attach(WindowID(rawValue: number)))
  }

  /// The words of a connection; which of them are saved hosts, only the server knows.
  private static func connection(_ rest: ArraySlice<String>) throws(UsageError) -> [String] {
    guard !rest.isEmpty else { throw UsageError("ssh needs a host") }
    do throws(ConnectCommandError) {
      _ = try ConnectCommand(arguments: Array(rest)) { !$0.hasPrefix("-") }
    } catch {
      throw UsageError(ErrorText.explain(error).paragraph)
    }
    return Array(rest)
  }

  private static func command(_ rest: ArraySlice<String>) throws(UsageError) -> [String] {
    var words = rest
    if words.first == "--" {
      words = words.dropFirst()
    } else if let word = words.first, word.hasPrefix("-") {
      throw UsageError("run has no option '\(word)'; put -- before a command that begins so")
    }
    guard !words.isEmpty else { throw UsageError("run needs a command") }
    return Array(words)
  }
}

internal import TermindApplication
public import TermindDomain

/// Words for what people type to connect.
extension ErrorText {
  /// Explains why a command or the line of the connect bar names no host.
  public static func explain(
    _ error: ConnectCommandError,
    keys: ExplanationKeys = ExplanationKeys()
  ) -> Explanation {
    let usage = "Write [user@]host, with -p PORT, -l USER, -i KEY or -J HOPS."
    switch error.reason {
    case .missingHost:
      return words("no host", "No host is named.", usage)
    case .missingHop(let text):
      return words(
        "no jump host",
        "A jump host is missing in \(quoted(text)).",
        "Take a comma away, or name a host there."
      )
    case .unknownOption(let option):
      return words("unknown option", "The option \(quoted(option)) is not known here.", usage)
    case .missingValue(let option):
      return words(
        "value missing",
        "The option \(quoted(option)) needs a value behind it.",
        usage
      )
    case .repeatedOption(let option):
      return words(
        "given twice",
        "The option \(quoted(option)) may be given only once.",
        "Take one of them away."
      )
    case .unexpectedWord(let word):
      return words(
        "one word too many",
        "The word \(quoted(word)) stands behind the host.",
        "Name one host; a command for it cannot be given here."
      )
    case .contradiction(let option, let value, let other):
      return words(
        "contradiction",
        "The option \(quoted(option)) says \(quoted(value)), but the host says \(quoted(other)).",
        "Take one of them away."
      )
    case .invalidTarget(let text, let reason):
      return words("no such target", "\(quoted(text)) names no host: \(clause(reason)).", usage)
    case .invalidPort(let text):
      return words(
        "no port",
        "\(quoted(text)) is no port.",
        "A port is a number from 1 to 65535."
      )
    case .invalidUser(let text):
      return words(
        "no user name",
        "\(quoted(text)) is no user name.",
        "Leave it out to use your own name, or change it."
      )
    case .tooManyHops(let count):
      return words(
        "too many hops",
        "The way has \(count) hops, the host included; at most \(Route.maximumHops) are allowed.",
        "Name fewer jump hosts."
      )
    case .tooManyKeyFiles:
      return words(
        "too many keys",
        "More than \(ConnectCommand.maximumKeyFiles) key files are named.",
        "Name fewer of them."
      )
    case .unclosedQuote:
      return words(
        "open quote",
        "A quote is not closed, or a backslash stands at the end.",
        "Close it."
      )
    case .controlCharacter:
      return words(
        "hidden character",
        "There is a character in it that cannot be seen.",
        "Type the line anew instead of pasting it."
      )
    case .tooLong:
      return words("too long", "That is too long for a connection.", usage)
    }
  }

  /// Explains why a host and its jump hosts make no route.
  public static func explain(
    _ error: RouteBuildError,
    keys: ExplanationKeys = ExplanationKeys()
  ) -> Explanation {
    switch error {
    case .invalidJump(let text, let reason):
      return words(
        "bad jump host",
        "The jump host \(quoted(text)) names no host: \(clause(reason)).",
        "Change the jump hosts, or press \(keys.close) to leave it."
      )
    case .cycle(let names):
      return words(
        "loop",
        "The way to the host leads in a circle: \(names.prefix(9).map { plain($0) }.joined(separator: " › ")).",
        "Change the jump hosts, or press \(keys.close) to leave it."
      )
    case .missingJump(let host):
      return Explanation(
        state: "no way",
        detail: "A jump host of \(quoted(host)) was deleted; the host is not tried without it.",
        next: "Edit the host, or press \(keys.close) to leave it."
      )
    case .otherProtocol(let kind, let host):
      let name = kind.title
      return Explanation(
        state: "not SSH",
        detail: "\(quoted(host)) is a \(name) host, and \(name) sessions cannot be opened yet; "
          + "nothing was sent to it.",
        next: "Change its protocol if it has an SSH server, or press \(keys.close) to leave it."
      )
    case .alias(let name, let reason):
      return Explanation(
        state: "no way",
        detail:
          "ssh's configuration leads nowhere for \(quoted(name)): \(plain(ImportWords.text(reason))).",
        next: "Change the configuration, or press \(keys.close) to leave it."
      )
    case .tooManyHops(let count): return explain(RouteError.tooManyHops(count: count), keys: keys)
    }
  }

  private static func words(_ state: String, _ detail: String, _ next: String) -> Explanation {
    Explanation(state: state, detail: detail, next: next)
  }

  /// Why a text is no target, as it follows a colon.
  static func clause(_ error: ConnectTargetError) -> String {
    switch error {
    case .missingHost: "the host is missing"
    case .invalidHost(let text): "\(quoted(text)) is neither a name nor an address"
    case .invalidUser(let text):
      text.isEmpty ? "the user name is empty" : "\(quoted(text)) is no user name"
    case .invalidPort(let text): "\(quoted(text)) is no port from 1 to 65535"
    case .unclosedBracket: "a bracket is not closed"
    case .unsupportedScheme: "only ssh:// is understood"
    case .unexpectedPath: "something stands behind the host and port"
    }
  }
}

extension HostProtocol {
  /// What it is called.
  public var title: String {
    switch self {
    case .ssh: "SSH"
    case .telnet: "Telnet"
    }
  }
}

/// Starts the login shell of an account in a directory, or so that it marks its prompts, without typing anything into it.
///
/// `sh` prepares what is wanted and is then replaced by the login shell. Nothing is written to a disk: what bash reads
/// is in a pipe, what fish reads in a variable, and zsh's file lives in memory until zsh has read it. Other shells start as
/// they always do. See Docs/Decisions/0010-start-directory.md and 0012-shell-integration.md.
public struct LoginShellStart: Hashable, Sendable {
  /// Where it starts; nil for where the account puts it.
  public let directory: StartDirectory?
  /// Whether it is to mark its prompts.
  public let isIntegrated: Bool

  /// Wants a directory, prompt marks, or both; nil when neither is wanted.
  public init?(in directory: StartDirectory?, isIntegrated: Bool) {
    guard directory != nil || isIntegrated else { return nil }
    self.directory = directory
    self.isIntegrated = isIntegrated
  }

  /// The command for an `exec` request, which the account's own shell reads, whichever that is.
  ///
  /// Only plain words and one single-quoted string without quotes, newlines, exclamation marks and
  /// doubled backslashes: that reads alike in the shells of the Bourne family, in csh and in fish.
  public var command: String {
    var steps = directory?.steps ?? ["r=0"]
    steps.append("printf \"\\033]\(StartDirectorySign.number);%s\\007\" $r")
    if let directory { steps.append(directory.complaint) }
    if isIntegrated {
      steps.append("eval \"$(printf %b \"\(Self.escaped(Self.greeting + Self.integration))\")\"")
    }
    steps.append("exec \"${SHELL:-/bin/sh}\" -l")
    return "exec /bin/sh -c '\(steps.joined(separator: "; "))'"
  }

  /// What `sh -c` is given on this machine, where nothing has to be quoted.
  ///
  /// - Parameter shell: The path of the login shell.
  /// - Returns: The script, which finds the shell in `SHELL`; nil for a shell that is not known.
  public static func localScript(for shell: String) -> String? {
    let name = shell.split(separator: "/").last ?? ""
    guard ["bash", "zsh", "fish"].contains(name) else { return nil }
    return integration + "exec \"$SHELL\" -l"
  }

  /// A server shows the message of the day before a shell, but not before a command.
  private static let greeting = """
    if [ ! -e ~/.hushlogin ]; then
      for f in /run/motd.dynamic /etc/motd; do if [ -r $f ]; then cat $f; fi; done
    fi

    """

  private static let integration = """
    case ${SHELL##*/} in
    bash)
    exec 9<<\\TERMIND
    \(ShellScripts.bash)
    TERMIND
    if [ -r /dev/fd/9 ]; then
      if [ -n "${ENV+x}" ]; then export TERMIND_ENV="$ENV"; fi
      export ENV=/dev/fd/9
      exec "$SHELL" --posix -l
    fi
    exec 9<&-
    ;;
    zsh)
    for d in "${XDG_RUNTIME_DIR-}" /dev/shm; do
      if [ -n "$d" ] && d=$(mktemp -d "$d/termind.XXXXXX" 2>/dev/null); then
        cat >"$d/.zshenv" <<\\TERMIND
    \(ShellScripts.zsh)
    TERMIND
        if [ -n "${ZDOTDIR+x}" ]; then export TERMIND_ZDOTDIR="$ZDOTDIR"; fi
        export ZDOTDIR="$d"
        exec "$SHELL" -l
      fi
    done
    ;;
    fish)
    case $("$SHELL" --version 2>/dev/null) in
    *\\ [3-9].*|*\\ [1-9][0-9].*)
      export TERMIND_FISH='\(ShellScripts.fish.replacing("'", with: "'\\''"))'
      exec "$SHELL" -l -C 'eval $TERMIND_FISH; set -e TERMIND_FISH'
    esac
    ;;
    esac

    """

  /// A text for `printf %b` between double quotes that stand between single ones.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "$"), UInt8(ascii: "`"),
        UInt8(ascii: "'"), UInt8(ascii: "!"), 0..<0x20:
        let digits = String(byte, radix: 8)
        escaped += "\\0" + String(repeating: "0", count: 3 - digits.count) + digits
      default: escaped.unicodeScalars.append(Unicode.Scalar(byte))
      }
    }
    return escaped
  }
}

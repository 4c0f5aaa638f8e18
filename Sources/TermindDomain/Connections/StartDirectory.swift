/// The directory that the login shell of an account starts in.
///
/// `LoginShellStart` enters it. It writes a sign, an OSC sequence that terminals drop, by which `StartDirectorySign` tells that
/// the server really ran it. See Docs/Decisions/0010-start-directory.md.
public struct StartDirectory: Hashable, Sendable {
  /// The directory as the person wrote it: absolute, below `~`, or seen from the account's home.
  public let path: String

  /// Takes a directory; one that means the home gives nil, since shells start there anyway.
  public init?(_ path: String) {
    let bare = path.trimmed
    guard !bare.isEmpty, bare != "~", bare != "~/" else { return nil }
    self.path = bare
  }

  /// What `sh` does to enter it: `r` is 0 then, and 1 where it stays at home.
  var steps: [String] {
    ["d=\(word)", "if cd -- \"$d\" 2>/dev/null; then r=0; else cd; r=1; fi", "export PWD"]
  }

  /// What `sh` says when it cannot be entered.
  var complaint: String {
    "if [ $r = 1 ]; then printf \"%s\\n\""
      + " \"The start directory $d cannot be entered; this is the home directory.\"; fi"
  }

  /// The directory as a word of `sh`, where no byte but harmless ones stands for itself.
  private var word: String {
    if path.hasPrefix("~/") { return "\"$HOME/\"" + Self.printed(path.dropFirst(2)) }
    // A path that cannot be looked up in CDPATH, and is no option and no `-`.
    return path.hasPrefix("/") ? Self.printed(path[...]) : "./" + Self.printed(path[...])
  }

  private static func printed(_ text: Substring) -> String {
    if text.utf8.allSatisfy(isPlain) { return String(text) }
    var escaped = ""
    for byte in text.utf8 {
      if isPlain(byte) {
        escaped.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 8)
        escaped += "\\0" + String(repeating: "0", count: 3 - digits.count) + digits
      }
    }
    return "$(printf %b \"\(escaped)\")"
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}

/// Watches the output of a program for the sign of `StartDirectory`; the sign may come in pieces.
public struct StartDirectorySign: Hashable, Sendable {
  /// What became of the directory.
  public enum Outcome: Hashable, Sendable {
    /// The shell starts in it.
    case entered
    /// It cannot be entered; the shell starts in the account's home.
    case missing
  }

  /// The number of the OSC sequence.
  static let number = 7717
  private static let prefix = Array("\u{1B}]\(number);".utf8)
  /// How many bytes of the sign have been seen; its state digit is the last that matters.
  private var matched = 0

  /// Starts to watch.
  public init() {}

  /// Takes the next bytes; gives the outcome once.
  public mutating func feed(_ bytes: some Sequence<UInt8>) -> Outcome? {
    for byte in bytes {
      if matched == Self.prefix.count {
        matched = 0
        if byte == UInt8(ascii: "0") { return .entered }
        if byte == UInt8(ascii: "1") { return .missing }
      }
      // The first byte of the sign stands nowhere else in it, so a mismatch begins anew at once.
      matched = byte == Self.prefix[matched] ? matched + 1 : byte == Self.prefix[0] ? 1 : 0
    }
    return nil
  }
}

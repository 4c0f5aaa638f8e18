import FoundationEssentials
import TermindDomain

/// One thing that a transfer command tells: a line of `--json`.
public nonisolated struct TransferCommandLine: Hashable, Sendable, Codable {
  /// What it is about.
  public enum Event: String, Hashable, Sendable, Codable, CaseIterable {
    /// Something that a server says, or what is waited for.
    case note
    /// How far it is.
    case progress
    /// A file was copied and checked.
    case copied
    /// A directory was made.
    case directory
    /// A link was made.
    case link
    /// Something was removed from the target.
    case removed
    /// Something was left out.
    case skipped
    /// Something was not copied or not removed.
    case failed
    /// Something was copied, but not all that belongs to it.
    case warning
    /// Lines were left out, since they were not read in time.
    case omitted
    /// The end, with the totals.
    case end
  }

  /// What it is about.
  public var event: Event
  /// What is read, as `host:path` or a path.
  public var source: String?
  /// Its bytes in base64, when they are no text.
  public var sourceBase64: String?
  /// What is written, or looked at.
  public var target: String?
  /// Its bytes in base64, when they are no text.
  public var targetBase64: String?
  /// What happened, for people.
  public var message: String?
  /// Why, for scripts: a code of the command's errors.
  public var code: ControlErrorCode?
  /// Files that are there; of `omitted` how many lines.
  public var files: UInt64?
  /// Bytes that are there.
  public var bytes: UInt64?
  /// Files that were found.
  public var foundFiles: UInt64?
  /// Their bytes.
  public var foundBytes: UInt64?
  /// Whether everything was found.
  public var planned: Bool?
  /// Directories that were made.
  public var directories: UInt64?
  /// Links that were made.
  public var links: UInt64?
  /// Files that were the same already.
  public var same: UInt64?
  /// What was left out.
  public var skipped: UInt64?
  /// What was removed.
  public var removed: UInt64?
  /// What failed.
  public var failed: UInt64?
  /// Whether it was stopped before its end.
  public var cancelled: Bool?
  /// Whether nothing was done, and only told.
  public var dryRun: Bool?
  /// What the command exits with.
  public var status: UInt8?

  /// Makes a line.
  public init(_ event: Event) { self.event = event }

  /// Names what is read.
  mutating func setSource(_ place: TransferCommandHost, _ path: RemotePath) {
    let (text, base64) = place.texts(of: path)
    source = text
    sourceBase64 = base64
  }

  /// Names what is written.
  mutating func setTarget(_ place: TransferCommandHost, _ path: RemotePath) {
    let (text, base64) = place.texts(of: path)
    target = text
    targetBase64 = base64
  }
}

/// One end of a transfer command, by the name that was typed.
nonisolated struct TransferCommandHost: Hashable, Sendable {
  /// The words that name the host; nil is this machine.
  let host: String?

  /// A path at this end as text, and its bytes in base64 when they are no text.
  func texts(of path: RemotePath) -> (String, String?) {
    let bytes = host.map { Array($0.utf8) + [UInt8(ascii: ":")] + path.bytes } ?? path.bytes
    if let text = String(validating: bytes, as: UTF8.self) { return (text, nil) }
    return (String(decoding: bytes, as: UTF8.self), Data(bytes).base64EncodedString())
  }

  /// A path at this end for people.
  func text(of path: RemotePath) -> String { host.map { "\($0):\(path.text)" } ?? path.text }
}

/// A question to the person at the client's terminal.
nonisolated struct TransferCommandQuestion: Hashable, Sendable, Codable {
  /// One line to answer.
  struct Prompt: Hashable, Sendable, Codable {
    var text: String
    var echoes: Bool
  }

  /// Which question it is; the answer names it.
  var number: UInt32
  /// What is asked, in whole lines.
  var lines: [String]
  /// What is to be answered.
  var prompts: [Prompt]
}

/// What the server tells the client of a transfer command.
nonisolated enum TransferCommandMessage: Hashable, Sendable, Codable {
  /// What happened.
  case lines([TransferCommandLine])
  /// Something that only the person can answer.
  case question(TransferCommandQuestion)
  /// It is over; with why it could not begin, if so.
  case end(TransferCommandLine, ControlError?)
}

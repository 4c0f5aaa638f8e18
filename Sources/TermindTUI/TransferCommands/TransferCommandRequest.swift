import TermindApplication
import TermindDomain

/// What a transfer command does.
public nonisolated enum TransferCommandVerb: String, Hashable, Sendable, Codable, CaseIterable {
  /// Copies between any two places.
  case copy = "cp"
  /// Copies from a host to this machine.
  case get
  /// Copies from this machine to a host.
  case put
  /// Makes a directory hold what another one holds.
  case mirror
}

/// A copy that `termind cp`, `get`, `put` or `mirror` asks for.
public nonisolated struct TransferCommandRequest: Hashable, Sendable, Codable {
  /// What is done.
  public var verb: TransferCommandVerb
  /// What is read.
  public var sources: [TransferCommandPlace]
  /// Where it goes.
  public var target: TransferCommandPlace
  /// Whether directories are copied.
  public var isRecursive = false
  /// What happens to names that are taken; nil refuses them.
  public var conflicts: TransferCommandConflicts?
  /// Whether the target loses what the source does not have.
  public var deletes = false
  /// Whether it is only told what would be done.
  public var isDryRun = false
  /// Whether files of one size and time are compared by their bytes.
  public var comparesContents = false
  /// Whether every file is told, not only what went wrong.
  public var isDetailed = false
  /// Whether a person can be asked.
  public var mayAsk = false
  /// The client's directory, against which configurations are read.
  public var directory = ""

  /// Makes a request.
  public init(
    _ verb: TransferCommandVerb,
    _ sources: [TransferCommandPlace],
    to target: TransferCommandPlace
  ) {
    self.verb = verb
    self.sources = sources
    self.target = target
  }

  /// How names that are taken are dealt with.
  var policy: ConflictPolicy {
    switch conflicts {
    case .overwrite: .overwrite
    case .skip: .skip
    case .newer: .overwriteIfNewerOrSizeDiffers
    case .keepBoth: .keepBoth
    case nil: verb == .mirror ? .overwriteIfDiffers : .skip
    }
  }
}

/// What happens to a name that is taken.
public nonisolated enum TransferCommandConflicts: String, Hashable, Sendable, Codable, CaseIterable
{
  /// It is replaced.
  case overwrite
  /// It stays.
  case skip
  /// It is replaced when it is older, or has another size.
  case newer
  /// The copy gets another name.
  case keepBoth = "keep-both"
}

public import TermindDomain

/// A host as a foreign file describes it, before anything is saved.
public struct HostDraft: Hashable, Sendable {
  /// The name that it has there.
  public var name: String
  /// The first line about it.
  public var place: SourcePlace
  /// Where it listens.
  public var endpoint: SSHEndpoint
  /// The account; empty when the file names none.
  public var username: String
  /// Private key files, absolute paths, in order.
  public var keyFiles: [String]
  /// Files of certificates, absolute paths.
  public var certificateFiles: [String]
  /// Whether agent keys may be offered.
  public var usesAgent: Bool
  /// The jump hosts, the one nearest to this machine first.
  public var jumps: [JumpDraft]
  /// Variables for its shell.
  public var environment: [EnvironmentVariable]
  /// Seconds between keepalive requests; nil when the file does not say.
  public var keepAliveSeconds: Int?
  /// Whether the file asks for algorithms that are no longer safe.
  public var allowsOldAlgorithms: Bool
  /// Words to group it by.
  public var tags: [String]
  /// What the person wrote down about it.
  public var notes: String
  /// What is taken over, with the lines that it comes from.
  public var taken: [TakenOption]
  /// What is left out, and why.
  public var dropped: [DroppedOption]
  /// Whether the way to it cannot be taken over, so that it would be reached on another one.
  public var losesItsWay: Bool

  /// Makes a draft.
  public init(
    name: String,
    place: SourcePlace,
    endpoint: SSHEndpoint,
    username: String = "",
    keyFiles: [String] = [],
    certificateFiles: [String] = [],
    usesAgent: Bool = true,
    jumps: [JumpDraft] = [],
    environment: [EnvironmentVariable] = [],
    keepAliveSeconds: Int? = nil,
    allowsOldAlgorithms: Bool = false,
    tags: [String] = [],
    notes: String = "",
    taken: [TakenOption] = [],
    dropped: [DroppedOption] = [],
    losesItsWay: Bool = false
  ) {
    self.name = name
    self.place = place
    self.endpoint = endpoint
    self.username = username
    self.keyFiles = keyFiles
    self.certificateFiles = certificateFiles
    self.usesAgent = usesAgent
    self.jumps = jumps
    self.environment = environment
    self.keepAliveSeconds = keepAliveSeconds
    self.allowsOldAlgorithms = allowsOldAlgorithms
    self.tags = tags
    self.notes = notes
    self.taken = taken
    self.dropped = dropped
    self.losesItsWay = losesItsWay
  }
}

/// One jump host of a draft.
public struct JumpDraft: Hashable, Sendable {
  /// A host of the import, or a saved one, that it is when there is such a host; nil for none.
  public var name: String?
  /// The account and the port that were given with the name.
  public var jump: SSHJump
  /// The whole way to it, as targets, when no host has the name.
  public var targets: [String]

  /// Makes a jump.
  public init(name: String?, jump: SSHJump, targets: [String]) {
    self.name = name
    self.jump = jump
    self.targets = targets
  }
}

/// An option that is taken over.
public struct TakenOption: Hashable, Sendable {
  /// What it is called in the file.
  public let option: String
  /// What is taken.
  public let value: String
  /// Where it stands.
  public let place: SourcePlace

  /// Makes a description.
  public init(_ option: String, _ value: String, at place: SourcePlace) {
    self.option = option
    self.value = value
    self.place = place
  }
}

/// An option that is left out.
public struct DroppedOption: Hashable, Sendable {
  /// Why.
  public enum Reason: Hashable, Sendable {
    /// Saved hosts have nothing like it.
    case noCounterpart
    /// Nobody knows the option; `isExpected` when the file itself says to pass over it.
    case unknown(isExpected: Bool)
    /// A program would have to be run.
    case runsProgram
    /// The condition depends on a program that would have to be run.
    case conditionRunsProgram
    /// Only a running `ssh` can judge the condition.
    case conditionNotJudged
    /// The name service was not asked.
    case notCanonicalized
    /// The file does not exist.
    case fileAbsent
    /// The key file has a format that is not read.
    case foreignKey(String)
    /// The value cannot be expanded.
    case expansion(SSHExpansionError)
    /// No way leads through the jump hosts.
    case route(SSHConfigRouteError)
    /// The keys and other options of a jump host are not known where it is only an address.
    case jumpOptions
    /// The value may not be saved.
    case invalid(FieldProblem)
    /// The value cannot be read.
    case unreadable
  }

  /// What it is called in the file.
  public let option: String
  /// What stands there; may be empty.
  public let value: String
  /// Where it stands.
  public let place: SourcePlace
  /// Why it is left out.
  public let reason: Reason

  /// Makes a description.
  public init(_ option: String, _ value: String, at place: SourcePlace, _ reason: Reason) {
    self.option = option
    self.value = value
    self.place = place
    self.reason = reason
  }
}

/// What a foreign file holds.
public struct HostImportSource: Sendable {
  /// Where it comes from.
  public var path: String
  /// Its hosts in their order, at most `maximumHosts`.
  public var hosts: [HostDraft]
  /// What is wrong or odd about the file as a whole.
  public var notes: [ImportNote]

  /// The most hosts of one import.
  public static let maximumHosts = 10_000

  /// Describes a file.
  public init(path: String, hosts: [HostDraft] = [], notes: [ImportNote] = []) {
    self.path = path
    self.hosts = hosts
    self.notes = notes
  }
}

/// Something about a foreign file that a person should know.
public struct ImportNote: Hashable, Sendable {
  /// What there is to know.
  public enum Kind: Hashable, Sendable {
    /// `ssh` would refuse the line.
    case problem(SSHConfigProblem.Reason)
    /// A name that no block applies to.
    case neverApplies(name: String)
    /// A name whose line of this keyword cannot be read, so that it would lead elsewhere.
    case leadsElsewhere(name: String, keyword: String)
    /// A session of another protocol.
    case otherProtocol(name: String, String)
    /// A session without an address.
    case noAddress(name: String)
    /// A row or a line that cannot be read.
    case unreadable(ImportTextError)
    /// A column that is not known.
    case unknownColumn(String)
    /// More hosts than are taken in one import.
    case tooManyHosts(limit: Int)
    /// More key files than are looked at in one import.
    case tooManyKeyFiles(limit: Int)
  }

  /// Where.
  public let place: SourcePlace
  /// What.
  public let kind: Kind

  /// Makes a note.
  public init(_ kind: Kind, at place: SourcePlace) {
    self.kind = kind
    self.place = place
  }
}

/// Why a text cannot be read at all, or a row of it.
public enum ImportTextError: Error, Hashable, Sendable {
  /// It is larger than the limit.
  case tooLarge(limit: Int)
  /// It is neither UTF-8 nor UTF-16 with its mark.
  case encoding
  /// It does not begin as a file of its kind does.
  case wrongFormat
  /// A quote is not closed, or something follows a closing quote.
  case quotes
  /// There are more fields than columns.
  case tooManyFields(expected: Int)
  /// A column that must be there is not.
  case missingColumn(String)
  /// Two columns mean the same.
  case repeatedColumn(String)
  /// A field has a value that it cannot have.
  case invalidField(column: String, FieldProblem)
  /// The value has a type or a form that is not read.
  case invalidValue(String)
}

public import TermindDomain

/// What becomes of one host of an import.
public enum ImportChoice: Hashable, Sendable {
  /// It is saved under its own name.
  case add
  /// It is saved under another name.
  case rename(String)
  /// It is not saved.
  case skip
}

/// What an import would do; nothing is saved yet, and nothing that is saved will be overwritten.
public struct HostImportPreview: Sendable {
  /// One host.
  public struct Host: Sendable {
    /// What the file says.
    public let draft: HostDraft
    /// The record that has the name already; nil when there is none.
    public let existing: HostID?
    /// Whether an earlier host of the same import has the name.
    public let isRepeated: Bool
    /// What keeps it from being saved, apart from its name being taken.
    public let problems: [FieldError<HostField>]
    /// A name that is free.
    public let freeName: String
    /// What becomes of it; may be changed.
    public var choice: ImportChoice

    /// Whether its own name is taken.
    public var isNameTaken: Bool { existing != nil || isRepeated }
    /// Whether it can be saved at all.
    public var canBeSaved: Bool { problems.isEmpty }
    /// The name that it is saved under; nil when it is skipped.
    public var chosenName: String? {
      switch choice {
      case .add: draft.name
      case .rename(let name): name
      case .skip: nil
      }
    }
  }

  /// One key file that hosts of the import name.
  public struct Key: Sendable {
    /// The file.
    public let path: String
    /// What it shows, or why it cannot be taken over; hosts keep its path then.
    public let result: Result<KeyFileSummary, KeyFileProblem>
    /// The record of the same key that is there already.
    public let existing: KeyID?
    /// Its certificate in wire format, when one of the import's files is for it.
    public let certificate: [UInt8]?
    /// Whether it becomes a key of the vault; may be changed.
    public var isSelected: Bool
  }

  /// Where it comes from.
  public let path: String
  /// The hosts, in the order of the file.
  public var hosts: [Host]
  /// The key files, in the order in which hosts name them first.
  public var keys: [Key]
  /// What is wrong or odd about the file as a whole.
  public let notes: [ImportNote]

  /// Skips everything but these names; a name that is taken is renamed.
  ///
  /// - Parameter names: Names of the file.
  /// - Returns: The names that are not in the import, or cannot be saved.
  public mutating func select(only names: [String]) -> [String] {
    let wanted = Set(names)
    var found: Set<String> = []
    for index in hosts.indices {
      let host = hosts[index]
      guard wanted.contains(host.draft.name), host.canBeSaved, !host.isRepeated else {
        hosts[index].choice = .skip
        continue
      }
      found.insert(host.draft.name)
      hosts[index].choice = host.isNameTaken ? .rename(host.freeName) : .add
    }
    return names.filter { !found.contains($0) }
  }

  /// Saves hosts whose name is taken under a free one instead of skipping them.
  public mutating func renameTaken() {
    for index in hosts.indices where hosts[index].isNameTaken && hosts[index].canBeSaved {
      hosts[index].choice = .rename(hosts[index].freeName)
    }
  }

  /// Takes no key into the vault; the hosts name their files.
  public mutating func leaveKeys() {
    for index in keys.indices { keys[index].isSelected = false }
  }
}

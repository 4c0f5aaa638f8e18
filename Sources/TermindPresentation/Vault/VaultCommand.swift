public import TermindScreen

/// What can be done in the Vault.
public enum VaultCommand: String, Hashable, Sendable, CaseIterable {
  /// Opens the chosen or marked records: connects, or shows the workspace.
  case open
  /// Edits the chosen record.
  case edit
  /// Makes a record.
  case new
  /// Makes a record like the chosen one.
  case duplicate
  /// Deletes the chosen or marked records.
  case delete
  /// Takes the last change of the vault back.
  case undo
  /// Marks the chosen record.
  case mark
  /// Marks everything that is listed.
  case markAll
  /// Puts the cursor into the filter.
  case filter
  /// Sorts by the next thing.
  case sort
  /// Pins the chosen hosts above the others, or lets them go.
  case pin
  /// Connects for a test and tells what came of it.
  case test
  /// Reads records from a file.
  case importRecords
  /// Writes records to a file.
  case exportRecords
  /// Puts a text or a public key into the clipboard.
  case copy
  /// Sets, changes or removes the passphrase of a key.
  case passphrase
  /// Puts a public key on a host.
  case install
  /// Stores the certificate of a key.
  case certificate
  /// Locks or unlocks the secret store.
  case secrets
  /// Lists everything that can be done.
  case help
  /// Makes the import that is shown.
  case commitImport
  /// Saves imported hosts whose name is taken under a free one.
  case renameImported
  /// Takes imported key files into the vault.
  case importKeys
  /// Shows what an import says of a host, or of the whole file.
  case details
  /// Saves what is edited.
  case save
  /// Leaves what is edited.
  case cancel
  /// Goes to the next field.
  case nextField
}

/// A key of the Vault, and what it does.
public struct VaultBinding: Hashable, Sendable {
  /// What it does.
  public let command: VaultCommand
  /// The key as people read it.
  public let key: String
  /// A word or two.
  public let label: String
  /// The key's code.
  let code: KeyCode
  let modifiers: KeyModifiers

  init(_ command: VaultCommand, _ key: String, _ label: String, code: KeyCode? = nil) {
    self.command = command
    self.key = key
    self.label = label
    let isControl = key.hasPrefix("ctrl+")
    modifiers = isControl ? .control : []
    if let code {
      self.code = code
    } else {
      let letter = key.unicodeScalars.last ?? " "
      self.code = .character(letter.value)
    }
  }

  /// As a hint at the lower edge.
  public var hint: KeyHint { KeyHint(key, label) }

  /// Whether a key is this one.
  func matches(_ event: KeyEvent) -> Bool {
    guard event.modifiers.intersection([.control, .alt, .super]) == modifiers else { return false }
    if event.code == code {
      guard case .character(let scalar) = code, (0x61...0x7A).contains(scalar) else { return true }
      return !event.modifiers.contains(.shift)
    }
    guard case .character(let wanted) = code, case .character(let given) = event.code,
      event.modifiers.contains(.shift)
    else { return false }
    return event.shifted == wanted || ((0x41...0x5A).contains(wanted) && given == wanted | 0x20)
  }
}

extension VaultBinding {
  /// The keys of an import before it is made.
  public static let importing: [VaultBinding] = [
    VaultBinding(.commitImport, "enter", "import", code: .enter),
    VaultBinding(.cancel, "esc", "leave", code: .escape),
    VaultBinding(.mark, "space", "take or leave", code: .character(0x20)),
    VaultBinding(.markAll, "a", "all or none"),
    VaultBinding(.renameImported, "r", "rename taken"), VaultBinding(.importKeys, "k", "keys too"),
    VaultBinding(.details, "v", "details"), VaultBinding(.filter, "/", "filter"),
  ]

  /// The command of a key among some bindings.
  public static func command(of event: KeyEvent, in bindings: [VaultBinding]) -> VaultCommand? {
    bindings.first { $0.matches(event) }?.command
  }
}

extension VaultSection {
  /// The keys of its list, those needed first in front.
  public var bindings: [VaultBinding] {
    let enter = { (label: String, command: VaultCommand) in
      VaultBinding(command, "enter", label, code: .enter)
    }
    let edit = VaultBinding(.edit, "e", "edit")
    let new = VaultBinding(.new, "n", "new")
    let copy = VaultBinding(.duplicate, "c", "duplicate")
    let delete = VaultBinding(.delete, "d", "delete")
    let own: [VaultBinding]
    switch self {
    case .hosts:
      own = [
        enter("open", .open), edit, new, VaultBinding(.filter, "/", "filter"),
        VaultBinding(.mark, "space", "mark", code: .character(0x20)), delete, copy,
        VaultBinding(.importRecords, "i", "import"), VaultBinding(.test, "t", "test"),
        VaultBinding(.pin, "p", "pin"),
      ]
    case .identities:
      own = [enter("edit", .edit), new, copy, delete, VaultBinding(.secrets, "L", "secrets")]
    case .keys:
      own = [
        enter("edit", .edit), VaultBinding(.new, "n", "generate"),
        VaultBinding(.importRecords, "i", "import"),
        VaultBinding(.install, "I", "install on a host"),
        VaultBinding(.copy, "y", "copy public key"), delete,
        VaultBinding(.exportRecords, "x", "export public key"),
        VaultBinding(.passphrase, "P", "passphrase"),
        VaultBinding(.certificate, "C", "certificate"), VaultBinding(.secrets, "L", "secrets"),
      ]
    case .knownHosts:
      own = [
        VaultBinding(.filter, "/", "find a host"), VaultBinding(.importRecords, "i", "import"),
        VaultBinding(.exportRecords, "x", "export"), delete,
      ]
    case .snippets:
      own = [enter("edit", .edit), new, VaultBinding(.copy, "y", "copy"), copy, delete]
    case .templates:
      own = [enter("open", .open), VaultBinding(.edit, "e", "rename"), copy, delete]
    case .history:
      own = [enter("connect again", .open), VaultBinding(.delete, "d", "forget")]
    }
    let common = [
      VaultBinding(.undo, "u", "undo"), VaultBinding(.sort, "o", "sort"),
      VaultBinding(.filter, "/", "filter"),
      VaultBinding(.mark, "space", "mark", code: .character(0x20)),
      VaultBinding(.markAll, "a", "mark all"), VaultBinding(.help, "?", "more"),
    ]
    return own + common.filter { binding in !own.contains { $0.command == binding.command } }
  }

  /// The hints of its list: those that fit into some columns, and always how to see the others.
  public func hints(columns: Int, hasRecords: Bool) -> [VaultBinding] {
    var wanted = bindings
    if !hasRecords {
      wanted = wanted.filter {
        [.new, .importRecords, .undo, .secrets, .help].contains($0.command)
      }
    }
    guard let help = wanted.last else { return [] }
    func columnsOf(_ binding: VaultBinding) -> Int {
      TextLine.columns(binding.key) + TextLine.columns(binding.label) + 3
    }
    var room = columns - 1 - columnsOf(help)
    var shown: [VaultBinding] = []
    for binding in wanted.dropLast() {
      guard columnsOf(binding) <= room else { break }
      room -= columnsOf(binding)
      shown.append(binding)
    }
    return shown + [help]
  }

  /// The command of a key in its list.
  public func command(of event: KeyEvent) -> VaultCommand? {
    if event.code == .delete { return .delete }
    if event.code == .keypad(.enter) {
      return bindings.first { $0.code == .enter }?.command
    }
    return bindings.first { $0.matches(event) }?.command
  }

  /// What the list says while it is empty.
  public var empty: VaultEmptyText {
    let keys = Dictionary(
      bindings.map { ($0.command, $0.key) },
      uniquingKeysWith: { first, _ in first }
    )
    func hint(_ command: VaultCommand, _ label: String) -> KeyHint {
      KeyHint(keys[command] ?? "?", label)
    }
    switch self {
    case .hosts:
      return VaultEmptyText(
        title: "No hosts yet",
        detail:
          "A saved host keeps an address, an account and the way to it, and opens with one key.",
        hints: [
          hint(.new, "new host"), hint(.importRecords, "import ~/.ssh/config, PuTTY or a CSV file"),
        ]
      )
    case .identities:
      return VaultEmptyText(
        title: "No identities yet",
        detail: "An identity is an account with its password and keys; many hosts can use it.",
        hints: [hint(.new, "new identity")]
      )
    case .keys:
      return VaultEmptyText(
        title: "No keys yet",
        detail: "Keys stay where they are: in a file, in the secret store, or in the agent.",
        hints: [hint(.new, "generate a key"), hint(.importRecords, "import a key file")]
      )
    case .knownHosts:
      return VaultEmptyText(
        title: "No host keys yet",
        detail: "The key of a host comes here when you trust it. Those of ~/.ssh/known_hosts are "
          + "honoured where they are.",
        hints: [hint(.importRecords, "import a known_hosts file")]
      )
    case .snippets:
      return VaultEmptyText(
        title: "No snippets yet",
        detail: "A snippet is text to type into a terminal, with places to fill in.",
        hints: [hint(.new, "new snippet")]
      )
    case .templates:
      return VaultEmptyText(
        title: "No templates yet",
        detail: "A template is a workspace to open again: its panes, and the hosts in them.",
        hints: []
      )
    case .history:
      return VaultEmptyText(
        title: "Nothing was connected to yet",
        detail: "Every connection is listed here, also those that failed.",
        hints: []
      )
    }
  }
}

/// The list of every binding in force, to be shown in a `ChooserSheet` and searched.
public struct KeysHelp: Sendable {
  /// The sheet around it.
  public static let sheet = ChooserSheet(
    title: "Keys",
    placeholder: "type a key, an action or a word",
    hints: [KeyHint("enter", "do it"), KeyHint("esc", "close")]
  )

  /// The bindings, by group and then in the order of the keymap.
  public let bindings: [KeyBinding]

  /// Collects the bindings of a keymap.
  public init(_ keymap: Keymap) {
    bindings = ActionGroup.allCases.flatMap { group in
      keymap.bindings.filter { $0.action.group == group }
    }
  }

  /// A list to filter, by keys, words and names.
  public var list: FilteredList { FilteredList(bindings.map(Self.searchText)) }

  /// The row of a binding.
  public func row(_ place: Int) -> ChooserRow {
    let binding = bindings[place]
    return ChooserRow(
      title: binding.keysText,
      detail: binding.action.label + (binding.repeats ? " (repeats)" : ""),
      trailing: binding.action.group.rawValue,
      sign: "",
      signInk: .dim
    )
  }

  private static func searchText(_ binding: KeyBinding) -> String {
    let action = binding.action
    return "\(binding.keysText) \(action.label) \(action) \(action.group.rawValue)"
  }
}

/// The list of everything that can be done, bound or not: the command palette.
public struct ActionPalette: Sendable {
  /// The sheet around it.
  public static let sheet = ChooserSheet(
    title: "Actions",
    placeholder: "type what you want to do",
    hints: [KeyHint("enter", "do it"), KeyHint("esc", "close")]
  )

  /// The actions, by group: those that need no parameter, and the bound ones that have one.
  public let actions: [Action]
  private let keymap: Keymap

  /// Collects the actions.
  public init(_ keymap: Keymap) {
    self.keymap = keymap
    var actions: [Action] = []
    for group in ActionGroup.allCases where group != .keys {
      for entry in ActionCatalog.entries where entry.group == group {
        for text in Self.texts(of: entry) {
          guard let action = entry.make(text), !actions.contains(action) else { continue }
          actions.append(action)
        }
      }
    }
    self.actions = actions
  }

  /// A list to filter by words and names.
  public var list: FilteredList {
    FilteredList(
      actions.map { "\($0.label) \($0) \(ActionCatalog.entry(named: $0.name)?.summary ?? "")" }
    )
  }

  /// The row of an action.
  public func row(_ place: Int) -> ChooserRow {
    let action = actions[place]
    return ChooserRow(
      title: action.label,
      detail: ActionCatalog.entry(named: action.name)?.summary ?? "",
      trailing: keymap.keysText(for: action) ?? ""
    )
  }

  /// The parameters worth listing: nothing, or each word of a choice.
  private static func texts(of entry: ActionEntry) -> [String?] {
    switch entry.form {
    case .none, .optional: return [nil]
    case .required(let choices):
      let words = choices.filter { !$0.contains(" ") }
      return words.map { $0.split(separator: "[").first.map(String.init) }
    }
  }
}

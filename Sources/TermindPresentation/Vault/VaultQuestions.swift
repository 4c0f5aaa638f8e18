public import TermindDomain

extension ConfirmSheet {
  /// The question before records are deleted, with what depends on them.
  ///
  /// - Parameters:
  ///   - names: The names of the records.
  ///   - section: What they are.
  ///   - dependents: What would lose something.
  ///   - losesSecrets: Whether secrets are removed with them.
  /// - Returns: The question; its buttons are `cancel` and `delete`.
  public static func delete(
    _ names: [String],
    of section: VaultSection,
    dependents: [VaultDependent],
    losesSecrets: Bool = false
  ) -> ConfirmSheet {
    let verb = section == .history ? "Forget" : "Delete"
    let what =
      names.count == 1 ? ErrorText.plain(names[0]) : section.counted(names.count)
    var lines: [String] = []
    if names.count > 1 { lines.append(NameList.text(names.map(ErrorText.plain), none: "")) }
    for use in VaultDependent.Use.order {
      let users = dependents.filter { $0.use == use }.map { ErrorText.plain($0.name) }
      guard !users.isEmpty else { continue }
      lines.append(
        use.sentence(count: users.count, isOne: names.count == 1) + " "
          + NameList.text(users, none: "") + "."
      )
    }
    if losesSecrets {
      lines.append("Its secrets are removed from the secret store, which cannot be undone.")
    }
    switch section {
    case .hosts: lines.append("Trusted host keys stay.")
    case .knownHosts: lines.append("You will be asked again at the next connection.")
    default: break
    }
    if lines.isEmpty { lines.append("Nothing depends on it.") }
    return ConfirmSheet(
      title: "\(verb) \(what)?",
      lines: lines,
      buttons: [
        Button(id: "cancel", label: "Cancel", role: .cancel),
        Button(id: "delete", label: verb, role: .danger),
      ]
    )
  }

  /// The question before a changed form is left.
  public static func discard(_ title: String) -> ConfirmSheet {
    ConfirmSheet(
      title: "Leave without saving?",
      lines: ["The changes of \(ErrorText.plain(title)) are not saved."],
      buttons: [
        Button(id: "cancel", label: "Go on editing", role: .cancel),
        Button(id: "save", label: "Save", role: .plain),
        Button(id: "discard", label: "Discard", role: .danger),
      ]
    )
  }
}

extension VaultDependent.Use {
  /// The uses that hurt most first.
  static let order: [VaultDependent.Use] = [
    .jumpsThrough, .authenticates, .offersKey, .opens, .runsAtStart,
  ]

  /// What happens to the records with this use, up to their names; `isOne` when one record goes.
  func sentence(count: Int, isOne: Bool) -> String {
    let it = isOne ? "it" : "them"
    switch self {
    case .jumpsThrough:
      return count == 1
        ? "1 host is reached through \(it) and cannot be connected to until it is edited:"
        : "\(count) hosts are reached through \(it) and cannot be connected to until they are edited:"
    case .authenticates:
      return count == 1 ? "1 host signs in with \(it):" : "\(count) hosts sign in with \(it):"
    case .offersKey:
      return count == 1 ? "1 identity offers \(it):" : "\(count) identities offer \(it):"
    case .opens:
      return count == 1
        ? "1 template opens \(it); what opened stays empty:"
        : "\(count) templates open \(it); what opened stays empty:"
    case .runsAtStart:
      return count == 1 ? "1 host runs \(it) first:" : "\(count) hosts run \(it) first:"
    }
  }
}

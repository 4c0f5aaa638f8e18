public import TermindApplication
import TermindDomain

/// An import before it is made: what each host would become, and what of it is left out.
public struct ImportList: Sendable {
  /// What would be done.
  public private(set) var preview: HostImportPreview

  /// Shows a preview.
  public init(_ preview: HostImportPreview) { self.preview = preview }

  /// The hosts as entries of a list, in the order of the file.
  public var items: [VaultItem] {
    preview.hosts.enumerated().map { place, host in
      VaultItem(
        .text(String(place)),
        title: host.draft.name,
        text: "\(host.draft.name) \(Self.address(host)) \(host.draft.tags.joined(separator: " "))",
        tags: host.draft.tags
      )
    }
  }

  /// How many hosts would be saved.
  public var count: Int { preview.hosts.count { $0.chosenName != nil } }

  /// How many hosts lose something on the way.
  public var droppedCount: Int { preview.hosts.count { !$0.draft.dropped.isEmpty } }

  /// Whether key files become keys of the vault.
  public var takesKeys: Bool { preview.keys.contains(where: \.isSelected) }

  /// Takes a host or leaves it out; one whose name is taken is saved under a free one.
  public mutating func toggle(_ place: Int) {
    guard preview.hosts.indices.contains(place), preview.hosts[place].canBeSaved else { return }
    let host = preview.hosts[place]
    preview.hosts[place].choice =
      host.chosenName != nil ? .skip : host.isNameTaken ? .rename(host.freeName) : .add
  }

  /// Takes every host that can be saved, or none when they are all taken.
  public mutating func toggleAll() {
    let possible = preview.hosts.indices.filter {
      preview.hosts[$0].canBeSaved && !preview.hosts[$0].isNameTaken
    }
    let takes = possible.contains { preview.hosts[$0].chosenName == nil }
    for place in possible { preview.hosts[place].choice = takes ? .add : .skip }
    if !takes {
      for place in preview.hosts.indices { preview.hosts[place].choice = .skip }
    }
  }

  /// Saves hosts whose name is taken under a free one, or leaves them out again.
  public mutating func toggleTaken() {
    let taken = preview.hosts.indices.filter {
      preview.hosts[$0].isNameTaken && preview.hosts[$0].canBeSaved
    }
    if taken.contains(where: { preview.hosts[$0].chosenName == nil }) {
      preview.renameTaken()
    } else {
      for place in taken { preview.hosts[place].choice = .skip }
    }
  }

  /// Takes the key files into the vault, or lets hosts name them.
  public mutating func toggleKeys() {
    let takes = !takesKeys
    for place in preview.keys.indices {
      if case .success = preview.keys[place].result { preview.keys[place].isSelected = takes }
    }
  }

  // MARK: - Rows

  /// How a host looks in the list; the mark before it tells whether it is taken.
  public func row(_ place: Int) -> VaultRow {
    let host = preview.hosts[place]
    var trailing = ""
    var sign = ""
    var ink = Ink.warning
    if !host.canBeSaved {
      (sign, ink, trailing) = ("!", .danger, "refused")
    } else if let name = host.chosenName, name != host.draft.name {
      trailing = "renamed"
    } else if host.isNameTaken {
      (sign, trailing) = ("=", "is there")
    } else if host.draft.losesItsWay {
      (sign, trailing) = ("!", "no way")
    } else if !host.draft.dropped.isEmpty {
      sign = "–"
    }
    return VaultRow(
      title: host.draft.name,
      detail: Self.address(host),
      tags: host.draft.tags.joined(separator: " "),
      trailing: trailing,
      sign: sign,
      signInk: ink
    )
  }

  /// Whether a host is taken.
  public func isTaken(_ place: Int) -> Bool { preview.hosts[place].chosenName != nil }

  /// Everything about a host: what is taken over, and what is not and why.
  public func form(_ place: Int) -> RecordForm {
    let report = ImportReport(one(place))
    var fields: [FormField] = []
    func add(_ label: String, _ text: String) {
      fields.append(FormField("\(fields.count)", label, .info(text)))
    }
    let host = preview.hosts[place]
    if let name = host.chosenName, name != host.draft.name { add("Saved as", name) }
    add("Address", Self.address(host))
    add("From", "\(host.draft.place)")
    for remark in report.hosts.first?.remarks ?? [] { add("Note", remark) }
    for (index, problem) in host.problems.enumerated() {
      add(index == 0 ? "Refused" : "", ImportWords.text(problem))
    }
    let taken = host.draft.taken
    if !taken.isEmpty { fields.append(.heading("Taken over")) }
    for option in taken { add(option.option, option.value) }
    let dropped = report.hosts.first?.dropped ?? []
    if !dropped.isEmpty { fields.append(.heading("Left out")) }
    for option in dropped {
      add(
        option.option,
        [option.value, option.reason ?? ""].filter { !$0.isEmpty }.joined(separator: " — ")
      )
    }
    return RecordForm(title: host.draft.name, fields: fields)
  }

  /// What the whole import comes to, in a sentence.
  public var summary: String {
    let keys = preview.keys.count(where: \.isSelected)
    var parts = ["\(count) of \(VaultSection.hosts.counted(preview.hosts.count))"]
    if keys > 0 { parts.append(VaultSection.keys.counted(keys)) }
    if droppedCount > 0 { parts.append("\(droppedCount) not in full") }
    if !preview.notes.isEmpty {
      parts.append(preview.notes.count == 1 ? "1 note" : "\(preview.notes.count) notes")
    }
    return parts.joined(separator: " · ")
  }

  /// What is odd about the file as a whole, and about its key files.
  public var notes: [String] {
    let report = ImportReport(preview)
    return report.notes
      + report.keys.compactMap { key in key.reason.map { "\(key.path): \($0)" } }
  }

  private func one(_ place: Int) -> HostImportPreview {
    var copy = preview
    copy.hosts = [preview.hosts[place]]
    return copy
  }

  private static func address(_ host: HostImportPreview.Host) -> String {
    let draft = host.draft
    return draft.username.isEmpty ? "\(draft.endpoint)" : "\(draft.username)@\(draft.endpoint)"
  }
}

public import TermindDomain

extension FileBrowserModel {
  /// Marks the entry under the cursor, or takes its mark away, and goes on to the next row.
  public mutating func toggleMark() {
    if let name = selected?.name {
      toggle(name)
      markAnchor = name
    }
    move(by: 1)
  }

  /// Marks an entry by its row, or takes its mark away.
  public mutating func toggleMark(at place: Int) {
    guard let name = row(place)?.name else { return }
    toggle(name)
    markAnchor = name
  }

  private mutating func toggle(_ name: FileName) {
    if marks.remove(name) == nil { marks.insert(name) }
  }

  /// Marks everything from the last marked entry to a row; without one, from the first row.
  public mutating func markRange(to place: Int) {
    let start =
      markAnchor.flatMap { anchor in
        places.firstIndex { rows.rows[$0].name == anchor }
      } ?? 0
    let end = place - parentRows
    guard places.indices.contains(start), places.indices.contains(end) else { return }
    for index in min(start, end)...max(start, end) { marks.insert(rows.rows[places[index]].name) }
    markAnchor = rows.rows[places[end]].name
  }

  /// Turns the marks of the entries in sight round.
  public mutating func invertMarks() {
    for place in places { toggle(rows.rows[place].name) }
  }

  /// Marks every entry in sight; when all are marked already, none.
  public mutating func markAll() {
    let names = places.map { rows.rows[$0].name }
    if names.allSatisfy(marks.contains) {
      marks.subtract(names)
    } else {
      marks.formUnion(names)
    }
  }

  /// Marks the entries in sight that match a pattern, or takes their marks away.
  ///
  /// - Returns: How many matched.
  public mutating func mark(_ pattern: FilePattern, isOn: Bool) -> Int {
    let names = places.map { rows.rows[$0].name }.filter { pattern.matches($0) }
    if isOn { marks.formUnion(names) } else { marks.subtract(names) }
    return names.count
  }

  /// Takes every mark away.
  public mutating func clearMarks() {
    marks = []
    markAnchor = nil
  }

  /// The rows in sight, in their order.
  public var visible: [FileRow] { places.map { rows.rows[$0] } }

  /// Every entry of the directory, also those that are not in sight.
  public var entries: [FileEntry] { rows.rows.map(\.entry) }

  /// What an action is about: the marked entries in their order, else the one under the cursor.
  public var chosen: [FileRow] {
    guard !marks.isEmpty else { return selected.map { [$0] } ?? [] }
    return rows.sorted.lazy.map { rows.rows[$0] }.filter { marks.contains($0.name) }
  }

  /// The bytes of the marked files, as far as they are told; directories count nothing.
  public var markedSize: UInt64 {
    guard !marks.isEmpty else { return 0 }
    return rows.rows.lazy.filter { marks.contains($0.name) && !$0.isDirectory }
      .reduce(0) { $0 &+ ($1.entry.attributes.size ?? 0) }
  }
}

extension FileBrowserModel {
  /// Lets a mark go along with a new name.
  public mutating func renamed(_ old: FileName, to new: FileName) {
    if marks.remove(old) != nil { marks.insert(new) }
    if markAnchor == old { markAnchor = new }
  }
}

import TermindApplication
import TermindDomain
import Testing

@Suite("The model of a file pane") struct FileBrowserModelTests {
  static func entry(
    _ name: String,
    _ kind: FileKind = .regular,
    size: UInt64 = 1,
    time: Int64 = 0
  ) throws -> FileEntry {
    FileEntry(
      name: try FileName(name),
      attributes: FileAttributes(kind: kind, size: size, modified: FileTime(seconds: time))
    )
  }

  static func rows(_ names: [String], directories: Set<String> = []) throws -> FileRows {
    var rows = FileRows()
    rows.add([
      FileListingBatch(
        entries: try names.map { try entry($0, directories.contains($0) ? .directory : .regular) }
      )
    ])
    return rows
  }

  static let home = RemotePath("/home/me") ?? .root
  static let other = RemotePath("/srv") ?? .root

  /// A model that shows a directory.
  static func model(
    _ names: [String],
    directories: Set<String> = [],
    in directory: RemotePath = home
  ) throws -> FileBrowserModel {
    var model = FileBrowserModel()
    try show(names, directories: directories, in: directory, .open, &model)
    return model
  }

  static func show(
    _ names: [String],
    directories: Set<String> = [],
    in directory: RemotePath,
    _ visit: FileVisit,
    _ model: inout FileBrowserModel
  ) throws {
    let number = model.begin(directory, visit)
    check(model.finished(try rows(names, directories: directories), from: number))
    adopt(&model)
  }

  static func adopt(_ model: inout FileBrowserModel) {
    if let request = model.viewRequest { check(model.adopt(request.make())) }
  }

  static func names(_ model: FileBrowserModel) -> [String] {
    (0..<model.count).map { model.row($0)?.name.text ?? ".." }
  }

  @Test("puts directories first, and numbers in names in their order")
  func sorts() throws {
    let model = try Self.model(
      ["web10", "web2", "Zoo", "apple", "lib"],
      directories: ["lib", "Zoo"]
    )
    #expect(Self.names(model) == ["..", "lib", "Zoo", "apple", "web2", "web10"])
  }

  @Test("sorts by size and time, largest first, and turns round; ties are by name")
  func sortsBySize() throws {
    var rows = FileRows()
    rows.add([
      FileListingBatch(entries: [
        try Self.entry("b", size: 5, time: 3), try Self.entry("a", size: 5, time: 1),
        try Self.entry("c", size: 9, time: 2), try Self.entry("d", .directory),
      ])
    ])
    var model = FileBrowserModel()
    let number = model.begin(.root)
    check(model.finished(rows, from: number))
    model.sort(by: .size)
    Self.adopt(&model)
    #expect(Self.names(model) == ["d", "c", "a", "b"])
    model.reverse()
    Self.adopt(&model)
    #expect(Self.names(model) == ["d", "a", "b", "c"])
    model.sort(by: .time)
    Self.adopt(&model)
    #expect(Self.names(model) == ["d", "b", "c", "a"])
  }

  @Test("merging batches gives what sorting all of them gives")
  func merges() throws {
    var generator = SeededGenerator(seed: 11)
    let names = (0..<600).map { "n\(UInt16.random(in: 0...999, using: &generator))-\($0)" }
    var parts = FileRows(order: FileOrder(.name, isDescending: true))
    var rest = names[...]
    while !rest.isEmpty {
      let batch = try rest.prefix(37).map { try Self.entry($0) }
      parts.add([FileListingBatch(entries: batch)])
      rest = rest.dropFirst(37)
    }
    var whole = FileRows(order: FileOrder(.name, isDescending: true))
    whole.add([FileListingBatch(entries: try names.map { try Self.entry($0) })])
    #expect(parts.sorted == whole.sorted)
  }

  @Test("leaves hidden names out, and filters by words in either case")
  func filters() throws {
    var model = try Self.model([".profile", "Readme.md", "readme.txt", "main.swift"])
    #expect(model.hiddenCount == 1 && model.shownCount == 3)
    model.toggleHidden()
    Self.adopt(&model)
    #expect(model.shownCount == 4 && model.hiddenCount == 0)
    model.filter(by: "READ md")
    Self.adopt(&model)
    #expect(Self.names(model) == ["Readme.md"])
    model.filter(by: "")
    Self.adopt(&model)
    #expect(model.count == 5)
  }

  @Test("keeps the cursor on its name when the directory is read again")
  func keepsCursor() throws {
    var model = try Self.model(["b", "d", "f"])
    model.select(try FileName("d"))
    try Self.show(["a", "b", "c", "d", "e"], in: Self.home, .refresh, &model)
    #expect(model.selected?.name.text == "d")
    // A name that is gone leaves the cursor on its row.
    try Self.show(["a", "b", "c", "e"], in: Self.home, .refresh, &model)
    #expect(model.selected?.name.text == "e")
  }

  @Test("keeps the cursor on its name while rows come in, also when they are sorted in another way")
  func keepsCursorWhileGrowing() throws {
    var model = FileBrowserModel()
    let number = model.begin(Self.home, selecting: try FileName("m"))
    check(model.took(try Self.rows(["a", "z"]), from: number))
    Self.adopt(&model)
    #expect(model.cursor == 0)
    check(model.took(try Self.rows(["a", "m", "z"]), from: number))
    Self.adopt(&model)
    #expect(model.selected?.name.text == "m")
    model.reverse()
    check(model.finished(try Self.rows(["a", "m", "n", "z"]), from: number))
    Self.adopt(&model)
    #expect(Self.names(model) == ["..", "z", "n", "m", "a"])
    #expect(model.selected?.name.text == "m")
  }

  @Test("a person who moves the cursor meanwhile is left alone")
  func movedMeanwhile() throws {
    var model = FileBrowserModel()
    let number = model.begin(Self.home, selecting: try FileName("m"))
    check(model.took(try Self.rows(["a", "z"]), from: number))
    Self.adopt(&model)
    model.move(by: 1)
    check(model.finished(try Self.rows(["a", "m", "z"]), from: number))
    Self.adopt(&model)
    #expect(model.selected?.name.text == "a")
  }

  @Test(
    "a key on the old rows takes nothing from the directory that comes; one on its first rows lasts"
  )
  func movedOverOldRows() throws {
    var model = try Self.model(["a", "b"], in: Self.other)
    let names = ["assets", "zebra", "index.html"]
    let number = model.begin(Self.home, selecting: try FileName("zebra"))
    model.move(by: 1)
    #expect(model.selected?.name.text == "a")
    check(model.took(try Self.rows(names), from: number))
    Self.adopt(&model)
    #expect(model.selected?.name.text == "zebra")
    model.move(by: -1)
    let chosen = model.selected
    check(chosen != nil && chosen?.name.text != "zebra")
    check(model.finished(try Self.rows(names + ["more"]), from: number))
    Self.adopt(&model)
    #expect(model.selected?.name == chosen?.name)
  }

  @Test("the name to go to is forgotten with a listing that is given up or fails")
  func forgetsWanted() throws {
    for isStopped in [true, false] {
      var model = try Self.model(["a", "b"], in: Self.other)
      let number = model.begin(Self.home, selecting: try FileName("b"))
      model.move(by: 1)
      if isStopped {
        model.stop()
      } else {
        check(model.failed(FileError(.denied, path: Self.home), from: number))
      }
      model.toggleHidden()
      Self.adopt(&model)
      #expect(model.selected?.name.text == "a")
    }
  }

  @Test("changes the history only after a listing came to its end")
  func history() throws {
    var model = try Self.model(["a"])
    #expect(model.backTarget == nil)
    // Refused: neither directory nor history change.
    let refused = model.begin(Self.other)
    check(model.failed(FileError(.denied, path: Self.other), from: refused))
    #expect(model.directory == Self.home && model.backTarget == nil && model.problem == nil)
    #expect(Self.names(model) == ["..", "a"])
    // Left before its end: the history knows nothing of it.
    let left = model.begin(Self.other)
    check(model.took(try Self.rows(["x"]), from: left))
    #expect(model.directory == Self.other)
    try Self.show(["r"], in: .root, .open, &model)
    #expect(model.backTarget == Self.home)
    try Self.show(["a"], in: Self.home, .back, &model)
    #expect(model.backTarget == nil && model.forwardTarget == .root)
    try Self.show(["r"], in: .root, .forward, &model)
    #expect(model.backTarget == Self.home && model.forwardTarget == nil)
    // Reading again is no step.
    try Self.show(["r"], in: .root, .refresh, &model)
    #expect(model.backTarget == Self.home)
  }

  @Test("drops what a retired listing reports")
  func retired() throws {
    var model = try Self.model(["a"])
    let old = model.begin(Self.other)
    let new = model.begin(.root)
    check(!model.took(try Self.rows(["x"]), from: old))
    check(!model.finished(try Self.rows(["x"]), from: old))
    check(!model.failed(FileError(.denied), from: old))
    #expect(model.directory == Self.home)
    check(model.finished(try Self.rows(["r"]), from: new))
    #expect(model.directory == .root)
  }

  @Test("a view of an older state is not taken")
  func staleView() throws {
    var model = try Self.model(["a", ".b"])
    model.toggleHidden()
    let request = try #require(model.viewRequest)
    model.toggleHidden()
    let view = request.make()
    check(!model.adopt(view))
    #expect(model.viewRequest != nil)
  }

  @Test("reading again shows the old rows until all new ones are there, and marks follow")
  func refreshInOneStep() throws {
    var model = try Self.model(["a", "b", "c"])
    model.markAll()
    let number = model.begin(Self.home, .refresh)
    check(model.took(try Self.rows(["b"]), from: number))
    Self.adopt(&model)
    #expect(Self.names(model) == ["..", "a", "b", "c"])
    check(model.finished(try Self.rows(["b", "d"]), from: number))
    Self.adopt(&model)
    #expect(Self.names(model) == ["..", "b", "d"])
    #expect(model.marks == [try FileName("b")])
  }

  @Test("rows that came but are not arranged yet change nothing of what is shown")
  func unarranged() throws {
    var model = try Self.model(["a", "b", "c", "d"])
    model.select(try FileName("d"))
    let number = model.begin(Self.home, .refresh)
    check(model.finished(try Self.rows(["d"]), from: number))
    #expect(model.count == 5 && model.selected?.name.text == "d")
    model.markAll()
    #expect(model.chosen.count == 4)
    Self.adopt(&model)
    #expect(Self.names(model) == ["..", "d"] && model.selected?.name.text == "d")
  }

  @Test("a listing that breaks off keeps its rows and says that they are not all")
  func partial() throws {
    var model = FileBrowserModel()
    let number = model.begin(Self.home)
    check(model.took(try Self.rows(["a"]), from: number))
    Self.adopt(&model)
    check(model.failed(FileError(.failed, path: Self.home), from: number))
    #expect(!model.isComplete && model.problem?.reason == .failed && model.count == 2)
    #expect(model.backTarget == nil)
  }

  @Test("marks one, a range, all, those in sight the other way round, and by a pattern")
  func marks() throws {
    var model = try Self.model(["a.txt", "b.txt", "c.md", "d.md", "e"])
    model.select(1)
    model.toggleMark()
    #expect(model.cursor == 2)
    model.select(4)
    model.markRange(to: model.cursor)
    #expect(model.chosen.map(\.name.text) == ["a.txt", "b.txt", "c.md", "d.md"])
    model.invertMarks()
    #expect(model.chosen.map(\.name.text) == ["e"])
    check(model.mark(try #require(FilePattern("*.md *.txt")), isOn: true) == 4)
    check(model.mark(try #require(FilePattern("[ab]*")), isOn: false) == 2)
    #expect(model.chosen.map(\.name.text) == ["c.md", "d.md", "e"])
    #expect(model.markedSize == 3)
    model.markAll()
    #expect(model.marks.count == 5)
    model.markAll()
    #expect(model.marks.isEmpty)
    // The row of the directory above is never marked.
    model.select(0)
    model.toggleMark()
    #expect(model.marks.isEmpty && model.chosen.map(\.name.text) == ["a.txt"])
  }

  @Test("jumps to what begins with a text, else to what has it in it, and on from there")
  func jumps() throws {
    var model = try Self.model(["alpha", "beta", "Bravo", "gamma-b"])
    check(model.jump(to: "B"))
    #expect(model.selected?.name.text == "beta")
    check(model.jump(to: "b", next: true))
    #expect(model.selected?.name.text == "Bravo")
    check(model.jump(to: "-b"))
    #expect(model.selected?.name.text == "gamma-b")
    check(!model.jump(to: "nothing"))
    #expect(model.selected?.name.text == "gamma-b")
  }

  @Test("keeps the cursor in sight and wastes no row at the end")
  func scrolls() throws {
    var model = try Self.model((0..<50).map { "f\($0)" })
    check(model.window(rows: 10) == 0..<10)
    model.select(30)
    check(model.window(rows: 10) == 21..<31)
    model.select(50)
    check(model.window(rows: 10) == 41..<51)
    check(model.window(rows: 40) == 11..<51)
    model.select(0)
    check(model.window(rows: 200) == 0..<51)
  }

  @Test("names that no directory can hold are told, not listed")
  func rejected() throws {
    var rows = FileRows()
    rows.add([FileListingBatch(entries: [try Self.entry("a")], rejectedNames: ["a/b", ".."])])
    var model = FileBrowserModel()
    let number = model.begin(.root)
    check(model.finished(rows, from: number))
    Self.adopt(&model)
    #expect(model.rejectedNames == ["a/b", ".."] && Self.names(model) == ["a"])
  }
}

/// Expects something of a mutating call, which the macro itself cannot take.
private func check(_ value: Bool, sourceLocation: SourceLocation = #_sourceLocation) {
  #expect(value, sourceLocation: sourceLocation)
}

import TermindApplication
import TermindDomain
import TermindScreen
import Testing

@testable import TermindPresentation

@Suite("Pictures of file panes") struct FilesGoldenTests {
  static func entry(
    _ name: [UInt8],
    _ kind: FileKind,
    _ size: UInt64,
    _ time: Int64,
    _ mode: UInt32,
    user: UInt32 = 1_000
  ) throws -> FileEntry {
    FileEntry(
      name: try FileName(name),
      attributes: FileAttributes(
        kind: kind,
        size: size,
        userID: user,
        groupID: user,
        permissions: mode,
        modified: FileTime(seconds: time)
      )
    )
  }

  static let now: Int64 = 1_795_000_000

  static func entries() throws -> [FileEntry] {
    [
      try entry(Array("assets".utf8), .directory, 4_096, now - 86_400, 0o755),
      try entry(Array("index.html".utf8), .regular, 8_294, now, 0o644),
      try entry(Array("app.js".utf8), .regular, 421_888, now, 0o644),
      try entry(Array("bad\r name".utf8), .regular, 12, 2_493_072_000, 0o600),
      try entry(Array("esc\u{1B}[31m\nline".utf8), .regular, 0, 0, 0o4755, user: 0),
      try entry([0x66, 0xFF, 0xFE, 0x67], .regular, 5_000_000_000, now, 0o644),
      try entry(Array("-rf".utf8), .regular, 3, now, 0o644),
      try entry(Array("日本語のファイル名".utf8), .regular, 77, now, 0o644),
      try entry(Array("ends in a blank ".utf8), .regular, 1, now, 0o644),
      try entry(Array("right\u{202E}left".utf8), .regular, 1, now, 0o644),
      try entry(Array("link".utf8), .symbolicLink, 6, now, 0o777),
      try entry(Array("broken".utf8), .symbolicLink, 6, now, 0o777),
      try entry(Array("socket".utf8), .socket, 0, now, 0o700),
      try entry(
        Array((String(repeating: "a-long-name-", count: 12) + "end.tar.gz").utf8),
        .regular,
        1_048_576,
        now,
        0o644
      ),
    ]
  }

  static func model() throws -> FileBrowserModel {
    var rows = FileRows()
    rows.add([FileListingBatch(entries: try entries(), rejectedNames: ["a/b"])])
    var model = FileBrowserModel()
    let number = model.begin(try #require(RemotePath("/var/www")))
    check(model.finished(rows, from: number))
    model.adopt(try #require(model.viewRequest).make())
    _ = model.mark(try #require(FilePattern("*.html *.js")), isOn: true)
    model.select(try FileName("index.html"))
    return model
  }

  static func screen() throws -> FilesScreen {
    var screen = FilesScreen { time in
      time.seconds == now ? "Nov 30 09:40" : time.seconds > now ? "Jan  1  2049" : "Nov 28 10:11"
    }
    screen.owners = FileOwnerNames(users: [0: "root", 1_000: "deploy"], groups: [0: "root"])
    screen.links = [
      try FileName("link"): FileLink(
        target: Array("app.js".utf8),
        attributes: FileAttributes(kind: .regular)
      ),
      try FileName("broken"): FileLink(target: Array("no\u{1B}where".utf8), attributes: nil),
    ]
    screen.space = FileSystemSpace(
      total: 100_000_000_000,
      free: 13_000_000_000,
      available: 12_884_901_888,
      availableFiles: nil,
      isReadOnly: false
    )
    screen.isFocused = true
    return screen
  }

  static func expect(
    _ name: String,
    _ rows: Int,
    _ columns: Int,
    look: Appearance = GoldenScreen.dark,
    _ change: (inout FileBrowserModel, inout FilesScreen) throws -> Void = { _, _ in }
  ) throws {
    var model = try model()
    var screen = try screen()
    try change(&model, &screen)
    try GoldenScreen.expect(name, rows: rows, columns: columns, look: look) { canvas, area in
      _ = screen.draw(&model, on: &canvas, in: area, look)
    }
  }

  @Test("lists files", arguments: [(22, 80), (48, 200), (12, 40), (8, 20), (2, 20), (1, 12)])
  func list(rows: Int, columns: Int) throws { try Self.expect("files-list", rows, columns) }

  @Test("lists files without colours, and in a pane without the focus")
  func plain() throws {
    let look = Appearance(theme: ThemeLibrary.standard(dark: true), depth: .monochrome)
    try Self.expect("files-monochrome", 22, 80, look: look)
    try Self.expect("files-unfocused", 12, 60) { $1.isFocused = false }
  }

  @Test("says what is typed, what runs, what is wrong, and that nothing is there")
  func lines() throws {
    try Self.expect("files-filter", 8, 60) { model, screen in
      model.filter(by: "l")
      model.adopt(try #require(model.viewRequest).make())
      screen.input = FilesScreen.Input("/", field: TextField("l"))
    }
    try Self.expect("files-work", 8, 60) { $1.work = "deleting 120 of 1,204" }
    try Self.expect("files-problem", 8, 60) {
      $1.problem = ErrorText.sentence(FileError(.denied, path: RemotePath("/root")))
    }
    try Self.expect("files-nothing", 8, 60) { model, _ in
      model.filter(by: "nothing of that kind")
      model.adopt(try #require(model.viewRequest).make())
    }
  }

  @Test("shows a text and a binary", arguments: [(20, 80), (8, 40)])
  func pager(rows: Int, columns: Int) throws {
    let text = "plain\n\ttabbed\u{1B}[31m red\r\n日本語\n" + String(repeating: "long ", count: 60)
    var pager = FilePager(title: "notes.md", bytes: Array(text.utf8) + [0x0A, 0xFF, 0x0A])
    #expect(!pager.isHexadecimal)
    check(pager.find("TABBED"))
    try GoldenScreen.expect("files-pager", rows: rows, columns: columns) { canvas, area in
      pager.draw(on: &canvas, in: area, GoldenScreen.dark)
    }
    var binary = FilePager(
      title: "program",
      bytes: (0..<200).map { UInt8($0) },
      cutFrom: 9_000_000
    )
    #expect(binary.isHexadecimal)
    try GoldenScreen.expect("files-hex", rows: rows, columns: columns) { canvas, area in
      binary.draw(on: &canvas, in: area, GoldenScreen.dark)
    }
  }
}

import TermindDomain
import TermindScreen
import Testing

@testable import TermindPresentation

@Suite("Pictures of the Vault") struct VaultGoldenTests {
  /// The sizes of the destination in a window of 80 by 24 and of 200 by 50 with its sidebar.
  static let sizes = [(22, 80), (48, 182)]

  static let looks: [(String, Appearance)] = [
    ("", GoldenScreen.dark),
    ("-light", Appearance(theme: ThemeLibrary.standard(dark: false), depth: .trueColor)),
    ("-monochrome", Appearance(theme: ThemeLibrary.standard(dark: true), depth: .monochrome)),
  ]

  static let counts: [VaultSection: Int] = [
    .hosts: 312, .identities: 4, .keys: 6, .knownHosts: 120, .snippets: 9, .templates: 3,
    .history: 50,
  ]

  static let empty = VaultEmptyText(
    title: "No hosts yet",
    detail: "A saved host keeps its address, its account and the way to it.",
    hints: [KeyHint("n", "new host"), KeyHint("i", "import from ~/.ssh/config")]
  )

  static let hints = [
    KeyHint("enter", "open"), KeyHint("s", "sftp"), KeyHint("e", "edit"), KeyHint("n", "new"),
    KeyHint("d", "delete"), KeyHint("space", "mark"), KeyHint("?", "more"),
  ]

  static let rows = [
    VaultRow(
      title: "web1",
      detail: "deploy@10.0.0.11",
      tags: "prod eu",
      trailing: "2 min",
      sign: "●"
    ),
    VaultRow(title: "web2", detail: "deploy@10.0.0.12", tags: "prod eu", trailing: "1 h"),
    VaultRow(title: "db1", detail: "postgres@[fe80::1%eth0]:2222", tags: "prod db"),
    VaultRow(title: "bad\u{1B}[31m日本語の名前", detail: "web\u{202E}x", trailing: "3 d"),
    VaultRow(
      title: "a-rather-long-name-of-a-host.in.some.department.example.org",
      detail: "someone@a-rather-long-name-of-a-host.in.some.department.example.org:2222",
      tags: "one two three four five six seven"
    ),
  ]

  static func list() -> VaultList {
    var list = VaultList()
    list.load(
      rows.enumerated().map { place, row in
        VaultItem(
          .text("\(place)"),
          title: row.title,
          text: "\(row.title) \(row.detail)",
          tags: row.tags.split(separator: " ").map(String.init)
        )
      },
      sortName: "name"
    )
    return list
  }

  static func expect(
    _ name: String,
    _ rows: Int,
    _ columns: Int,
    list: VaultList,
    form: RecordForm?,
    problem: String = ""
  ) throws {
    let screen = VaultScreen(
      section: .hosts,
      counts: counts,
      empty: empty,
      hints: hints,
      problem: problem
    )
    for (suffix, look) in looks {
      var list = list
      var form = form
      try GoldenScreen.expect(name + suffix, rows: rows, columns: columns, look: look) {
        canvas,
        window in
        _ = screen.draw(on: &canvas, in: window, list: &list, form: &form, look) { Self.rows[$0] }
      }
    }
  }

  @Test("a list with marks, beside its record where that fits", arguments: sizes)
  func list(rows: Int, columns: Int) throws {
    var list = Self.list()
    list.toggleMark(row: 0)
    list.toggleMark(row: 2)
    list.select(row: 1)
    var form = RecordFormTests.form()
    form.isEditing = false
    try Self.expect("vault-list", rows, columns, list: list, form: form)
  }

  @Test("a filtered list", arguments: sizes)
  func filtered(rows: Int, columns: Int) throws {
    var list = Self.list()
    list.isFiltering = true
    list.apply(.insert("tag:prod we"))
    try Self.expect("vault-filtered", rows, columns, list: list, form: nil)
    list.apply(.insert("zzz"))
    try Self.expect("vault-nothing", rows, columns, list: list, form: nil)
  }

  @Test("a form that is edited, with a fault", arguments: sizes)
  func editing(rows: Int, columns: Int) throws {
    var form = RecordFormTests.form()
    form["port"]?.value = .text(TextField("99999"))
    form["port"]?.problem = "A port is a number from 1 to 65535."
    form["kind"]?.help = "One of three."
    form.focus("kind")
    try Self.expect("vault-form", rows, columns, list: Self.list(), form: form)
  }

  @Test("an empty list says what to do, and a store that cannot be used says why", arguments: sizes)
  func empty(rows: Int, columns: Int) throws {
    try Self.expect("vault-empty", rows, columns, list: VaultList(), form: nil)
    try Self.expect(
      "vault-problem",
      rows,
      columns,
      list: Self.list(),
      form: nil,
      problem:
        "The store is damaged (/home/ada/.local/share/termind/termind.sqlite). Enter retries."
    )
  }

  @Test("what is clicked is what was drawn there")
  func targets() throws {
    var list = Self.list()
    var form: RecordForm? = RecordFormTests.form()
    form?.isEditing = false
    var canvas = Canvas(rows: 48, columns: 182)
    let screen = VaultScreen(
      section: .hosts,
      counts: Self.counts,
      empty: Self.empty,
      hints: Self.hints
    )
    let window = CellRectangle(rows: 48, columns: 182)
    let targets = screen.draw(
      on: &canvas,
      in: window,
      list: &list,
      form: &form,
      GoldenScreen.dark
    ) { Self.rows[$0] }
    #expect(targets.target(row: 0, column: 2) == .section(.hosts))
    #expect(targets.target(row: 0, column: 14) == .section(.identities))
    #expect(targets.target(row: 1, column: 4) == .sort)
    #expect(targets.target(row: 2, column: 10) == .filter)
    #expect(targets.target(row: 4, column: 10) == .row(1))
    #expect(targets.target(row: 4, column: 1) == .mark(1))
    #expect(targets.target(row: 2, column: 110) == .field(0))
    #expect(targets.target(row: 47, column: 2) == .hint(0))
    #expect(targets.target(row: 30, column: 10) == nil)
    #expect(targets.page == 44)
  }

  @Test("nothing is drawn outside, and nothing traps, at any size")
  func anySize() {
    for rows in 0...9 {
      for columns in [0, 1, 5, 19, 20, 21, 30, 45, 60, 95, 96, 97, 120] {
        for isEditing in [false, true] {
          var list = Self.list()
          var form: RecordForm? = RecordFormTests.form()
          form?.isEditing = isEditing
          var canvas = Canvas(rows: rows, columns: columns)
          let screen = VaultScreen(
            section: .history,
            counts: Self.counts,
            empty: Self.empty,
            hints: Self.hints
          )
          let targets = screen.draw(
            on: &canvas,
            in: CellRectangle(rows: rows, columns: columns),
            list: &list,
            form: &form,
            GoldenScreen.dark
          ) { Self.rows[$0] }
          #expect(
            targets.cells.allSatisfy { $0.area.endColumn <= columns && $0.area.endRow <= rows }
          )
        }
      }
    }
  }
}

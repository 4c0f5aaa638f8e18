import TermindDomain
import TermindScreen
import Testing

@testable import TermindPresentation

@Suite("Pictures of the Vault's parts") struct VaultSectionGoldenTests {
  static func expect(
    _ name: String,
    _ rows: Int,
    _ columns: Int,
    _ section: VaultSection,
    list: VaultList,
    editor: VaultEditor?,
    looks: [(String, Appearance)] = VaultGoldenTests.looks
  ) throws {
    let contents = VaultFixture.contents
    let counts = Dictionary(
      uniqueKeysWithValues: VaultSection.allCases.map { ($0, contents.count(of: $0)) }
    )
    let isEditing = editor?.form.isEditing == true
    let bindings =
      isEditing
      ? editor?.bindings ?? []
      : section.hints(columns: columns, hasRecords: !list.items.isEmpty)
    let screen = VaultScreen(
      section: section,
      counts: counts,
      empty: section.empty,
      hints: bindings.map(\.hint)
    )
    for (suffix, look) in looks {
      var list = list
      var form = editor?.form
      try GoldenScreen.expect(name + suffix, rows: rows, columns: columns, look: look) {
        canvas,
        window in
        _ = screen.draw(on: &canvas, in: window, list: &list, form: &form, look) {
          contents.row(section, $0, now: VaultFixture.now, up: [VaultFixture.web.id])
        }
      }
    }
  }

  @Test("every part: its list, and its record beside it", arguments: VaultSection.allCases)
  func sections(section: VaultSection) throws {
    for (rows, columns) in VaultGoldenTests.sizes {
      var list = VaultFixture.list(section)
      list.select(row: 1)
      try Self.expect(
        "vault-\(section.rawValue)",
        rows,
        columns,
        section,
        list: list,
        editor: VaultFixture.editor(section),
        looks: section == .hosts ? VaultGoldenTests.looks : [VaultGoldenTests.looks[0]]
      )
    }
  }

  @Test(
    "every form that is edited",
    arguments: [VaultSection.hosts, .identities, .keys, .snippets, .templates]
  )
  func forms(section: VaultSection) throws {
    for (rows, columns) in VaultGoldenTests.sizes {
      try Self.expect(
        "vault-\(section.rawValue)-edit",
        rows,
        columns,
        section,
        list: VaultFixture.list(section),
        editor: VaultFixture.editor(section).editing(),
        looks: section == .hosts ? VaultGoldenTests.looks : [VaultGoldenTests.looks[0]]
      )
    }
  }

  @Test("every empty part says what to do", arguments: VaultSection.allCases)
  func empties(section: VaultSection) throws {
    try Self.expect(
      "vault-\(section.rawValue)-empty",
      22,
      80,
      section,
      list: VaultList(),
      editor: nil,
      looks: [VaultGoldenTests.looks[0]]
    )
  }

  @Test("the question before something is deleted names what depends on it")
  func deleting() throws {
    let sheet = ConfirmSheet.delete(
      ["bastion", "mid"],
      of: .hosts,
      dependents: (1...9).map {
        VaultDependent(
          record: .host(HostID(rawValue: VaultFixture.uuid(100 + $0))),
          name: "web\($0)",
          use: .jumpsThrough
        )
      } + [
        VaultDependent(record: .template(VaultFixture.template.id), name: "morning", use: .opens)
      ]
    )
    try GoldenScreen.expect("vault-delete", rows: 22, columns: 80) { canvas, window in
      sheet.draw(on: &canvas, in: sheet.area(in: window), GoldenScreen.dark)
    }
  }
}

import FoundationEssentials
import Testing

/// The tables of Docs/Concurrency.md, proved against the sources.
@Suite("The page on concurrency") struct ConcurrencyPageTests {
  @Test("lists exactly the types that are exceptions to checked sendability")
  func exceptions() throws {
    let tree = try SourceTree()
    let listed = try ConcurrencyPage(tree).exceptions
    let lines = tree.targets.flatMap(\.files).flatMap { $0.text.split(separator: "\n") }
    let allowed = lines.filter { $0.contains("// lint:allow ") }
      .map { ConcurrencyPage.declaredType(in: $0) ?? "no type: \($0)" }
    #expect(listed.sorted() == allowed.sorted())
  }

  @Test("names only types that exist")
  func namesExist() throws {
    let tree = try SourceTree()
    let page = try ConcurrencyPage(tree)
    let lines = tree.targets.flatMap(\.files).flatMap { $0.text.split(separator: "\n") }
    let declared = Set(lines.compactMap { ConcurrencyPage.declaredType(in: $0) })
    try #require(page.owners.count > 10)
    #expect(page.owners.filter { !declared.contains($0) } == [])
  }

  @Test("a declaration is found behind its modifiers")
  func scannerSeesDeclarations() {
    #expect(
      ConcurrencyPage.declaredType(in: "@safe private struct Loan<A>: ~Copyable {") == "Loan"
    )
    #expect(ConcurrencyPage.declaredType(in: "  public actor SQLiteStore {") == "SQLiteStore")
    #expect(ConcurrencyPage.declaredType(in: "  /// A class of values.") == nil)
    #expect(ConcurrencyPage.declaredType(in: "  static func make() -> Loan {") == nil)
  }
}

/// What the tables of Docs/Concurrency.md name.
struct ConcurrencyPage {
  /// The types in the table of owners, without those that they are nested in.
  private(set) var owners: [String] = []
  /// The types in the table of exceptions, without those that they are nested in.
  private(set) var exceptions: [String] = []

  init(_ tree: SourceTree) throws {
    let page = tree.root.appending(path: "Docs/Concurrency.md")
    let text = String(decoding: try Data(contentsOf: page), as: UTF8.self)
    for line in text.split(separator: "\n") where line.hasPrefix("| ") {
      let cells = line.split(separator: "|").filter { $0.contains { $0 != " " } }
      if cells.count == 2 {
        exceptions += Self.types(in: cells[0])
      } else {
        owners += cells.flatMap(Self.types(in:))
      }
    }
  }

  /// The words between back quotes that look like a type, `actor` before it or not.
  private static func types(in cell: Substring) -> [String] {
    cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }
      .compactMap { $0.element.split { $0 == " " || $0 == "." }.last }
      .filter { $0.first?.isUppercase == true }.map(String.init)
  }

  /// The type that a line declares.
  static func declaredType(in line: some StringProtocol) -> String? {
    let words = line.split(separator: " ")
    let kinds: Set<String> = ["actor", "class", "enum", "protocol", "struct"]
    guard let kind = words.firstIndex(where: { kinds.contains(String($0)) }),
      kind + 1 < words.count,
      words[..<kind].allSatisfy({ $0.hasPrefix("@") || isModifier($0) })
    else { return nil }
    let name = words[kind + 1].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    return name.isEmpty ? nil : String(name)
  }

  private static func isModifier(_ word: some StringProtocol) -> Bool {
    let modifiers: Set<String> = [
      "public", "package", "internal", "fileprivate", "private", "final", "nonisolated", "indirect",
    ]
    return modifiers.contains(String(word))
  }
}

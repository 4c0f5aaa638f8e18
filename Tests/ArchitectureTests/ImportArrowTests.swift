import FoundationEssentials
import Testing

/// The arrows of Docs/Architecture.md, proved against every `import` line under Sources.
@Suite("Import arrows") struct ImportArrowTests {
  @Test("every Swift target imports only what its row of Docs/Architecture.md lists")
  func importsFollowTheTable() throws {
    let tree = try SourceTree()
    let table = try ArrowTable(architecturePage: tree.root.appending(path: "Docs/Architecture.md"))
    try #require(!tree.targets.isEmpty)
    for target in tree.targets {
      let allowed = try #require(table.arrows[target.name], "\(target.name) has no row")
      for file in target.files {
        for module in file.imports where !allowed.contains(module) {
          Issue.record("\(target.name)/\(file.name) imports \(module)")
        }
      }
    }
  }

  @Test("no target is empty, and every listed target exists")
  func noEmptyTarget() throws {
    let tree = try SourceTree()
    let table = try ArrowTable(architecturePage: tree.root.appending(path: "Docs/Architecture.md"))
    for target in tree.targets { #expect(!target.files.isEmpty, "\(target.name) is empty") }
    #expect(Set(table.arrows.keys) == Set(tree.targets.map(\.name)))
  }

  @Test("the Domain reaches the system only to wipe a secret")
  func domainKeepsOffTheSystem() throws {
    let domain = try #require(try SourceTree().targets.first { $0.name == "TermindDomain" })
    let files = domain.files.filter { $0.imports.contains("Glibc") }.map(\.name)
    #expect(files.map { $0.split(separator: "/").last } == ["SecretBytes.swift"])
  }

  @Test("a wrong import is found")
  func scannerSeesImports() {
    let text =
      "internal import CSSH2\npublic import TermindDomain\n@testable import struct A.B\n// import X\n"
    #expect(SourceTree.imports(in: text) == ["CSSH2", "TermindDomain", "A"])
  }
}

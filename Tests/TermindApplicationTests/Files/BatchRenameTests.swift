import TermindApplication
import TermindDomain
import Testing

@Suite("Names that are edited as a list") struct BatchRenameTests {
  private func name(_ text: String) throws -> FileName { try FileName(text) }

  private func plan(
    _ names: [String],
    _ text: String,
    others: [String] = []
  ) throws -> BatchRename {
    try BatchRename(
      names.map(name),
      edited: Array(text.utf8),
      others: Set(others.map(name)),
      key: 7
    )
  }

  /// Carries the steps out on a set of names; no step may take a name that is there.
  private func carriedOut(_ plan: BatchRename, on names: [String]) throws -> [String: String] {
    var there = Dictionary(uniqueKeysWithValues: names.map { ($0, $0) })
    for step in plan.steps {
      let removed = there.removeValue(forKey: step.from.text)
      let content = try #require(removed)
      #expect(there[step.to.text] == nil, "\(step.to.text) is taken")
      there[step.to.text] = content
    }
    return there
  }

  @Test("what is unchanged stays, and the newline at the end does not count")
  func unchanged() throws {
    #expect(try plan(["a", "b"], "a\nb").changes.isEmpty)
    #expect(try plan(["a", "b"], "a\nb\n").steps.isEmpty)
    let one = try plan(["a", "b"], "a\nc\n")
    #expect(one.changes == one.steps && one.steps.count == 1)
  }

  @Test(
    "chains and circles come out right, with no name taken on the way",
    arguments: [
      ["b", "c", "d", "e"], ["b", "a", "c", "d"], ["b", "c", "d", "a"], ["b", "c", "a", "x"],
      ["b", "a", "d", "c"], ["x", "a", "b", "c"], ["a", "c", "b", "y"],
    ]
  )
  func orders(wanted: [String]) throws {
    let names = ["a", "b", "c", "d"]
    let plan = try plan(names, wanted.joined(separator: "\n"))
    let found = try carriedOut(plan, on: names)
    #expect(found == Dictionary(uniqueKeysWithValues: zip(wanted, names)))
    // A detour for each circle, and no more.
    #expect(plan.steps.count - plan.changes.count <= 2)
  }

  @Test("bytes that are no text are names as well")
  func bytes() throws {
    let odd = try FileName([0x66, 0xFF])
    let plan = try BatchRename([odd], edited: [0x67, 0xFF, 0x0A], others: [], key: 1)
    #expect(plan.changes == [BatchRename.Step(from: odd, to: try FileName([0x67, 0xFF]))])
  }

  @Test("a list that makes no sense is refused with the reason")
  func refusals() throws {
    #expect(throws: BatchRenameProblem.otherCount(names: 2, lines: 1)) {
      try plan(["a", "b"], "a\n")
    }
    #expect(throws: BatchRenameProblem.otherCount(names: 1, lines: 3)) { try plan(["a"], "a\n\nb") }
    #expect(throws: BatchRenameProblem.noName(line: 2, .separator)) {
      try plan(["a", "b"], "a\nx/y")
    }
    #expect(throws: BatchRenameProblem.noName(line: 1, .empty)) { try plan(["a", "b"], "\nb\n") }
    #expect(throws: BatchRenameProblem.sameName(try name("x"))) { try plan(["a", "b"], "x\nx") }
    // A server that lists a name twice.
    #expect(throws: BatchRenameProblem.sameName(try name("a"))) { try plan(["a", "a"], "b\nc") }
    #expect(throws: BatchRenameProblem.taken(try name("c"))) {
      try plan(["a", "b"], "c\nb", others: ["c"])
    }
  }
}

import TermindDomain
import Testing

@Suite("Conflicts at the target") struct ConflictRulesTests {
  private static let file = FileAttributes(
    kind: .regular,
    size: 5,
    modified: FileTime(seconds: 100)
  )
  private static let newer = FileAttributes(
    kind: .regular,
    size: 5,
    modified: FileTime(seconds: 101)
  )
  private static let directory = FileAttributes(kind: .directory)
  private static let pipe = FileAttributes(kind: .pipe)

  private static func decide(
    _ source: FileAttributes,
    _ target: FileAttributes?,
    _ policy: ConflictPolicy
  ) throws -> ConflictDecision {
    ConflictRules.decide(
      try FileName("a.txt"),
      source: source,
      target: target,
      policy: policy
    ) { $0.text == "a (2).txt" }
  }

  @Test("decides by policy and by what is known")
  func decisions() throws {
    for policy in ConflictPolicy.allCases {
      #expect(try Self.decide(Self.file, nil, policy) == .create)
    }
    #expect(try Self.decide(Self.file, Self.file, .skip) == .skip)
    #expect(try Self.decide(Self.file, Self.newer, .overwrite) == .replace)
    #expect(try Self.decide(Self.file, Self.file, .overwriteIfNewerOrSizeDiffers) == .skip)
    #expect(try Self.decide(Self.file, Self.newer, .overwriteIfNewerOrSizeDiffers) == .skip)
    #expect(try Self.decide(Self.newer, Self.file, .overwriteIfNewerOrSizeDiffers) == .replace)
    #expect(try Self.decide(Self.file, Self.file, .overwriteIfDiffers) == .skip)
    #expect(try Self.decide(Self.file, Self.newer, .overwriteIfDiffers) == .replace)
    #expect(try Self.decide(Self.newer, Self.file, .overwriteIfDiffers) == .replace)
    #expect(try Self.decide(Self.directory, Self.directory, .overwriteIfDiffers) == .merge)
    #expect(try Self.decide(Self.file, Self.pipe, .overwriteIfDiffers) == .refuse)
    let unknown = FileAttributes(kind: .regular)
    #expect(try Self.decide(unknown, Self.file, .overwriteIfNewerOrSizeDiffers) == .replace)
    #expect(try Self.decide(Self.file, Self.file, .keepBoth) == .createUnder(FileName("a (3).txt")))
    #expect(try Self.decide(Self.directory, Self.directory, .skip) == .merge)
    #expect(try Self.decide(Self.directory, Self.directory, .overwrite) == .merge)
    #expect(try Self.decide(Self.directory, Self.file, .overwrite) == .refuse)
    #expect(try Self.decide(Self.file, Self.directory, .overwrite) == .refuse)
    #expect(try Self.decide(Self.file, Self.pipe, .overwrite) == .refuse)
  }

  @Test("free names keep their extension and fit")
  func freeNames() throws {
    let long = try FileName(String(repeating: "é", count: 126) + ".gz")
    let free = try #require(ConflictRules.freeName(long, isDirectory: false) { _ in false })
    #expect(free.bytes.count <= 255)
    #expect(free.text.hasSuffix(" (2).gz"))
    #expect(String(validating: free.bytes, as: UTF8.self) != nil)
    #expect(
      try ConflictRules.freeName(FileName("a.b"), isDirectory: true) { _ in false }?.text
        == "a.b (2)"
    )
    #expect(try ConflictRules.freeName(FileName("a"), isDirectory: false) { _ in true } == nil)
  }

  @Test("temporary names are hidden, fit, and are known again")
  func partialNames() throws {
    for text in ["a", String(repeating: "x", count: 255), String(repeating: "é", count: 127)] {
      let name = try FileName(text)
      for made in [PartialName.make(for: name, key: .max), PartialName.backup(of: name, key: 7)] {
        #expect(made.bytes.count <= 255)
        #expect(made.isHidden)
        #expect(PartialName.isOurs(made))
        #expect(String(validating: made.bytes, as: UTF8.self) != nil)
      }
      #expect(!PartialName.isOurs(name))
    }
    #expect(
      try PartialName.make(for: FileName("a"), key: 1)
        != PartialName.make(for: FileName("a"), key: 2)
    )
  }

  @Test("the temporary names of one transfer are known by their series, and differ")
  func series() throws {
    let (one, other) = (PartialSeries(), PartialSeries())
    let long = try FileName(String(repeating: "é", count: 127))
    for name in [try FileName("a"), try FileName("-b.termind-1.part"), long] {
      let made = PartialName.make(for: name, in: one)
      #expect(PartialName.series(of: made) == one && one != other)
      #expect(PartialName.series(of: PartialName.backup(of: name, key: one.key())) == nil)
      #expect(PartialName.series(of: name) != one)
    }
    #expect(PartialName.series(of: PartialName.make(for: long, in: nil)) != one)
    #expect(Set((0..<50).map { _ in one.key() }).count > 1)
    for text in [".a.termind-.part", ".a.termind-!.part", "a.part", ".termind-zz.mark"] {
      #expect(PartialName.series(of: try FileName(text)) == nil)
    }
  }

  @Test("nothing is copied onto or into itself")
  func refusals() throws {
    func refusal(_ from: String, _ to: String, _ place: FilePlace = .thisMachine) throws
      -> CopyRefusal?
    {
      CopyRules.refusal(
        source: try #require(RemotePath(from)),
        in: .thisMachine,
        target: try #require(RemotePath(to)),
        in: place
      )
    }
    #expect(try refusal("/a", "/a") == .ontoItself)
    #expect(try refusal("/a", "/a/b/c") == .intoItself)
    #expect(try refusal("/", "/x") == .intoItself)
    #expect(try refusal("/a", "/ab") == nil)
    #expect(try refusal("/a/b", "/a") == nil)
    #expect(try refusal("/a", "/a", .server("x")) == nil)
  }
}

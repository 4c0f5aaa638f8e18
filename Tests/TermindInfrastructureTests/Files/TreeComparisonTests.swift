import Glibc
import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindTestSupport
import Testing

@Suite("Patterns of paths, and differences of trees") struct TreeComparisonTests {
  private let folder: TemporaryFolder
  private let files: LocalFileSystem
  private let root: RemotePath

  init() throws {
    folder = try TemporaryFolder()
    root = try #require(RemotePath(folder.path))
    files = LocalFileSystem(home: root)
  }

  private func make(_ directories: String...) {
    for name in directories { mkdir(folder.file(name), 0o700) }
  }

  private func setTime(_ name: String, _ seconds: Int) {
    let time = timespec(tv_sec: seconds, tv_nsec: 0)
    utimensat(AT_FDCWD, folder.file(name), [time, time], AT_SYMLINK_NOFOLLOW)
  }

  private func expand(_ pattern: String) async throws -> [String] {
    let path = try #require(RemotePath(pattern))
    return try await FileGlob.expand(path, of: files).map(\.text)
  }

  private actor Collected {
    var lines: [String] = []
    func add(_ difference: TreeDifference) {
      let prefix = difference.isObstructed ? "obstructed " : ""
      lines.append(
        prefix + "\(difference.kind) \(difference.names.map(\.text).joined(separator: "/"))"
      )
    }
  }

  private func compare(_ rule: TreeComparison.Rule = .sizeAndTime) async throws -> (
    [String], TreeComparisonSummary
  ) {
    let collected = Collected()
    let summary = try await TreeComparison.run(
      FileLocation(files, try #require(RemotePath("one"))),
      FileLocation(files, try #require(RemotePath("two"))),
      by: rule
    ) { await collected.add($0) }
    return (await collected.lines, summary)
  }

  @Test("a pattern stands for what matches, in order, in any component")
  func patterns() async throws {
    make("a", "b", "b/deep", ".hidden")
    for name in ["a/x.log", "a/y.log", "b/x.log", "b/deep/x.log", ".hidden/x.log", "top.log"] {
      try folder.write(name, "")
    }
    #expect(try await expand("*/*.log") == ["a/x.log", "a/y.log", "b/x.log"])
    #expect(try await expand("[ab]/?.log") == ["a/x.log", "a/y.log", "b/x.log"])
    #expect(try await expand(".*/x.log") == [".hidden/x.log"])
    #expect(try await expand("*/deep/x.*") == ["b/deep/x.log"])
    #expect(try await expand("\(folder.path)/t*") == ["\(folder.path)/top.log"])
    // Without a pattern nothing is looked for.
    #expect(try await expand("not/there") == ["not/there"])
    await #expect(throws: FileError.self) { try await expand("*.none") }
  }

  @Test("a name that is there is meant itself, and a backslash takes the next as it stands")
  func exactNames() async throws {
    for name in ["a*", "ab", "q[1]", "q1", "back\\slash"] { try folder.write(name, "") }
    #expect(try await expand("a*") == ["a*"])
    #expect(try await expand("q[1]") == ["q[1]"])
    #expect(try await expand("back\\slash") == ["back\\slash"])
    #expect(try await expand("a?") == ["a*", "ab"])
    #expect(try await expand("a\\*") == ["a*"])
    await #expect(throws: FileError.self) { try await expand("z\\*") }
  }

  @Test("tells what is new, gone, of another size, time, kind or link, and follows no link")
  func differences() async throws {
    make("one", "two", "one/sub", "two/sub", "one/new", "two/gone", "one/kind")
    for (name, text) in [
      ("same", "same"), ("size", "12"), ("time", "12"), ("sub/in", "1"), ("new/file", "1"),
      ("kind/file", "1"),
    ] {
      try folder.write("one/\(name)", text)
      setTime("one/\(name)", 1_000)
    }
    for (name, text) in [
      ("same", "same"), ("size", "123"), ("time", "21"), ("sub/in", "1"), ("kind", ""),
    ] {
      try folder.write("two/\(name)", text)
      setTime("two/\(name)", name == "time" ? 2_000 : 1_000)
    }
    symlink("/nowhere", folder.file("one/link"))
    symlink("/elsewhere", folder.file("two/link"))
    symlink("/", folder.file("one/root"))
    symlink("/", folder.file("two/root"))
    mkfifo(folder.file("one/pipe"), 0o600)
    let (lines, summary) = try await compare()
    #expect(
      lines == [
        "otherKind kind", "link link", "onlyInSource new", "size size", "time time",
        "onlyInTarget gone", "obstructed onlyInSource kind/file", "onlyInSource new/file",
      ]
    )
    #expect(summary.same == 3 && summary.different == 8 && summary.special == 1)
    #expect(summary.failures.isEmpty)
  }

  @Test("by contents the time does not count, and every byte does")
  func contents() async throws {
    make("one", "two")
    let text = String(repeating: "x", count: 700_000)
    for (name, other) in [
      ("same", text), ("last", text.dropLast() + "y"), ("first", "y" + text.dropFirst()),
    ] {
      try folder.write("one/\(name)", text)
      try folder.write("two/\(name)", String(other))
      setTime("two/\(name)", 1_000)
    }
    let (lines, summary) = try await compare(.contents)
    #expect(lines == ["content first", "content last"])
    #expect(summary.same == 1)
  }

  @Test("a second directory that is not there is empty; a first one that is not there is an error")
  func missing() async throws {
    make("one", "one/in")
    #expect(try await compare().0 == ["onlyInSource in"])
    rename(folder.file("one"), folder.file("two"))
    await #expect(throws: FileError.self) { try await compare() }
  }
}

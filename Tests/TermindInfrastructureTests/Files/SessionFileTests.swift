import FoundationEssentials
import TermindApplication
import TermindDomain
import Testing

@testable import TermindInfrastructure

@Suite("The file of the last session") struct SessionFileTests {
  private let directory: ScratchDirectory
  private var path: String { directory.path + "/session.json" }

  init() throws { directory = try ScratchDirectory() }

  private static func session(_ name: String) -> SessionSnapshot {
    let pane = PaneID(rawValue: 1)
    let workspace = SessionSnapshot.Workspace(
      name: name,
      tree: SplitTree(pane),
      focus: pane,
      isZoomed: false,
      panes: [.init(id: pane, content: .local(words: nil, directory: "/"), text: ["é\u{1B}[2J"])]
    )
    return SessionSnapshot(windows: [
      .init(name: nil, sidebar: .wide, workspaces: [workspace], front: 0)
    ])
  }

  private func put(_ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path))
  }

  @Test("what was written is read again, by this user alone")
  func roundTrip() async throws {
    let file = SessionFile(path: path)
    #expect(!file.exists)
    try await file.write(Self.session("one"))
    #expect(file.exists)
    #expect(directory.mode(of: "session.json") == 0o600)
    let found = await SessionFile(path: path).read()
    #expect(found.session == Self.session("one"))
    #expect(found.problems.isEmpty)
  }

  @Test(
    "a newest one that is damaged leads to the one before",
    arguments: ["", "{", #"{"form":1}"#, #"{"form":99,"windows":[]}"#]
  )
  func damaged(text: String) async throws {
    let writer = SessionFile(path: path)
    try await writer.write(Self.session("one"))
    try await writer.write(Self.session("two"))
    try put(text)
    let reader = SessionFile(path: path)
    let found = await reader.read()
    #expect(found.session == Self.session("one"))
    #expect(found.problems.count == 1)
    #expect(found.problems[0].contains(path))
    // What is damaged does not take the good one's place.
    try await reader.write(Self.session("three"))
    try put(text)
    #expect(await SessionFile(path: path).read().session == Self.session("one"))
  }

  @Test(
    "files of which none can be read are put aside, not overwritten, whatever is written then",
    arguments: [true, false]
  )
  func unread(isEmpty: Bool) async throws {
    let newer = #"{"form":99,"windows":[]}"#
    try put(newer)
    try Data("{".utf8).write(to: URL(filePath: path + ".old"))
    let file = SessionFile(path: path)
    let found = await file.read()
    #expect(found.session == nil && found.problems.count == 2)
    try await file.write(isEmpty ? SessionSnapshot(windows: []) : Self.session("one"))
    #expect(try Data(contentsOf: URL(filePath: path + ".unread")) == Data(newer.utf8))
    #expect(try Data(contentsOf: URL(filePath: path + ".old.unread")) == Data("{".utf8))
    #expect(await SessionFile(path: path).read().session == (isEmpty ? nil : Self.session("one")))
  }

  @Test("the same session is not written twice, and an empty one leaves nothing")
  func economy() async throws {
    let file = SessionFile(path: path)
    try await file.write(Self.session("one"))
    let first = WholeFile(path: path).identity()
    try await file.write(Self.session("one"))
    #expect(WholeFile(path: path).identity() == first)
    try await file.write(Self.session("two"))
    #expect(WholeFile(path: path).identity() != first)
    try await file.write(SessionSnapshot(windows: []))
    #expect(!file.exists)
    #expect(await file.read().session == nil)
  }

  @Test("a directory that takes nothing is told, and what was there stays")
  func refused() async throws {
    let file = SessionFile(path: path)
    try await file.write(Self.session("one"))
    // A directory in the place of the new file cannot be written, by root neither.
    try FileManager.default.createDirectory(
      atPath: path + ".new",
      withIntermediateDirectories: false
    )
    await #expect(throws: WholeFileError.self) { try await file.write(Self.session("two")) }
    #expect(await SessionFile(path: path).read().session == Self.session("one"))
  }

  @Test("a link is not followed")
  func link() async throws {
    let other = directory.path + "/elsewhere"
    try Data("{}".utf8).write(to: URL(filePath: other))
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: other)
    let found = await SessionFile(path: path).read()
    #expect(found.session == nil)
    #expect(found.problems.first?.contains("symbolic link") == true)
  }
}

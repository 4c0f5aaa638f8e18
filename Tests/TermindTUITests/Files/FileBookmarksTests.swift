import TermindApplication
import TermindDomain
import Testing

@testable import TermindTUI

@Suite("Bookmarks of directories") @MainActor struct FileBookmarksTests {
  @Test("keeps them by account, and gives them back from their text")
  func text() throws {
    let odd = try #require(RemotePath([0x2F, 0xFF, 0x0A, 0x20]))
    let plain = try #require(RemotePath("/var/www"))
    let server = FilePlace.server("me@web 1\n:22")
    var bookmarks = FileBookmarks()
    bookmarks.toggle(odd, of: server)
    bookmarks.toggle(plain, of: server)
    bookmarks.toggle(plain, of: .thisMachine)
    let read = FileBookmarks(text: bookmarks.text)
    #expect(read == bookmarks)
    #expect(read.places(of: server) == [odd, plain])
    #expect(read.places(of: .server("other")).isEmpty)
    bookmarks.toggle(odd, of: server)
    #expect(bookmarks.places(of: server) == [plain])
  }

  @Test("a text that is none gives none", arguments: ["", "x", "a b c", "!! !!", "\n\n"])
  func broken(text: String) {
    #expect(FileBookmarks(text: text).text.isEmpty)
  }
}

@Suite("What may be dropped where") @MainActor struct FileDropTests {
  private func held(_ names: [String: FileKind], in directory: String) throws -> HeldFiles {
    HeldFiles(
      place: .thisMachine,
      source: PaneContent.FilesTarget(host: nil, directory: nil),
      directory: try #require(RemotePath(directory)),
      entries: try names.map { name, kind in
        FileEntry(name: try FileName(name), attributes: FileAttributes(kind: kind))
      },
      isMove: true
    )
  }

  private func refusal(_ held: HeldFiles, into directory: String) throws -> String? {
    FileDropCheck.refusal(held, into: try #require(RemotePath(directory)), at: .thisMachine)
  }

  @Test("nothing goes into its own directory, into itself or under itself")
  func refusals() throws {
    let tree = try held(["tree": .directory], in: "/a")
    #expect(try refusal(tree, into: "/a") != nil)
    #expect(try refusal(tree, into: "/a/tree") != nil)
    #expect(try refusal(tree, into: "/a/tree/deep") != nil)
    #expect(try refusal(tree, into: "/a/tree2") == nil)
    #expect(try refusal(tree, into: "/") == nil)
    // Another machine's directory of the same name is another one.
    let other = FilePlace.server("me@host:22")
    let same = try #require(RemotePath("/a"))
    #expect(FileDropCheck.refusal(tree, into: same, at: other) == nil)
  }
}

import TermindDomain
import Testing

@Suite("File names and paths") struct FileNameTests {
  @Test(
    "what could lead out of a directory is no name",
    arguments: [
      ("", FileNameProblem.empty), (".", .reserved), ("..", .reserved), ("a/b", .separator),
      ("/etc/cron.d/x", .separator), ("a\0b", .zeroByte), ("/", .separator),
    ]
  )
  func refused(text: String, problem: FileNameProblem) {
    #expect(throws: problem) { try FileName(text) }
  }

  @Test("any other bytes are kept exactly")
  func kept() throws {
    for byte in UInt8(1)...255 where byte != 0x2F {
      #expect(try FileName([byte, 0x78]).bytes == [byte, 0x78])
    }
    #expect(try FileName("...").bytes == [0x2E, 0x2E, 0x2E])
  }

  @Test("hostile names are written without anything that acts")
  func text() throws {
    #expect(try FileName("bad\r").text == "bad\\x0d")
    #expect(try FileName([0x61, 0xFF, 0x62]).text == "a\\xffb")
    #expect(try FileName("a\u{1B}[2J").text == "a\\x1b[2J")
    #expect(try FileName("x\u{202E}y").text == "x\\u{202e}y")
    #expect(try FileName("\u{85}").text == "\\u{85}")
    #expect(try FileName("雪人 ☃").text == "雪人 ☃")
    #expect(try FileName([0xED, 0xA0, 0x80]).text.hasPrefix("\\xed"))
  }

  @Test("extensions are what stands behind the last full stop")
  func extensions() throws {
    #expect(try FileName("a.TXT").pathExtension == Array("txt".utf8))
    #expect(try FileName(".bashrc").pathExtension == [])
    #expect(try FileName("a.").pathExtension == [])
    #expect(try FileName(".bashrc").isHidden)
  }

  @Test("paths join and part at slashes")
  func paths() throws {
    let name = try FileName("x")
    #expect(RemotePath.root.appending(name).text == "/x")
    #expect(RemotePath.start.appending(name).text == "x")
    #expect(RemotePath("/a//b/")?.text == "/a/b")
    #expect(RemotePath("/a/b")?.parent?.text == "/a")
    #expect(RemotePath("/a")?.parent == .root)
    #expect(RemotePath("a")?.parent == .start)
    #expect(RemotePath.root.parent == nil)
    #expect(RemotePath("//")?.isRoot == true)
    #expect(RemotePath("") == nil)
    #expect(RemotePath("a\0") == nil)
    #expect(RemotePath("/a/..")?.name == nil)
    #expect(RemotePath("/a/b")?.name?.text == "b")
  }

  @Test("a directory contains what lies below it, by whole names")
  func contains() throws {
    let directory = try #require(RemotePath("/a/b"))
    #expect(directory.contains(directory))
    #expect(directory.contains(try #require(RemotePath("/a/b/c"))))
    #expect(!directory.contains(try #require(RemotePath("/a/bc"))))
    #expect(!directory.contains(try #require(RemotePath("/a"))))
    #expect(RemotePath.root.contains(directory))
    #expect(directory.names(to: try #require(RemotePath("/a/b/c/d")))?.map(\.text) == ["c", "d"])
    #expect(directory.names(to: try #require(RemotePath("/a/b/../d"))) == nil)
    #expect(directory.names(to: .root) == nil)
  }

  @Test("kinds and unchanged contents")
  func attributes() {
    #expect(FileKind(mode: 0o100644) == .regular)
    #expect(FileKind(mode: 0o120777) == .symbolicLink)
    #expect(FileKind(mode: nil) == .unknown)
    #expect(FileKind(mode: 0o644) == .unknown)
    let before = FileAttributes(size: 5, modified: FileTime(seconds: 9, nanoseconds: 7))
    #expect(before.isUnchanged(since: before))
    #expect(FileAttributes(size: 5).isUnchanged(since: before))
    #expect(!FileAttributes(size: 6).isUnchanged(since: before))
    let later = FileAttributes(size: 5, modified: FileTime(seconds: 9, nanoseconds: 8))
    #expect(!later.isUnchanged(since: before))
    #expect(FileAttributes(size: 5, modified: FileTime(seconds: 9)).isUnchanged(since: before))
  }
}

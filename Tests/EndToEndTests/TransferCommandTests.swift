import Foundation
import Glibc
import TermindTestSupport
import Testing

@Suite("termind cp, get, put and mirror", .serialized)
struct TransferCommandTests: TransferCommandBench {
  let home: TerminalHome
  let folder: TemporaryFolder

  init() throws {
    home = try TerminalHome()
    folder = try TemporaryFolder()
  }

  @Test("a tree goes to a host and comes back the same: odd names, links, empty directories, times")
  func trees() async throws {
    make("tree", "tree/empty", "tree/with space", "there", "back")
    for name in ["tree/plain", "tree/line\nbreak", "tree/with space/x", "tree/-rf", "tree/ü"] {
      try folder.write(name, "content of \(name)")
    }
    try await shell("printf data > \"$(printf 'tree/bad\\377name')\"; ln -s plain tree/link")
    try await shell(
      "ln -s /nowhere tree/broken; touch -d '2001-02-03 04:05:06' tree/plain tree/empty"
    )
    try await shell("head -c 3000000 /dev/urandom > tree/large; chmod 640 tree/plain")
    let server = try await server()
    #expect(try await shell("$T put -r tree box:\(folder.path)/there") == "")
    try await shell("diff -r --no-dereference tree there/tree")
    try await shell("$T get -r box:\(folder.path)/there/tree back")
    try await shell("diff -r --no-dereference tree back/tree")
    let stamp = "stat -c '%a %Y' plain empty"
    #expect(try await shell("cd tree; \(stamp)") == shell("cd back/tree; \(stamp)"))
    // A single name that is no text, given by its bytes, under another name.
    try await shell("$T cp \"$(printf 'tree/bad\\377name')\" box:\(folder.path)/there/good")
    #expect(try TemporaryFolder.read(folder.file("there/good")) == "data")
    withExtendedLifetime(server) {}
  }

  @Test("patterns are those of the host; names that are taken stay unless something else is wished")
  func conflicts() async throws {
    make("there", "here")
    for name in ["a.log", "b.log", "c.txt"] { try folder.write("there/\(name)", "new \(name)") }
    let server = try await server()
    let all = "box:'\(folder.path)/there/*.log'"
    try await shell("$T get \(all) here")
    #expect(try names("here") == ["a.log", "b.log"])
    try folder.write("here/a.log", "old")
    let refusal = try await shell("$T get \(all) here", 14)
    #expect(refusal.contains("a.log: something with that name is there already; --overwrite"))
    #expect(try TemporaryFolder.read(folder.file("here/a.log")) == "old")
    #expect(try await shell("$T get --skip \(all) here") == "")
    try await shell("touch -d 2001-01-01 here/b.log")
    try await shell("$T get --newer \(all) here")
    #expect(try TemporaryFolder.read(folder.file("here/a.log")) == "new a.log")
    try await shell("$T get --keep-both box:\(folder.path)/there/a.log here")
    #expect(try names("here") == ["a (2).log", "a.log", "b.log"])
    try folder.write("here/a.log", "old")
    try await shell("$T cp --overwrite box:\(folder.path)/there/a.log here")
    #expect(try TemporaryFolder.read(folder.file("here/a.log")) == "new a.log")
    // What is of another kind is not replaced, and said to be.
    make("here/c.txt")
    let kinds = try await shell("$T get --overwrite box:\(folder.path)/there/c.txt here", 14)
    #expect(kinds.contains("a directory, where a file should go"))
    rmdir(folder.file("here/c.txt"))
    // Two sources of one name cannot both be there.
    make("other")
    try folder.write("other/a.log", "")
    let both = try await shell("$T put here/a.log other/a.log box:\(folder.path)/other --skip", 14)
    #expect(both.contains("another source has the same name"))
    withExtendedLifetime(server) {}
  }

  @Test("from one host to another, and within one")
  func acrossHosts() async throws {
    make("one", "one/sub", "two")
    try folder.write("one/sub/file", "carried")
    let (first, second) = (try await server("first"), try await server("second"))
    try await shell("$T cp -r first:\(folder.path)/one/sub second:\(folder.path)/two")
    #expect(try TemporaryFolder.read(folder.file("two/sub/file")) == "carried")
    try await shell("$T cp first:\(folder.path)/two/sub/file first:\(folder.path)/two/copy")
    #expect(try TemporaryFolder.read(folder.file("two/copy")) == "carried")
    // A host by its account and port, and a directory into itself.
    let word = "[\(OpenSSHServer.user)@127.0.0.1:\(first.port)]"
    try home.install(key: first.userKey)
    try await shell("$T cp '\(word):\(folder.path)/two/copy' two/third")
    #expect(try TemporaryFolder.read(folder.file("two/third")) == "carried")
    let inside = try await shell(
      "$T cp -r first:\(folder.path)/one first:\(folder.path)/one/sub",
      1
    )
    #expect(inside.contains("cannot be copied into itself"))
    #expect(first.log.contains("Accepted") && second.log.contains("Accepted"))
  }

  @Test("a host does not choose what something is called here")
  func unnamed() async throws {
    make("there", "there/.ssh")
    try folder.write("there/.ssh/authorized_keys", "of the server")
    let server = try await server(
      "box",
      "Subsystem sftp internal-sftp -d \(folder.path)/there/.ssh"
    )
    try await shell("mkdir got; $T get -r box: got")
    #expect(try names("got") == ["authorized_keys"])
    withExtendedLifetime(server) {}
  }

  @Test("what is missing, refused or not wished is told in words, with a status of its own")
  func errors() async throws {
    make("there")
    try folder.write("file", "text")
    let server = try await server("box", "ForceCommand internal-sftp -R")
    let place = "box:\(folder.path)"
    let missing = try await shell("$T get \(place)/none \(place)/file there", 1)
    #expect(missing.contains("box:\(folder.path)/none: there is no such file or directory"))
    #expect(try names("there") == ["file"])
    #expect(try await shell("$T get '\(place)/*.none' there", 1).contains("nothing matches"))
    #expect(try await shell("$T put file \(place)/there/x", 1).contains("permission denied"))
    #expect(try names("there") == ["file"])
    let directory = try await shell("$T get \(place)/there .", 1)
    #expect(directory.contains("is a directory; -r copies directories"))
    #expect(try await shell("$T get \(place)/file nowhere/x", 1).contains("no such file"))
    #expect(try await shell("$T get \(place)/file nowhere/", 1).contains("no directory"))
    #expect(
      try await shell("$T get \(place)/file \(place)/file nowhere", 4).contains("no directory")
    )
    #expect(try await shell("$T get [127.0.0.1:1]:x .", 17).contains("refused"))
    let json = try await shell("$T get --json 'bad host name:x' .", 4)
    #expect(json.contains("\"code\":\"not-found\""))
    #expect(try await shell("$T cp file", 2).contains("cp needs"))
    withExtendedLifetime(server) {}
  }

  @Test("each line of --json is one object; the last one has the totals")
  func json() async throws {
    make("tree", "tree/sub", "there")
    try folder.write("tree/sub/a", "12345")
    try await shell("printf x > \"$(printf 'tree/\\377')\"; mkfifo tree/pipe; ln -s a tree/link")
    let server = try await server()
    let found = try lines(try await shell("$T put -r --json tree box:\(folder.path)/there"))
    let copied = found.filter { $0["event"] as? String == "copied" }
    #expect(copied.count == 2)
    let odd = try #require(copied.first { $0["sourceBase64"] != nil })
    let bytes = try #require(Data(base64Encoded: odd["sourceBase64"] as? String ?? ""))
    #expect(Array(bytes) == Array("\(folder.path)/tree/".utf8) + [0xFF])
    let plain = try #require(copied.first { $0["sourceBase64"] == nil })
    #expect(plain["target"] as? String == "box:\(folder.path)/there/tree/sub/a")
    #expect(found.contains { $0["event"] as? String == "skipped" })
    let end = try #require(found.last)
    #expect(end["event"] as? String == "end" && end["status"] as? Int == 0)
    #expect(end["files"] as? Int == 2 && end["bytes"] as? Int == 6)
    #expect(end["directories"] as? Int == 2 && end["links"] as? Int == 1)
    withExtendedLifetime(server) {}
  }

  @Test("a mirror shows first, copies what differs, and deletes only when it is told to")
  func mirrors() async throws {
    make("site", "site/css", "there", "there/old")
    try folder.write("site/index", "new index")
    try folder.write("site/css/main", "main")
    try folder.write("site/same", "same")
    try folder.write("there/index", "old index")
    try folder.write("there/same", "same")
    try folder.write("there/old/extra", "extra")
    try folder.write("there/css", "a file in the way")
    try folder.write("there/.kept.termind-1.part", "of another copy")
    try await shell("touch -d 2001-01-01 site/same there/same; touch -d 2030-01-01 there/index")
    let server = try await server()
    let there = "box:\(folder.path)/there"
    let preview = try await shell("$T mirror --delete --dry-run site \(there)")
    for line in [
      "would copy \(folder.path)/site/index to \(there)/index", "would remove \(there)/css",
      "would make \(there)/css/", "would remove \(there)/old",
      "2 files (13), 1 directory would be copied, 3 would be removed, 1 the same.",
    ] { #expect(preview.contains(line), "\(line) in \(preview)") }
    #expect(try TemporaryFolder.read(folder.file("there/index")) == "old index")
    // Without leave to delete, what is in the way is told, and the rest is copied.
    #expect(try await shell("$T mirror site \(there)", 14).contains("css"))
    #expect(try TemporaryFolder.read(folder.file("there/index")) == "new index")
    #expect(exists("there/old/extra"))
    try await shell("$T mirror --delete site \(there)")
    try await shell("diff -r site there | grep -v termind-1.part", 1)
    #expect(exists("there/.kept.termind-1.part") && !exists("there/old"))
    // Nothing is left to do; other bytes of one size and time are found when they are looked for.
    let none = try lines(try await shell("$T mirror --json site \(there)"))
    #expect(none.last?["files"] as? Int == 0 && none.last?["same"] as? Int == 3)
    try await shell("printf Same > there/same; touch -d 2001-01-01 there/same")
    try await shell("$T mirror site \(there)")
    #expect(try TemporaryFolder.read(folder.file("there/same")) == "Same")
    try await shell("$T mirror --contents site \(there)")
    #expect(try TemporaryFolder.read(folder.file("there/same")) == "same")
    // Back again, into a directory that is not there yet, and into itself.
    try await shell("$T mirror \(there) again")
    try await shell("diff -r there again")
    #expect(try await shell("$T mirror \(there) \(there)/deep", 9).contains("lie in each other"))
    withExtendedLifetime(server) {}
  }

  @Test(
    "a mirror that would delete its own source is refused, also by another name of the same machine"
  )
  func mirrorsOntoHolder() async throws {
    make("data", "data/src", "other")
    try folder.write("data/src/only", "the only one")
    let server = try await server()
    for line in [
      "$T mirror --delete data/src data", "$T mirror --delete box:\(folder.path)/data/src data",
      "$T mirror --delete data/src box:\(folder.path)/data",
    ] {
      #expect(try await shell(line, 9).contains("lie in each other"), "\(line)")
      #expect(try TemporaryFolder.read(folder.file("data/src/only")) == "the only one")
      #expect(try names("data") == ["src"])
    }
    // Without deleting, the target may hold it.
    try await shell("$T mirror box:\(folder.path)/data/src data; diff data/only data/src/only")
    withExtendedLifetime(server) {}
  }

  @Test("a mirror deletes nothing when not everything was copied")
  func mirrorsHalf() async throws {
    make("site", "there")
    try folder.write("site/good", "good")
    try folder.write("there/extra", "extra")
    let server = try await server(
      "box",
      "ForceCommand internal-sftp -p write,read,open,close,realpath,stat,lstat,opendir,readdir,mkdir,rmdir"
    )
    #expect(
      try await shell("$T mirror --delete site box:\(folder.path)/there", 1).contains("good")
    )
    #expect(exists("there/extra"))
    withExtendedLifetime(server) {}
  }
}

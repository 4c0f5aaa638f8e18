import TermindDomain
import Testing

@testable import TermindTUI

@Suite("Command lines that copy") struct TransferCommandArgumentsTests {
  private func read(_ words: String...) throws -> TransferCommandArguments {
    guard case .transfer(let arguments) = try Invocation(words[...]) else {
      throw UsageError("\(words) is no transfer")
    }
    return arguments
  }

  @Test(
    "a colon before the first slash ends a host",
    arguments: [
      ("web:/srv/x", "web", "/srv/x"), ("web:", "web", ""), ("me@web:a:b", "me@web", "a:b"),
      ("./web:x", nil, "./web:x"), ("/a:b", nil, "/a:b"), ("dir/a:b", nil, "dir/a:b"),
      (":x", nil, ":x"), ("plain", nil, "plain"), ("[::1]:x", "[::1]", "x"),
      ("me@[::1]:x", "me@[::1]", "x"), ("[me@web:2222]:x", "me@web:2222", "x"),
      ("[me@[::1]:22]:/x", "me@[::1]:22", "/x"), ("[a-z].txt", nil, "[a-z].txt"),
      ("web:*.log", "web", "*.log"),
    ] as [(String, String?, String)]
  )
  func places(word: String, host: String?, path: String) throws {
    let place = try TransferCommandPlace(Array(word.utf8))
    #expect(place == TransferCommandPlace(host: host, path: Array(path.utf8)))
  }

  @Test("names of files need not be text, names of hosts must be")
  func bytes() throws {
    #expect(try TransferCommandPlace([0x66, 0xFF]).path == [0x66, 0xFF])
    #expect(try TransferCommandPlace(Array("web:".utf8) + [0xFF]).path == [0xFF])
    #expect(throws: UsageError.self) { try TransferCommandPlace([0xFF, 0x3A, 0x78]) }
    #expect(throws: UsageError.self) { try TransferCommandPlace([]) }
    // The word that is no text is taken by its bytes, also behind options.
    let words = ["cp", "-r", "?", "web:"]
    let bytes: [[UInt8]] = [Array("cp".utf8), Array("-r".utf8), [0xFF], Array("web:".utf8)]
    guard case .transfer(let arguments) = try Invocation(words[...], bytes: bytes[...]) else {
      Issue.record("no transfer")
      return
    }
    #expect(arguments.request.sources == [TransferCommandPlace(path: [0xFF])])
  }

  @Test("the home directory of an account is where it starts")
  func home() {
    let paths = ["", "~", "~/", "~/a/b", "a", "/a/", "~me/x"].map {
      TransferCommandPlace(host: "web", path: Array($0.utf8)).remotePath?.text
    }
    #expect(paths == [".", ".", ".", "a/b", "a", "/a", "~me/x"])
    #expect(TransferCommandPlace(path: Array("~/x".utf8)).remotePath?.text == "~/x")
    let place = TransferCommandPlace(path: Array("x".utf8))
    #expect(place.absolute(in: Array("/d".utf8)).path == Array("/d/x".utf8))
  }

  @Test("get copies here unless it is told where to; put and mirror take their last word")
  func targets() throws {
    let here = try read("get", "web:a", "web:b")
    #expect(here.request.sources.count == 2)
    #expect(here.request.target == TransferCommandPlace(path: Array(".".utf8)))
    #expect(try read("get", "web:a", "dir").request.target.path == Array("dir".utf8))
    #expect(try read("put", "a", "b", "web:").request.target.host == "web")
    let mirror = try read("mirror", "a", "web:b", "--delete", "-n").request
    #expect(mirror.isRecursive && mirror.deletes && mirror.isDryRun && mirror.isDetailed)
    #expect(mirror.policy == .overwriteIfDiffers)
  }

  @Test("options may be apart or together, and choose one way each")
  func options() throws {
    let both = try read("cp", "-rv", "a", "b")
    #expect(both.request.isRecursive && both.telling == .verbose && both.request.isDetailed)
    #expect(try read("cp", "a", "b").request.policy == .skip)
    #expect(try read("cp", "--newer", "a", "b").request.policy == .overwriteIfNewerOrSizeDiffers)
    #expect(try read("cp", "--keep-both", "a", "b").request.conflicts == .keepBoth)
    #expect(
      try read("cp", "--json", "--", "-r", "b").request.sources.first?.path == Array("-r".utf8)
    )
  }

  @Test(
    "what makes no sense is refused with what would",
    arguments: [
      (["cp", "a"], "cp needs something to copy, and where to"),
      (["get"], "get needs something to copy, as host:path"),
      (["get", "a", "b"], "get copies from a host: write host:path, or use put or cp"),
      (["put", "a", "b"], "put copies from here to a host: write host: last, or use get or cp"),
      (
        ["put", "web:a", "web:"],
        "put copies from here to a host: write host: last, or use get or cp"
      ),
      (["mirror", "a", "b", "c"], "mirror takes one directory and where it is mirrored to"),
      (["cp", "a", "b", "--delete"], "cp has no option '--delete'"),
      (
        ["cp", "--overwrte", "a", "b"], "cp has no option '--overwrte'; did you mean '--overwrite'?"
      ),
      (["cp", "-x", "a", "b"], "there is no option '-x'"),
      (
        ["cp", "--skip", "--newer", "a", "b"],
        "only one of --overwrite, --skip, --newer and --keep-both can be given"
      ),
      (["cp", "-q", "--json", "a", "b"], "only one of --quiet and --json can be given"),
      (
        ["mirror", "--keep-both", "a", "b"],
        "mirror makes both sides the same; --keep-both is for cp"
      ),
      (["cp", "--json=x", "a", "b"], "--json takes no value"),
    ] as [([String], String)]
  )
  func refusals(words: [String], text: String) {
    let error = #expect(throws: UsageError.self) { try Invocation(words[...]) }
    #expect(error?.text.hasPrefix(text) == true, "\(error?.text ?? "")")
  }
}

@Suite("Words of commands that copy") struct TransferCommandTextTests {
  @Test("a progress line tells how much, how fast and how long")
  func progress() {
    var line = TransferCommandLine(.progress)
    (line.files, line.bytes, line.foundFiles, line.foundBytes) = (1, 1_024_000, 1_200, 4_096_000)
    #expect(
      TransferCommandText.progress(line, bytesPerSecond: nil)
        == "1 of at least 1,200 files, 1.0 M of at least 4.0 M"
    )
    line.planned = true
    #expect(
      TransferCommandText.progress(line, bytesPerSecond: 1_024)
        == "1 of 1,200 files, 1.0 M of 4.0 M, 25%, 1.0 K/s, 50:00 left"
    )
  }

  @Test("a summary names what is not nothing")
  func summary() {
    var line = TransferCommandLine(.end)
    (line.files, line.bytes, line.directories) = (2, 12, 1)
    #expect(TransferCommandText.summary(line) == "2 files (12), 1 directory copied.")
    (line.failed, line.same, line.cancelled) = (1, 3, true)
    #expect(
      TransferCommandText.summary(line)
        == "2 files (12), 1 directory copied, 3 the same, 1 failed; stopped."
    )
  }

  @Test("a rate is that of the last seconds")
  func rate() {
    var rate = TransferRate()
    let start = ContinuousClock.now
    #expect(rate.bytesPerSecond == nil)
    for second in 0...10 {
      rate.note(second < 5 ? 0 : UInt64(second - 5) * 100, at: start + .seconds(second))
    }
    #expect(rate.bytesPerSecond == 100)
  }

  @Test("a path that is no text comes with its exact bytes")
  func paths() throws {
    let path = try #require(RemotePath([0x2F, 0x61, 0x0A, 0x22]))
    #expect(TransferCommandHost(host: "web").texts(of: path) == ("web:/a\n\"", nil))
    let odd = try #require(RemotePath([0x2F, 0xFF]))
    let (text, base64) = TransferCommandHost(host: nil).texts(of: odd)
    #expect(text == "/\u{FFFD}" && base64 == "L/8=")
  }

  @Test("lines that nobody reads are counted, not kept without end; failures count all the same")
  func bounded() {
    var request = TransferCommandRequest(.copy, [], to: TransferCommandPlace(path: []))
    request.isDetailed = true
    var tally = TransferCommandTally(request)
    for _ in 0..<9_000 { tally.fail("it failed") }
    let lines = tally.takeLines()
    #expect(lines.count == 8_193)
    #expect(lines.last?.event == .omitted && lines.last?.files == 808)
    #expect(tally.failed == 9_000 && tally.end(isCancelled: false).status == 1)
    #expect(tally.takeLines().isEmpty)
  }

  @Test("the status tells conflicts from failures, and a stop from both")
  func status() {
    let request = TransferCommandRequest(.copy, [], to: TransferCommandPlace(path: []))
    var tally = TransferCommandTally(request)
    #expect(tally.end(isCancelled: false).status == 0)
    tally.fail("taken", .conflict)
    #expect(tally.end(isCancelled: false).status == 14)
    tally.fail("denied")
    #expect(tally.end(isCancelled: false).status == 1)
    #expect(tally.end(isCancelled: true).status == 130)
  }
}

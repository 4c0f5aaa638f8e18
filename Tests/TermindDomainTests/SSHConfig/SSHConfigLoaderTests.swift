import Testing

@testable import TermindDomain

@Suite("ssh_config files") struct SSHConfigLoaderTests {
  @Test("reads includes in place, also inside a block that does not apply")
  func includesInPlace() throws {
    let config = try MemoryFiles.config(
      "Host a\n Include inner/*\nUser outer\nHost *\n Port 9\n",
      [
        "/home/kim/.ssh/inner/1": "User one\nHost b\nUser two\n",
        "/home/kim/.ssh/inner/2": "Port 7\n",
      ]
    )
    #expect(config.paths == ["/config", "/home/kim/.ssh/inner/1", "/home/kim/.ssh/inner/2"])
    #expect(config.host("a").userName == "one")
    #expect(config.host("a").port == 7)
    // The block of the outer file ends only at the outer file's next Host line.
    #expect(config.host("b").userName == "kim")
    #expect(config.host("b").port == 9)
  }

  @Test("stops at a file that includes itself, and says where")
  func cycles() throws {
    let config = try MemoryFiles.config(
      "\nInclude /b\nPort 9\n",
      ["/b": "User x\nInclude /config /c\n", "/c": "Include /b\nCompression yes\n"]
    )
    #expect(
      config.problems == [
        SSHConfigProblem(.includeCycle(path: "/config"), at: SourcePlace(path: "/b", line: 2)),
        SSHConfigProblem(.includeCycle(path: "/b"), at: SourcePlace(path: "/c", line: 1)),
      ]
    )
    #expect(config.host("a").port == 9)
    #expect(config.host("a").flag(.compression) == true)
  }

  @Test("reads sixteen levels of includes and no more")
  func depth() throws {
    var files: [String: String] = [:]
    for level in 1...20 { files["/f\(level)"] = "SendEnv L\(level)\nInclude /f\(level + 1)\n" }
    let config = try MemoryFiles.config("Include /f1\n", files)
    #expect(config.host("a").values(of: .sendEnv).map(\.text).last == "L16")
    #expect(
      config.problems == [
        SSHConfigProblem(.includeTooDeep(path: "/f17"), at: SourcePlace(path: "/f16", line: 2))
      ]
    )
  }

  @Test("bounds how many files are read, and says so once")
  func manyFiles() throws {
    var files: [String: String] = [:]
    for number in 0..<40 { files["/many/\(number)"] = "Include /many/*\n" }
    let config = try MemoryFiles.config("Include /many/*\n", files)
    #expect(config.paths.count == SSHConfigLimits.files)
    #expect(config.problems.count { $0.reason == .tooMuch } == 1)
    #expect(config.problems.count <= SSHConfigLimits.problems + 1)
  }

  @Test("says what is wrong with which line, and reads the others")
  func problems() throws {
    let text = """
      Port 70000
      User
      Host "a
      Match who x
      Match all host x
      LocalForward 80
      ConnectTimeout soon
      ProxyJump a,,b
      SetEnv A
      StrictHostKeyChecking perhaps
      Host *
      Port 5
      """
    let config = try MemoryFiles.config(text)
    let expected: [SSHConfigProblem.Reason] = [
      .invalidPort("70000"), .missingArgument(keyword: "user"),
      .block(.invalidQuotes), .block(.unknownCriterion("who")), .block(.allCombined),
      .missingArgument(keyword: "localforward"),
      .invalidTime(keyword: "connecttimeout", value: "soon"), .invalidJump("a,,b"),
      .invalidVariable("A"), .unsupportedValue(keyword: "stricthostkeychecking", value: "perhaps"),
    ]
    #expect(config.problems.map(\.reason) == expected)
    #expect(config.problems.map(\.place.line) == Array(1...10))
    #expect(config.host("x").port == 5)
  }

  @Test(
    "the lines under a Host or Match line that cannot be read are for nobody",
    arguments: [
      "Host \"b", "Host", "Host \"\"", "Match", "Match who x", "match all host b", "HOST=\"b",
    ]
  )
  func brokenBlock(line: String) throws {
    let text = """
      Host a
        User right
      \(line)
        User wrong
        Port 2222
        IdentityFile /wrong
        Include /more
      Host c
        User other
      """
    let config = try MemoryFiles(["/config": text, "/more": "Host a\n  Port 2200\n"]).load()
    let place = SourcePlace(path: "/config", line: 3)
    #expect(config.problems.map(\.place) == [place])
    if case .block? = config.problems.first?.reason {} else { Issue.record("\(config.problems)") }
    let host = config.host("a")
    #expect(host.userName == "right" && host.port == 22)
    #expect(host.values(of: .identityFile).isEmpty)
    #expect(config.host("c").userName == "other")
  }

  @Test("a Host line that is not UTF-8 has no lines either")
  func brokenText() throws {
    struct Bytes: SSHConfigReading {
      let bytes: [UInt8]
      func read(_ path: String, isChecked: Bool) -> [UInt8] { bytes }
      func paths(matching pattern: String) -> [String] { [] }
      func port(ofService name: String) -> UInt16? { nil }
    }
    let bytes = Array("Host a\nUser right\nHost b".utf8) + [0xFF] + Array("\nPort 9\n".utf8)
    var loader = SSHConfigLoader(machine: MemoryFiles.machine, reading: Bytes(bytes: bytes))
    let config = try loader.load([SSHConfigSource(path: "/c")])
    #expect(
      config.problems == [
        SSHConfigProblem(.block(.invalidText), at: SourcePlace(path: "/c", line: 3))
      ]
    )
    #expect(config.host("a").userName == "right" && config.host("a").port == 22)
  }

  @Test("names the file that cannot be read, and the line that includes it")
  func unreadable() throws {
    var files = MemoryFiles(["/config": "User x\nInclude /secret /gone* /folder\n"])
    files.failing = ["/secret": .insecure, "/folder": .notRegular]
    let config = try files.load()
    let place = SourcePlace(path: "/config", line: 2)
    #expect(
      config.problems == [
        SSHConfigProblem(.includeUnreadable(path: "/secret", .insecure), at: place)
      ]
    )
    #expect(throws: SSHConfigProblem.self) { try MemoryFiles([:]).load() }
  }

  @Test("refuses a home directory in a system-wide file, whose includes are below /etc/ssh")
  func systemFiles() throws {
    let files = MemoryFiles([
      "/etc/ssh/ssh_config": "Include conf.d/*\nInclude ~/x\n", "/etc/ssh/conf.d/a": "User sys\n",
    ])
    var loader = SSHConfigLoader(machine: MemoryFiles.machine, reading: files)
    let config = try loader.load(SSHConfigSource.standard(home: "/home/kim"))
    #expect(config.problems.map(\.reason) == [.invalidInclude("~/x")])
    #expect(config.host("a").userName == "sys")
  }

  @Test("passes over the mark of UTF-8, and says which line is not UTF-8")
  func encodings() throws {
    #expect(try MemoryFiles.config("\u{FEFF}User x\r\nPort 9\r\n").host("a").userName == "x")
    var bytes = Array("User ".utf8) + [0xFF, 0x0A] + Array("# ".utf8) + [0xE4, 0x0A]
    bytes += Array("Port 9\n".utf8)
    struct Bytes: SSHConfigReading {
      let bytes: [UInt8]
      func read(_ path: String, isChecked: Bool) -> [UInt8] { bytes }
      func paths(matching pattern: String) -> [String] { [] }
      func port(ofService name: String) -> UInt16? { nil }
    }
    var loader = SSHConfigLoader(machine: MemoryFiles.machine, reading: Bytes(bytes: bytes))
    let config = try loader.load([SSHConfigSource(path: "/c")])
    #expect(
      config.problems == [SSHConfigProblem(.invalidText, at: SourcePlace(path: "/c", line: 1))]
    )
    #expect(config.host("a").port == 9)
  }

  @Test("bounds the length of a line")
  func longLine() throws {
    let config = try MemoryFiles.config(
      "User " + String(repeating: "x", count: SSHConfigLimits.lineLength) + "\nPort 9\n"
    )
    #expect(config.problems.map(\.reason) == [.lineTooLong])
    #expect(config.host("a").port == 9)
  }

  @Test("survives any bytes", arguments: [1, 2, 3] as [UInt64])
  func anyBytes(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let pieces = [
      "Host ", "Match ", "host ", "final ", "exec ", "Include /config ", "ProxyJump ", "a,b", "\"",
      "'", "\\", "#", "=", "%", "${", "}", "~", "[", "]", ":", "/", "\n", "\r", "\t", " ", "\0",
      "*",
      "!", "LocalForward ", "RemoteForward ", "SetEnv ", "SendEnv -", "HostName ", "%h",
      "IdentityFile ",
      "IdentityAgent $", "ConnectTimeout ", "99999999999", "1w", "none", "all", "ü",
    ]
    for _ in 0..<300 {
      let count = Int.random(in: 0..<60, using: &random)
      let text = (0..<count).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }
      let config = try MemoryFiles.config(text.joined())
      for alias in ["a", "", "ü", "10.1", "::1"] {
        let host = config.host(alias)
        for option in host.options {
          for value in host.values(of: option) { _ = try? host.expanded(value, of: option) }
        }
        _ = try? config.router.hosts(to: SSHJump(host: alias))
      }
      _ = config.aliases()
    }
  }
}

/// A small generator with a seed, so that a failure can be repeated.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

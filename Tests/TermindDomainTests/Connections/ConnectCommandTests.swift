import TermindDomain
import Testing

@Suite("Connect command") struct ConnectCommandTests {
  func error(_ reason: ConnectCommandError.Reason, word: Int, offset: Int?) -> ConnectCommandError {
    ConnectCommandError(reason, word: word, offset: offset)
  }

  @Test(
    "the bar reads the same words with and without ssh",
    arguments: ["deploy@web1 -p 2222", "ssh deploy@web1 -p 2222", "  ssh  -p2222\tdeploy@web1 "]
  )
  func bar(line: String) throws {
    let command = try ConnectCommand(line: line)
    #expect(
      command == ConnectCommand(target: ConnectTarget(user: "deploy", host: "web1", port: 2222))
    )
  }

  @Test("every option, apart and glued")
  func options() throws {
    let command = try ConnectCommand(arguments: [
      "-l", "deploy", "-i", "/keys/a", "-i~/.ssh/b", "-Jroot@jump1:2200,[::1]:22", "--", "web1",
    ])
    #expect(command.target == ConnectTarget(user: "deploy", host: "web1"))
    #expect(command.keyFiles == ["/keys/a", "~/.ssh/b"])
    #expect(
      command.jumps == [
        ConnectTarget(user: "root", host: "jump1", port: 2200),
        ConnectTarget(host: "::1", port: 22),
      ]
    )
  }

  @Test("none takes the jumps away, absence leaves them")
  func noJumps() throws {
    #expect(try ConnectCommand(arguments: ["-J", "none", "web1"]).jumps == [])
    #expect(try ConnectCommand(arguments: ["web1"]).jumps == nil)
  }

  @Test("quotes and backslashes keep blanks together, and nothing is expanded")
  func quoting() throws {
    let line = #"-i "/my keys/a" -i '/b "c" $HOME' -i /d\ e -i "\"q\" \x" web1"#
    #expect(
      try ConnectCommand(line: line).keyFiles == [
        "/my keys/a", "/b \"c\" $HOME", "/d e", "\"q\" \\x",
      ]
    )
    #expect(throws: error(.invalidTarget("web1;id", .invalidHost("web1;id")), word: 0, offset: 0)) {
      try ConnectCommand(line: "web1;id")
    }
  }

  @Test("a saved host may have any name")
  func savedNames() throws {
    let saved: Set<String> = ["My web", "-odd", "ssh", "a@b"]
    let isSaved = { saved.contains($0) }
    #expect(try ConnectCommand(line: #""My web""#, isSavedHost: isSaved).target.host == "My web")
    #expect(try ConnectCommand(line: "-odd", isSavedHost: isSaved).target.host == "-odd")
    #expect(try ConnectCommand(line: "ssh", isSavedHost: isSaved).target.host == "ssh")
    #expect(try ConnectCommand(line: "ssh ssh").target.host == "ssh")
    #expect(
      try ConnectCommand(line: "a@b", isSavedHost: isSaved).target == ConnectTarget(host: "a@b")
    )
    #expect(
      try ConnectCommand(line: "x -J 'My web'", isSavedHost: isSaved).jumps
        == [ConnectTarget(host: "My web")]
    )
  }

  @Test(
    "refusals name the reason and the place",
    arguments: [
      ("", .missingHost, 0, nil),
      ("ssh", .missingHost, 1, nil),
      ("ssh -p 22", .missingHost, 3, nil),
      ("ssh -v web1", .unknownOption("-v"), 1, 4),
      ("ssh -vp22 web1", .unknownOption("-v"), 1, 4),
      ("web1 --port 22", .unknownOption("--port"), 1, 5),
      ("web1 -oProxyCommand=x", .unknownOption("-o"), 1, 5),
      ("web1 -", .unknownOption("-"), 1, 5),
      ("web1 -p", .missingValue(option: "-p"), 1, 5),
      ("web1 -l ''", .missingValue(option: "-l"), 1, 5),
      ("web1 -p 0x16", .invalidPort("0x16"), 2, 8),
      ("web1 -p70000", .invalidPort("70000"), 1, 5),
      ("-p 1 -p 1 web1", .repeatedOption("-p"), 2, 5),
      ("-J a -J b web1", .repeatedOption("-J"), 2, 5),
      ("web1 -l -x", .invalidUser("-x"), 2, 8),
      ("web1 uptime", .unexpectedWord("uptime"), 1, 5),
      ("-p 1 web1:2", .contradiction(option: "-p", value: "1", other: "2"), 2, 5),
      ("-l a b@web1", .contradiction(option: "-l", value: "a", other: "b"), 2, 5),
      ("web1 -J a,,b", .missingHop("a,,b"), 2, 8),
      ("web1 -J a,", .missingHop("a,"), 2, 8),
      ("''", .missingHost, 0, 0),
      ("web1 -J a,b,c,d,e,f,g,h", .tooManyHops(count: 8), 2, 8),
      ("web1 -i 'x", .unclosedQuote, 2, 8),
      ("web1 \\", .unclosedQuote, 1, 5),
      ("web1\u{1B}[0m", .controlCharacter, 0, 4),
      ("web1\nreboot", .controlCharacter, 0, 4),
    ] as [(String, ConnectCommandError.Reason, Int, Int?)]
  )
  func refusals(line: String, reason: ConnectCommandError.Reason, word: Int, offset: Int?) {
    #expect(throws: error(reason, word: word, offset: offset)) { try ConnectCommand(line: line) }
  }

  @Test("the same account or port twice is no contradiction")
  func agreement() throws {
    #expect(
      try ConnectCommand(line: "-p 22 -l a a@web1:22").target
        == ConnectTarget(user: "a", host: "web1", port: 22)
    )
  }

  @Test("arguments have no offset")
  func argumentErrors() {
    #expect(throws: error(.unknownOption("-t"), word: 0, offset: nil)) {
      try ConnectCommand(arguments: ["-t", "web1"])
    }
  }

  @Test("length and number of words are bounded")
  func bounds() {
    let long = String(repeating: "a", count: 5000)
    #expect(throws: error(.tooLong, word: 0, offset: nil)) { try ConnectCommand(line: long) }
    #expect(throws: error(.tooLong, word: 0, offset: nil)) { try ConnectCommand(arguments: [long]) }
    #expect(throws: ConnectCommandError.self) {
      try ConnectCommand(line: String(repeating: "a ", count: 2000))
    }
    let keys = String(repeating: "-i a ", count: 17)
    #expect(throws: error(.tooManyKeyFiles, word: 32, offset: 80)) {
      try ConnectCommand(line: keys + "web1")
    }
  }

  @Test(
    "a command is written so that it reads the same again",
    arguments: [
      "web1", "deploy@web1:2222", "a@b@web1", "root@[fe80::1%eth0]:22", "::1", "ssh ssh",
      #"-i "/my keys/\\a\"" -i 'b' web1"#, "web1 -J none", "web1 -J root@j:1,[::1]:2,k",
    ]
  )
  func lines(line: String) throws {
    let command = try ConnectCommand(line: line)
    #expect(try ConnectCommand(line: command.line) == command)
  }

  @Test("saved hosts with odd names are written so too")
  func savedLines() throws {
    let saved: Set<String> = ["My \"web\"", "-odd", "a@b", "ssh", "web;1"]
    for name in saved {
      let command = ConnectCommand(
        target: ConnectTarget(user: "root", host: name, port: 99),
        keyFiles: ["/k"]
      )
      #expect(
        try ConnectCommand(line: command.line, isSavedHost: saved.contains) == command,
        "\(name)"
      )
      let plain = ConnectCommand(target: ConnectTarget(host: name))
      #expect(try ConnectCommand(line: plain.line, isSavedHost: saved.contains) == plain)
    }
  }
}

import Testing
import TermindDomain

@testable import TermindApplication

@Suite("Import of tables") struct CSVHostsTests {
  private func read(_ text: String) throws -> HostImportSource {
    try CSVHosts.read(Array(text.utf8), path: "/t.csv", home: "/home/kim")
  }

  @Test("finds columns by any of their names")
  func columns() throws {
    let source = try read(
      "\u{FEFF}Label,Host Name,User_Name,Port,Groups,Jump-Host,Key,Notes,Colour\r\n"
        + "Web,10.0.0.1,lee,2222,\"a, b;a\",gate,~/.ssh/k,\"two\r\nlines\",red\r\n"
        + ",kim@[fe80::1]:99,,,,,,,\r\n"
    )
    #expect(source.hosts.count == 2)
    let web = source.hosts[0]
    #expect(web.name == "Web")
    #expect(web.endpoint == SSHEndpoint(host: "10.0.0.1", port: 2222))
    #expect(web.username == "lee")
    #expect(web.tags == ["a", "b"])
    #expect(
      web.jumps == [JumpDraft(name: "gate", jump: SSHJump(host: "gate"), targets: ["gate"])]
    )
    #expect(web.keyFiles == ["/home/kim/.ssh/k"])
    #expect(web.notes == "two\r\nlines")
    let second = source.hosts[1]
    #expect(second.name == "fe80::1")
    #expect(second.endpoint == SSHEndpoint(host: "fe80::1", port: 99))
    #expect(second.username == "kim")
    #expect(second.place.line == 4)
    #expect(
      source.notes == [
        ImportNote(.unknownColumn("Colour"), at: SourcePlace(path: "/t.csv", line: 1))
      ]
    )
  }

  @Test("says which row cannot be read, and reads the others")
  func rows() throws {
    let source = try read(
      """
      name,host,port
      a,h1,70000
      b,,22
      c,"h"x,22
      d,h 2,22
      e,h3,22,more
      ,,

      f,h4,
      "g,h5,
      """
    )
    #expect(source.hosts.map(\.name) == ["f"])
    #expect(
      source.notes.map { $0.place.line }.sorted() == [2, 3, 4, 5, 6, 10]
    )
    #expect(
      source.notes.contains(
        ImportNote(
          .unreadable(.invalidField(column: "port", .notInRange(1...65535))),
          at: SourcePlace(path: "/t.csv", line: 2)
        )
      )
    )
    #expect(
      source.notes.contains(
        ImportNote(
          .unreadable(.tooManyFields(expected: 3)),
          at: SourcePlace(path: "/t.csv", line: 6)
        )
      )
    )
  }

  @Test("refuses a table without addresses, with a column twice, or in another encoding")
  func refused() {
    #expect(throws: ImportTextError.missingColumn("address")) { try read("name,port\na,1\n") }
    #expect(throws: ImportTextError.missingColumn("address")) { try read("") }
    #expect(throws: ImportTextError.repeatedColumn("address")) { try read("host,ip\na,b\n") }
    #expect(throws: ImportTextError.encoding) {
      try CSVHosts.read([0x68, 0xE4], path: "/t.csv", home: "/")
    }
    #expect(throws: ImportTextError.tooLarge(limit: ImportText.limit)) {
      try CSVHosts.read(
        [UInt8](repeating: 0x61, count: ImportText.limit + 1),
        path: "/t.csv",
        home: "/"
      )
    }
  }

  @Test("reads semicolons and tabs where the first line has no comma")
  func separators() throws {
    #expect(try read("name;host\na;h1\n").hosts.map(\.endpoint.host) == ["h1"])
    #expect(try read("name\thost\na\th1\n").hosts.map(\.endpoint.host) == ["h1"])
  }

  @Test("divides fields as RFC 4180 says")
  func fields() {
    let table = CSVTable("a,\"b\"\"c\",\r\n\"x\ny\",,z\nlast")
    #expect(
      table.rows == [
        CSVTable.Row(line: 1, fields: ["a", "b\"c", ""]),
        CSVTable.Row(line: 2, fields: ["x\ny", "", "z"]), CSVTable.Row(line: 4, fields: ["last"]),
      ]
    )
    #expect(table.broken.isEmpty)
  }

  @Test("survives any text", arguments: [5, 6] as [UInt64])
  func anyText(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pieces = [",", "\"", "\n", "\r\n", "host", "a", ";", "\t", " ", "\u{301}", "é"]
    for _ in 0..<500 {
      let count = Int.random(in: 0..<40, using: &random)
      let text = (0..<count).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }
      let table = CSVTable(text.joined())
      #expect(table.rows.allSatisfy { !$0.fields.isEmpty })
      _ = try? read("host,name\n" + text.joined())
    }
  }
}

@Suite("Import of PuTTY sessions") struct PuTTYSessionsTests {
  private static let text = """
    Windows Registry Editor Version 5.00

    [HKEY_CURRENT_USER\\Software\\SimonTatham\\PuTTY]

    [HKEY_CURRENT_USER\\Software\\SimonTatham\\PuTTY\\Sessions]

    [HKEY_CURRENT_USER\\Software\\SimonTatham\\PuTTY\\Sessions\\Default%20Settings]
    "HostName"=""
    "Protocol"="ssh"

    [HKEY_CURRENT_USER\\Software\\SimonTatham\\PuTTY\\Sessions\\web%20%c3%a4]
    "Present"=dword:00000001
    "HostName"="lee@10.0.0.1"
    "Protocol"="ssh"
    "PortNumber"=dword:000008ae
    "UserName"="ignored"
    "PingInterval"=dword:00000001
    "PingIntervalSecs"=dword:0000001e
    "TryAgent"=dword:00000000
    "PublicKeyFile"="C:\\\\Keys\\\\my \\"key\\".ppk"
    "ProxyMethod"=dword:00000003
    "ProxyHost"="proxy.example"
    "PortForwardings"="L80=a:80"
    "Colour0"="1,2,3"

    [HKEY_CURRENT_USER\\Software\\SimonTatham\\PuTTY\\Sessions\\console]
    "Protocol"="serial"
    "SerialLine"="COM1"

    [HKEY_CURRENT_USER\\Software\\SimonTatham\\PuTTY\\Sessions\\empty]
    "HostName"=""
    "Protocol"="ssh"

    [HKEY_CURRENT_USER\\Software\\SimonTatham\\PuTTY\\Sessions\\hex]
    "HostName"=hex(2):68,00,31,00,\\
      00,00
    "PortNumber"=hex(4):17,00,00,00
    "UserName"="jo
    "Broken"=dword:xyz

    [-HKEY_CURRENT_USER\\Software\\SimonTatham\\PuTTY\\Sessions\\gone]

    [HKEY_CURRENT_USER\\Software\\SimonTatham\\PuTTY\\SshHostKeys]
    "rsa2@22:h"="0x1,0x2"

    """

  private func check(_ bytes: [UInt8]) throws {
    let source = try PuTTYSessions.read(bytes, path: "/s.reg")
    #expect(source.hosts.map(\.name) == ["web ä", "hex"])
    let web = source.hosts[0]
    #expect(web.endpoint == SSHEndpoint(host: "10.0.0.1", port: 2222))
    #expect(web.username == "lee")
    #expect(web.keepAliveSeconds == 90)
    #expect(!web.usesAgent)
    #expect(web.losesItsWay)
    let place = SourcePlace(path: "/s.reg", line: 11)
    #expect(
      web.dropped == [
        DroppedOption("PublicKeyFile", "C:\\Keys\\my \"key\".ppk", at: place, .foreignKey("PuTTY")),
        DroppedOption("ProxyHost", "proxy.example", at: place, .noCounterpart),
        DroppedOption("PortForwardings", "L80=a:80", at: place, .noCounterpart),
      ]
    )
    #expect(source.hosts[1].endpoint == SSHEndpoint(host: "h1", port: 23))
    #expect(source.hosts[1].username == "")
    #expect(
      source.notes.map(\.kind) == [
        .unreadable(.invalidValue("UserName")), .unreadable(.invalidValue("Broken")),
        .otherProtocol(name: "console", "serial"), .noAddress(name: "empty"),
      ]
    )
  }

  @Test("reads an export in UTF-16 with its mark, as Windows writes it")
  func utf16() throws {
    let text = Self.text.replacing("\n", with: "\r\n")
    let units = Array(text.utf16)
    try check([0xFF, 0xFE] + units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
    try check([0xFE, 0xFF] + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
  }

  @Test("reads an export in UTF-8, with and without a mark")
  func utf8() throws {
    try check(Array(Self.text.utf8))
    try check([0xEF, 0xBB, 0xBF] + Array(Self.text.utf8))
  }

  @Test("refuses what is no registry export")
  func refused() {
    #expect(throws: ImportTextError.wrongFormat) {
      try PuTTYSessions.read(Array("Host web\n".utf8), path: "/c")
    }
    #expect(throws: ImportTextError.wrongFormat) { try PuTTYSessions.read([], path: "/c") }
    #expect(throws: ImportTextError.encoding) {
      try PuTTYSessions.read([0xFF, 0xFE, 0x41], path: "/c")
    }
    #expect(throws: ImportTextError.encoding) {
      try PuTTYSessions.read([0xFF, 0xFE, 0x00, 0xD8], path: "/c")
    }
  }

  @Test("survives any text", arguments: [7, 8] as [UInt64])
  func anyText(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let pieces = [
      "[", "]", "\"", "=", "\\", "\n", "dword:", "hex(2):", "hex:", "00", ",",
      "\\PuTTY\\Sessions\\a",
      "HostName", "\"HostName\"=\"x\"", "-", "%", "%2", " ", "é",
    ]
    for _ in 0..<500 {
      let count = Int.random(in: 0..<40, using: &random)
      let text = (0..<count).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }
      let source = try PuTTYSessions.read(
        Array(("REGEDIT4\n" + text.joined()).utf8),
        path: "/c"
      )
      #expect(source.hosts.count <= count)
    }
  }
}

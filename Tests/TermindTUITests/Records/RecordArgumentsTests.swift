import TermindDomain
import Testing

@testable import TermindTUI

@Suite("Arguments about records") struct RecordArgumentsTests {
  @Test(
    "every verb is understood",
    arguments: [
      (["host", "list"], .list(.host, words: [], tags: [])),
      (
        ["host", "list", "web", "--tag", "a", "--tag=b"],
        .list(.host, words: ["web"], tags: ["a", "b"])
      ),
      (["identity", "show", "a", "b"], .show(.identity, ["a", "b"])),
      (
        ["host", "add", "web1", "--address", "h", "--tag", "a", "--tag", "b", "--pinned"],
        .add(
          .host,
          [
            .set("name", ["web1"]), .set("address", ["h"]), .set("tag", ["a", "b"]),
            .set("pinned", ["yes"]),
          ]
        )
      ),
      (
        ["host", "edit", "x", "--set", "port=1", "--port", "2", "--unset", "user"],
        .edit(.host, ["x"], [.set("port", ["2"]), .unset("user")])
      ),
      (
        ["host", "edit", "x", "--add", "tags=a=b", "--remove", "jump=j"],
        .edit(.host, ["x"], [.add("tag", ["a=b"]), .remove("jump", ["j"])])
      ),
      (
        ["known-host", "add", "h", "--key", "ssh-ed25519 AAAA"],
        .add(.knownHost, [.set("host", ["h"]), .set("key", ["ssh-ed25519 AAAA"])])
      ),
      (
        ["template", "rm", "--force", "--", "--odd"],
        .remove(.template, ["--odd"], options: RemoveOptions(isForced: true))
      ),
      (
        ["known-host", "rm", "h", "--all"],
        .remove(.knownHost, ["h"], options: RemoveOptions(takesAll: true))
      ),
      (
        ["identity", "edit", "--agent", "no", "x"],
        .edit(.identity, ["x"], [.set("agent", ["no"])])
      ),
      (
        ["host", "add", "--set", "address=x", "--add", "tag=a", "web"],
        .add(.host, [.set("name", ["web"]), .set("address", ["x"]), .add("tag", ["a"])])
      ),
      (["export", "known-hosts"], .export(.knownHosts)),
    ] as [([String], RecordRequest)]
  )
  func understood(words: [String], request: RecordRequest) throws {
    #expect(
      try Invocation(words[...]) == .records(RecordArguments(request: request, isJSON: false))
    )
    let dashes = words.firstIndex(of: "--") ?? words.count
    let json = words[..<dashes] + ["--json"] + words[dashes...]
    #expect(try Invocation(json[...]) == .records(RecordArguments(request: request, isJSON: true)))
  }

  @Test(
    "what is not known is refused by name with the nearest known name",
    arguments: [
      (["host"], "host needs one of list, show, add, edit, rm"),
      (["host", "lst"], "host has no verb 'lst'; did you mean 'list'?"),
      (
        ["host", "add", "--adress", "h"],
        "host add has no option '--adress'; did you mean '--address'?"
      ),
      (["host", "show"], "host show needs the name or id of a host"),
      (["host", "add", "a", "b"], "host add does not take 'b'"),
      (["host", "add", "a", "--name", "b"], "host add takes either 'a' or --name, not both"),
      (
        ["host", "edit", "x", "--set", "prot=1"], "a host has no field 'prot'; did you mean 'port'?"
      ),
      (["host", "edit", "x", "--set", "port"], "--set needs FIELD=VALUE, not 'port'"),
      (
        ["host", "edit", "x", "--add", "port=1"],
        "--add is for lists; 'port' has one value, so use --set"
      ),
      (["host", "edit", "a", "b", "--name", "c"], "one name cannot be given to 2 hosts"),
      (
        ["host", "rm", "x", "--port", "1"],
        "host rm has no option '--port'; there are --force, --all, --json"
      ),
      (
        ["known-host", "edit", "x", "--set", "key=1"],
        "a known host cannot be edited; remove it and add the right one"
      ),
      (["key", "list", "--tag", "x"], "keys have no tags"),
      (["import", "putti"], "'putti' cannot be imported; did you mean 'putty'?"),
      (["import", "csv"], "import csv needs a file"),
      (
        ["import", "known-hosts", "--select", "a"],
        "import known-hosts has no option '--select'; there are --yes, --preview, --json, --differing"
      ),
      (
        ["import", "csv", "f", "--yes", "--preview"],
        "import takes either --yes or --preview, not both"
      ),
      (
        ["export", "secrets"],
        "'secrets' cannot be exported; there are hosts, known-hosts, ssh-config"
      ),
      (["export", "hosts", "--all"], "export hosts has no option '--all'"),
      (["open"], "open needs a host, --tag or --template"),
      (["open", "a", "--template", "t"], "open takes either --template or hosts, not both"),
      (
        ["open", "a", "--layout", "column"], "there is no layout 'column'; did you mean 'columns'?"
      ),
      (
        ["open", "--template", "t", "--sftp"],
        "--sftp is for hosts; a template says itself what it opens"
      ),
    ] as [([String], String)]
  )
  func refused(words: [String], text: String) {
    #expect(throws: UsageError(text)) { try Invocation(words[...]) }
  }

  @Test("an edit without a change says what can be changed")
  func emptyEdit() throws {
    let error = try #require(throws: UsageError.self) { try Invocation(["snippet", "edit", "x"]) }
    #expect(
      error.text
        == "snippet edit needs what to change: --name, --text, --tag, --set, --unset, --add, --remove"
    )
  }

  @Test(
    "a secret on the command line is refused",
    arguments: [
      ["identity", "add", "a", "--password", "x"], ["identity", "add", "a", "--password=x"],
      ["identity", "edit", "a", "--set", "password=x"], ["key", "add", "--passphrase", "x"],
      ["host", "add", "a", "--password", "x"],
    ]
  )
  func spokenSecret(words: [String]) throws {
    let error = try #require(throws: UsageError.self) { try Invocation(words[...]) }
    #expect(error.text.contains("other users can see command lines"))
    #expect(!error.text.contains("'x'"))
  }

  @Test("a secret is read from a prompt or a descriptor")
  func secretSources() throws {
    let words = ["identity", "edit", "a", "--password-fd", "3", "--ask-unlock"]
    guard case .records(let arguments) = try Invocation(words[...]) else {
      Issue.record("not about records")
      return
    }
    #expect(arguments.request == .edit(.identity, ["a"], []))
    #expect(arguments.secrets == ["password": .descriptor(3), "unlock": .prompt])
    #expect(throws: UsageError.self) { try Invocation(["host", "edit", "a", "--ask-password"]) }
  }

  @Test(
    "imports are asked for, confirmed, or only shown",
    arguments: [
      (["ssh-config"], ImportArguments(job: ImportJob(kind: .sshConfig))),
      (
        ["known-hosts", "f", "--yes"],
        ImportArguments(job: ImportJob(kind: .knownHosts, path: "f"), mode: .commit)
      ),
      (
        ["putty", "f", "--preview", "--json"],
        ImportArguments(job: ImportJob(kind: .putty, path: "f"), mode: .preview, isJSON: true)
      ),
      (
        ["csv", "f", "--select", "a,b", "--select", "c", "--rename", "--no-keys"],
        ImportArguments(
          job: ImportJob(
            kind: .csv,
            path: "f",
            names: ["a", "b", "c"],
            renamesTaken: true,
            takesKeys: false
          ),
          mode: .commit
        )
      ),
    ] as [([String], ImportArguments)]
  )
  func imports(words: [String], expected: ImportArguments) throws {
    #expect(try ImportArguments(words[...]) == expected)
  }

  @Test("a hidden line takes corrections and can be given up")
  func hiddenLine() {
    var line = HiddenLine()
    line.take(Array("abcü\u{7F}\u{7F}d".utf8))
    #expect(line.state == .open)
    line.take([0x0D, 0x41])
    #expect(line.state == .entered)
    #expect(line.bytes == Array("abd".utf8))
    var other = HiddenLine()
    other.take(Array("ab\u{15}c\u{3}".utf8))
    #expect(other.state == .cancelled)
  }

  @Test("columns are as wide as their widest cell, and nothing raw is in them")
  func table() {
    let text = TextTable.text(["A", "B", "C"], [["一", "", "x"], ["a\u{1B}b", "long", ""]])
    #expect(text == "A    B     C\n一         x\na␛b  long\n")
    #expect(TextTable.text(["A"], []).isEmpty)
  }
}

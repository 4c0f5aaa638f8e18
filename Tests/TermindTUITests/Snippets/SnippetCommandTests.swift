import Testing

@testable import TermindTUI

@Suite("Snippets run from the command line: words and rows") struct SnippetCommandTests {
  private func read(_ words: String...) throws -> SnippetCommandArguments? {
    guard case .snippetRun(let arguments) = try Invocation(words[...]) else { return nil }
    return arguments
  }

  @Test("hosts, tags and values are taken, also several hosts behind one option")
  func words() throws {
    let one = try read("snippet", "run", "check", "--on", "web1", "web2", "--set", "unit=a=b")
    #expect(
      one?.request == SnippetCommandRequest("check", on: ["web1", "web2"], values: ["unit": "a=b"])
    )
    #expect(one?.isJSON == false)
    let other = try read("snippet", "run", "--tag=web", "--tag", "db", "check", "--json")
    #expect(other?.request == SnippetCommandRequest("check", on: [], tags: ["web", "db"]))
    #expect(other?.isJSON == true)
  }

  @Test(
    "what cannot be understood says what is missing",
    arguments: [
      (["run"], "snippet run needs the name or id of a snippet"),
      (["run", "check"], "snippet run needs --on HOST or --tag TAG"),
      (["run", "check", "--on"], "--on needs a value"),
      (["run", "check", "--on", "a", "--set", "x"], "--set needs PLACE=VALUE, not 'x'"),
      (["run", "check", "--json=1"], "--json takes no value"),
      (["runn"], "snippet has no verb 'runn'; did you mean 'run'?"),
    ]
  )
  func refusals(words: [String], reason: String) {
    let error = #expect(throws: UsageError.self) { try Invocation((["snippet"] + words)[...]) }
    #expect(error?.text.hasPrefix(reason) == true, "\(error?.text ?? "")")
  }

  @Test("a terminal gets a host's output without control characters, a pipe exactly")
  func rows() {
    var row = SnippetCommandRow(host: "web1", status: 3, output: "a\u{1B}[31m\nlast")
    #expect(
      SnippetCommandClient.text(row, isTerminal: false) == "== web1: exit 3\na\u{1B}[31m\nlast\n"
    )
    let shown = SnippetCommandClient.text(row, isTerminal: true)
    #expect(!shown.contains("\u{1B}") && shown.hasSuffix("\nlast\n"))
    row = SnippetCommandRow(host: "gone", error: "refused", output: "", truncated: true)
    #expect(
      SnippetCommandClient.text(row, isTerminal: false)
        == "== gone: refused\n== gone: more was not kept\n"
    )
    #expect(!row.isWell)
  }
}

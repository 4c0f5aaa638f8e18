import TermindDomain
import Testing

@Suite("Snippets") struct SnippetTests {
  func names(_ text: String) -> [String] {
    SnippetRecord(text: text).placeholders.map(\.name)
  }

  @Test("placeholders are found, each once, with their standard values")
  func placeholders() {
    let snippet = SnippetRecord(
      text: "scp {{file}} {{user}}@{{host=web1}}:{{ file }} # {{user=root}}"
    )
    #expect(
      snippet.placeholders == [
        SnippetPlaceholder(name: "file"), SnippetPlaceholder(name: "user", standard: "root"),
        SnippetPlaceholder(name: "host", standard: "web1"),
      ]
    )
  }

  @Test(
    "braces around anything else stay",
    arguments: [
      "docker ps --format '{{.Names}}'", "{{json .}}", "{{}}", "{{ }}", "{{1}}", "{{-x}}",
      "{{a\nb}}",
      "a {{ b", "}} {{", "{", "\\{{name}}", "{{a=1\n2}}", "",
    ]
  )
  func literal(text: String) {
    #expect(names(text) == [])
    let literal = text.replacing("\\{{", with: "{{")
    #expect(SnippetRecord(text: text).filled(with: ["name": "x", "a": "y"]) == literal)
  }

  @Test("what is filled in is put in exactly, and never read again")
  func filling() {
    let snippet = SnippetRecord(text: "echo '{{a}}' {{b=2}}\n{{a}}")
    #expect(snippet.filled(with: ["a": "{{b}} \\{{"]) == "echo '{{b}} \\{{' 2\n{{b}} \\{{")
    #expect(snippet.filled(with: [:]) == "echo '' 2\n")
    #expect(snippet.filled(with: ["a": "1", "b": ""]) == "echo '1' \n1")
  }

  @Test("an equals sign belongs to the standard value from the second one on")
  func equals() {
    #expect(
      SnippetRecord(text: "{{x=a=b }}").placeholders
        == [SnippetPlaceholder(name: "x", standard: "a=b ")]
    )
  }

  @Test("the default name is the first line with something in it")
  func defaultName() {
    #expect(SnippetRecord(text: "\n  \t\r\n  uptime -p  \nls").defaultName == "uptime -p")
    #expect(SnippetRecord(text: "\n").defaultName.isEmpty)
    let long = SnippetRecord(text: String(repeating: "é", count: 100))
    #expect(long.defaultName.count == SnippetRecord.maximumDefaultNameLength)
  }
}

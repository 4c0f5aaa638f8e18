import TermindDomain
import Testing

@Suite("Choices in snippets") struct SnippetChoiceTests {
  @Test("the first choice is the standard, and nothing else may be chosen")
  func choices() throws {
    let snippet = SnippetRecord(text: "deploy {{env: test | prod}} {{env}}")
    let place = try #require(snippet.placeholders.first)
    #expect(snippet.placeholders.count == 1)
    #expect(place == SnippetPlaceholder(name: "env", standard: "test", choices: ["test", "prod"]))
    #expect(snippet.filled(with: [:]) == "deploy test test")
    #expect(place.problem(of: "prod") == nil)
    #expect(place.problem(of: "stage")?.contains("test, prod") == true)
    #expect(SnippetPlaceholder(name: "any").problem(of: "x") == nil)
  }

  @Test(
    "other texts with a colon stay as they are",
    arguments: ["{{a:b}}", "{{.X:y|z}}", "{{a:|b}}", "{{1:a|b}}"]
  )
  func others(text: String) {
    let snippet = SnippetRecord(text: text)
    #expect(snippet.placeholders.isEmpty)
    #expect(snippet.filled(with: [:]) == text)
  }
}

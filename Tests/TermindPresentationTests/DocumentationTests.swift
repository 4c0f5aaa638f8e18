import Testing

@testable import TermindPresentation

@Suite("Generated pages") struct DocumentationTests {
  @Test(
    "the page is fresh; else run the tests with TERMIND_RECORD=1",
    arguments: [
      ("Docs/Keys.md", KeysPage.text), ("Docs/Themes.md", ThemesPage.text),
      ("Docs/FileKeys.md", FileKeysPage.text),
    ]
  )
  func fresh(path: String, text: String) throws {
    if Checkout.records { try Checkout.write(text, to: path) }
    #expect(try Checkout.text(path) == text)
  }
}

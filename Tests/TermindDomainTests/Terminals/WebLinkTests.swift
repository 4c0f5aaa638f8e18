import TermindDomain
import Testing

@Suite("Addresses in text") struct WebLinkTests {
  @Test(
    "are found without the punctuation around them",
    arguments: [
      ("https://a.example/x", "https://a.example/x"), ("(see:http://a/b).", "http://a/b"),
      ("https://a/w_(x)", "https://a/w_(x)"), ("\"https://a/?q=1&r=2\",", "https://a/?q=1&r=2"),
      ("<https://a>", "https://a"), ("href=https://a/", "https://a/"),
    ]
  )
  func found(word: String, address: String) { #expect(WebLink.find(in: word) == address) }

  @Test("are not seen in other words", arguments: ["word", "a://b", "https://", "/usr/lib", ""])
  func none(word: String) { #expect(WebLink.find(in: word) == nil) }

  @Test("only harmless ones are for a browser")
  func openable() {
    #expect(WebLink.canOpen("https://a/b") && WebLink.canOpen("mailto:a@b"))
    #expect(
      !WebLink.canOpen("file:///etc/passwd") && !WebLink.canOpen("https://a b")
        && !WebLink.canOpen("x")
    )
  }
}

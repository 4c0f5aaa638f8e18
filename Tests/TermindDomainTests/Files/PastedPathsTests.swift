import TermindDomain
import Testing

@Suite("Paths that terminals paste for dropped files") struct PastedPathsTests {
  @Test(
    "reads plain, quoted, escaped and addressed paths",
    arguments: [
      ("/tmp/a", ["/tmp/a"]), ("/tmp/a \n", ["/tmp/a"]), ("'/tmp/with space'", ["/tmp/with space"]),
      ("/tmp/with\\ space /b", ["/tmp/with space", "/b"]), ("\"/tmp/it's\"", ["/tmp/it's"]),
      ("file:///tmp/with%20space\r\nfile://host/b%C3%A9", ["/tmp/with space", "/bé"]),
      ("'/tmp/it'\\''s'", ["/tmp/it's"]),
    ]
  )
  func reads(text: String, paths: [String]) {
    let found = PastedPaths.read(Array(text.utf8))
    #expect(found == paths.compactMap { RemotePath($0) })
  }

  @Test(
    "takes nothing else for paths",
    arguments: [
      "", " ", "ls /tmp", "/tmp/a; rm -rf b", "relative", "/", "'/unclosed", "/end\\",
      "file:///bad%2", "file://nohost", "file:///a%0Ab",
    ]
  )
  func refuses(text: String) { #expect(PastedPaths.read(Array(text.utf8)) == nil) }
}

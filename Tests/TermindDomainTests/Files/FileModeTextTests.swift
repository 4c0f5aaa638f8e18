import TermindDomain
import Testing

@Suite("Permissions as text") struct FileModeTextTests {
  @Test(
    "writes them as ls does",
    arguments: [
      (FileKind.regular, 0o644, "-rw-r--r--"), (.directory, 0o755, "drwxr-xr-x"),
      (.symbolicLink, 0o777, "lrwxrwxrwx"), (.regular, 0o4755, "-rwsr-xr-x"),
      (.regular, 0o2644, "-rw-r-Sr--"), (.directory, 0o1777, "drwxrwxrwt"),
      (.directory, 0o1776, "drwxrwxrwT"), (.pipe, 0, "p---------"),
    ] as [(FileKind, UInt32, String)]
  )
  func letters(kind: FileKind, bits: UInt32, text: String) {
    #expect(FileModeText.letters(kind, bits) == text)
    // The nine letters are read as they are written.
    #expect(FileModeText.parse(String(text.dropFirst()), current: 0o123) == bits)
  }

  @Test("says that a server told nothing")
  func unknown() { #expect(FileModeText.letters(.regular, nil) == "-?????????") }

  @Test("writes four octal digits")
  func octal() {
    #expect(FileModeText.octal(0o7) == "0007")
    #expect(FileModeText.octal(0o4755) == "4755")
  }

  @Test(
    "reads octal digits and changes",
    arguments: [
      ("644", 0o777, 0o644), ("0755", 0, 0o755), ("u+x", 0o644, 0o744),
      ("go-w", 0o666, 0o644), ("a=r", 0o777, 0o444), ("u=rwx,g=rx,o=", 0o006, 0o750),
      ("+x", 0o644, 0o755), ("u+s", 0o755, 0o4755), ("+t", 0o777, 0o1777),
      ("a+X", 0o644, 0o644), ("a+X", 0o744, 0o755),
    ] as [(String, UInt32, UInt32)]
  )
  func parses(text: String, current: UInt32, expected: UInt32) {
    #expect(FileModeText.parse(text, current: current) == expected)
  }

  @Test("X is x for a directory")
  func directoryX() {
    #expect(FileModeText.parse("a+X", current: 0o644, isDirectory: true) == 0o755)
  }

  @Test(
    "refuses everything else",
    arguments: ["", "7", "77777", "888", "u", "u+q", "z+x", "rwx", "u+x,", "rwxrwxrwq"]
  )
  func refuses(text: String) { #expect(FileModeText.parse(text, current: 0o644) == nil) }
}

import TermindDomain
import Testing

@testable import TermindApplication

@Suite("Names that were seen") struct NameSetTests {
  @Test("each name is new once, whatever its bytes and however many there are")
  func insert() throws {
    var names = NameSet()
    var known: Set<FileName> = []
    for number in 0..<5_000 {
      // Every third name comes twice; some are no text, some are long.
      let key = number % 3 == 0 ? number / 2 : number
      var bytes = Array("name-\(key)".utf8)
      if key % 5 == 0 { bytes.append(0xFF) }
      if key % 7 == 0 { bytes += Array(repeating: 0x61, count: 300) }
      let name = try FileName(bytes)
      #expect(names.insert(name) == known.insert(name).inserted)
    }
  }

  @Test("a name is not mistaken for the beginning of another one")
  func prefixes() throws {
    var names = NameSet()
    #expect(names.insert(try FileName("ab")))
    #expect(names.insert(try FileName("abc")))
    #expect(names.insert(try FileName("a")))
    #expect(!names.insert(try FileName("ab")))
  }
}

import FoundationEssentials
import Testing

@testable import TermindPersistence

@Suite("The text form of UUIDs") struct UUIDTextTests {
  private func read(_ text: String) -> UUID? {
    let bytes = Array(text.utf8)
    return unsafe bytes.withUnsafeBytes { unsafe UUIDText.uuid($0) }
  }

  @Test("is read as the system writes it, in letters of both cases")
  func exact() {
    for _ in 0..<500 {
      let id = UUID()
      #expect(read(id.uuidString) == id)
      #expect(read(id.uuidString.lowercased()) == id)
    }
    #expect(read("00010203-0405-0607-0809-0a0B0c0DFFf9")?.uuidString.suffix(4) == "FFF9")
  }

  @Test("is refused with anything else at any place")
  func refused() {
    let good = Array("01234567-89AB-CDEF-abcd-ef0123456789".utf8)
    for place in good.indices {
      for wrong: UInt8 in [0, 0x20, 0x2F, 0x3A, 0x40, 0x47, 0x60, 0x67, 0x7F, 0x80, 0xC1, 0xFF] {
        var text = good
        text[place] = wrong
        let result = unsafe text.withUnsafeBytes { unsafe UUIDText.uuid($0) }
        #expect(result == nil, "\(wrong) at \(place)")
      }
    }
    #expect(read(String(decoding: good.dropLast(), as: UTF8.self)) == nil)
    #expect(read(String(decoding: good + [0x30], as: UTF8.self)) == nil)
    #expect(read("") == nil)
  }
}

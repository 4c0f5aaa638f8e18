import TermindTerminal
import Testing

@Suite("Rectangles") struct RectangleTests {
  private func filled() -> TestTerminal {
    let test = TestTerminal(rows: 4, columns: 6)
    test.feed("abcdef\r\nghijkl\r\nmnopqr\r\nstuvwx")
    return test
  }

  @Test("DECFRA fills, DECERA erases, both inside the screen only")
  func fillAndErase() {
    let test = filled()
    test.feed("\(csi)43;2;2;3;4$x")
    #expect(test.screen == ["abcdef", "g+++kl", "m+++qr", "stuvwx"])
    test.feed("\(csi)3;3;99;99$z")
    #expect(test.screen == ["abcdef", "g+++kl", "m+", "st"])
    test.feed("\(csi)43;3;3;2;2$x\(csi)7;1;1;4;4$x")
    #expect(test.screen == ["abcdef", "g+++kl", "m+", "st"])
  }

  @Test("DECCRA copies, also onto itself")
  func copy() {
    let test = filled()
    test.feed("\(csi)1;1;2;3;1;2;2;1$v")
    #expect(test.screen == ["abcdef", "gabckl", "mghiqr", "stuvwx"])
    test.feed("\(csi)1;1;4;4;1;4;6;1$v")
    #expect(test.screen[3] == "stuvwa")
  }

  @Test("in origin mode rectangles count from the margins and end there")
  func originMode() {
    let test = filled()
    test.feed("\(csi)?69h\(csi)2;4s\(csi)2;3r\(csi)?6h\(csi)42;1;1;9;9$x")
    #expect(test.screen == ["abcdef", "g***kl", "m***qr", "stuvwx"])
  }

  @Test("DECSERA leaves protected cells")
  func selectiveErase() {
    let test = TestTerminal(rows: 1, columns: 6)
    test.feed("ab\(csi)1\"qcd\(csi)\"qef\(csi)1;1;1;6${")
    #expect(test.screen == ["  cd"])
  }

  @Test("DECCARA and DECRARA change looks in the stream or in the rectangle")
  func attributes() {
    let test = filled()
    test.feed("\(csi)1;5;2;2;1$r")
    #expect(test.style(row: 0, column: 5).attributes == .bold)
    #expect(test.style(row: 1, column: 0).attributes == .bold)
    #expect(test.style(row: 1, column: 2).attributes == [])
    test.feed("\(csi)2*x\(csi)3;2;4;3;7$t")
    #expect(test.style(row: 2, column: 1).attributes == .inverse)
    #expect(test.style(row: 3, column: 0).attributes == [])
    test.feed("\(csi)3;2;4;3;7$t")
    #expect(test.style(row: 2, column: 1).attributes == [])
  }

  @Test("DECRQCRA sums as xterm does: looks count, erased cells do not, the sum is negated")
  func checksum() {
    let test = TestTerminal(rows: 2, columns: 6)
    test.feed("A\(csi)1mB\(csi)0m\(csi)5;1;1;1;1;1*y")
    #expect(test.replies() == "␛P5!~FFBF␛\\")
    test.feed("\(csi)6;1;1;1;1;6*y")
    let sum = 0x41 + 0x42 + 0x80
    #expect(test.replies() == "␛P6!~\(String(0x10000 - sum, radix: 16, uppercase: true))␛\\")
    test.feed("\(csi)31#y\(csi)7;1;1;2;1;2*y\(csi)8;1;2;2;2;2*y")
    #expect(test.replies() == "␛P7!~0042␛\\␛P8!~0020␛\\")
  }
}

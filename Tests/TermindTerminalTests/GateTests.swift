import TermindTerminal
import Testing

@Suite("Gate") struct GateTests {
  @Test(
    "any number of parameters is safe, and the first 32 count",
    arguments: [16, 17, 31, 32, 33, 64, 5_000]
  )
  func manyParameters(count: Int) {
    let test = TestTerminal()
    test.feed(
      "\(csi)" + String(repeating: "0;", count: min(count, 32) - 1) + "1"
        + String(repeating: ";0", count: max(count - 32, 0)) + "mX"
    )
    #expect(test.style(row: 0, column: 0).attributes == .bold)
    #expect(test.screen[0] == "X")
  }

  @Test("long numbers are clamped, and nothing overflows")
  func longNumbers() {
    let test = TestTerminal()
    test.feed("\(csi)\(String(repeating: "9", count: 400))C\(csi)6n")
    #expect(test.replies() == "␛[1;10R")
    test.feed("\(csi)2147483647;2147483648H\(csi)6n\(csi)18446744073709551616A\(csi)6n")
    #expect(test.replies() == "␛[4;10R␛[1;10R")
  }

  @Test("control characters act inside a sequence, CAN and SUB end it, ESC begins anew")
  func controlsInside() {
    let test = TestTerminal()
    test.feed("a\(csi)\r\n1mB\(csi)3\u{18}C\(csi)3\u{1A}D\(csi)31\(csi)4mE")
    #expect(test.screen[0] == "a")
    #expect(test.screen[1] == "BCDE")
    #expect(test.style(row: 1, column: 0).attributes == .bold)
    #expect(test.style(row: 1, column: 3).underline == .single)
    #expect(test.style(row: 1, column: 3).foreground == .standard)
  }

  @Test("a sequence that is not well formed is left out whole")
  func malformed() {
    let test = TestTerminal()
    test.feed("\(csi)1?2hA\(csi)1 2hB\(csi)??1hC\(csi)1!!pD")
    #expect(test.screen[0] == "ABCD")
  }

  @Test("encoded 8-bit controls act as their 7-bit forms")
  func eightBitControls() {
    let test = TestTerminal(rows: 3, columns: 10)
    test.feed("a\u{9B}1mB\u{85}c\u{9D}2;t\u{9C}d\u{90}$qm\u{9C}\u{9E}x\u{9C}e\u{8D}f")
    #expect(test.screen == ["aB f", "cde", ""])
    #expect(test.terminal.title == "t")
    #expect(test.replies() == "␛P1$r0;1m␛\\")
  }

  @Test("raw bytes from 0x80 to 0x9F are no controls")
  func rawEightBit() {
    let test = TestTerminal()
    test.terminal.feed([0x9B, 0x31, 0x6D])
    test.feed("\r")
    #expect(test.screen[0] == "\u{FFFD}1m")
  }

  @Test("a string's end is found wherever the string is cut")
  func cutStrings() {
    let bytes = Array("\(osc)2;\(String(repeating: "long title é ", count: 20))\(st)ok".utf8)
    for cut in 0...bytes.count {
      let test = TestTerminal()
      test.terminal.feed(Array(bytes[..<cut]))
      test.terminal.feed(Array(bytes[cut...]))
      #expect(test.terminal.title == String(repeating: "long title é ", count: 20), "cut at \(cut)")
      #expect(test.screen[0] == "ok")
    }
  }

  @Test("CAN, SUB and ESC end a string unheard")
  func endedStrings() {
    let test = TestTerminal()
    test.feed("\(osc)2;a\u{18}x\(osc)2;b\u{1A}y\(osc)2;c\(csi)1mz")
    #expect(test.terminal.title == "")
    #expect(test.screen[0] == "xyz")
    #expect(test.style(row: 0, column: 2).attributes == .bold)
  }

  @Test("an endless string keeps bounded memory and ends like any other")
  func endlessString() {
    let test = TestTerminal()
    let part = [UInt8](repeating: 0x61, count: 1 << 16)
    for opening in ["\(osc)2;", "\(dcs)q", "\(esc)_"] {
      test.feed(opening)
      for _ in 0..<40 { test.terminal.feed(part) }
      test.feed("\(st)k")
    }
    #expect(test.screen[0] == "kkk")
  }

  @Test("many 8-bit controls in one piece take linear time")
  func manyControls() {
    let test = TestTerminal()
    test.feed(String(repeating: "\u{9B}m", count: 60_000))
    test.feed("x")
    #expect(test.screen[0] == "x")
  }
}

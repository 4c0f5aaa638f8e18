import TermindTerminal
import Testing

@Suite("Strings") struct StringTests {
  static let events: [(String, [TerminalEvent])] = [
    ("\u{07}", [.bell]), ("\u{07}\u{07}", [.bell]), ("\(osc)2;a\(st)", [.title("a")]),
    ("\(osc)0;a\u{07}", [.iconTitle("a"), .title("a")]), ("\(osc)1;a\u{07}", [.iconTitle("a")]),
    ("\(osc)2;a\u{01}\u{9B}b\(st)", [.title("ab")]),
    ("\(osc)7;file://host/a%20b%ff\(st)", [.workingDirectory("/a b\u{FFFD}")]),
    ("\(osc)52;c;aGk=\(st)", [.clipboardWrite(selection: [0x63], bytes: [0x68, 0x69])]),
    ("\(osc)52;;aGk\(st)", [.clipboardWrite(selection: [], bytes: [0x68, 0x69])]),
    // What is no letter of base64 is passed over; a text that has none clears the selection.
    ("\(osc)52;c;a'G k=!\(st)", [.clipboardWrite(selection: [0x63], bytes: [0x68, 0x69])]),
    ("\(osc)52;c;aG\r\nk=\(st)", [.clipboardWrite(selection: [0x63], bytes: [0x68, 0x69])]),
    ("\(osc)52;c;!!!\(st)", [.clipboardWrite(selection: [0x63], bytes: [])]),
    (
      "\(osc)52;c;aGkA+/8=\(st)",
      [.clipboardWrite(selection: [0x63], bytes: [0x68, 0x69, 0, 0xFB, 0xFF])]
    ),
    ("\(osc)52;c;A\(st)", [.clipboardWrite(selection: [0x63], bytes: [])]),
    ("\(osc)52;c\(st)", []), ("\(osc)9;hello\(st)", [.notification(title: "", body: "hello")]),
    ("\(osc)9;4;1;40\(st)", [.progress(state: .running, value: 40)]),
    ("\(osc)9;4;0\(st)", [.progress(state: .none, value: 0)]), ("\(osc)9;4;9;1\(st)", []),
    ("\(osc)777;notify;t;b\(st)", [.notification(title: "t", body: "b")]),
    ("\(osc)99;i=1:d=0:p=title;hi\(st)", [.notification(title: "hi", body: "")]),
    ("\(osc)99;p=body:e=1;aGk=\(st)", [.notification(title: "", body: "hi")]),
    ("\(osc)99;p=body:e=1;!\(st)", []),
    ("\(osc)133;A\(st)", [.promptMark(.promptStart)]),
    ("\(osc)133;B\(st)", [.promptMark(.commandStart)]),
    ("\(osc)133;C\(st)", [.promptMark(.outputStart), .commandStarted(nil)]),
    ("\(osc)133;D;1\(st)", [.promptMark(.commandEnd(status: 1))]),
    ("\(osc)22;pointer\(st)", [.pointerShape("pointer")]), ("\(osc)999;x\(st)", []),
    ("\(esc)Ptmux;x\(st)\(esc)_app\(st)\(esc)^pm\(st)\(esc)Xsos\(st)", []),
  ]

  @Test("each string does what it says", arguments: events.indices)
  func event(index: Int) {
    let test = TestTerminal()
    test.feed(Self.events[index].0)
    #expect(test.terminal.takeEvents() == Self.events[index].1)
    #expect(test.screen[0] == "")
  }

  @Test("a clipboard text of 1 MiB is taken, a larger one is told of and not taken")
  func clipboardLimit() {
    let test = TestTerminal()
    let most = String(repeating: "AAAA", count: 349_525) + "AA=="
    test.feed("\(osc)52;c;\(most)\(st)")
    var taken = 0
    for case .clipboardWrite(_, let bytes) in test.terminal.takeEvents() { taken = bytes.count }
    #expect(taken == 1 << 20)
    test.feed("\(osc)52;c;\(String(repeating: "A", count: 1_500_000))\(st)x")
    #expect(test.terminal.takeEvents() == [.clipboardTooLarge])
    #expect(test.screen[0] == "x")
  }

  @Test("a clipboard question is answered at once, or becomes an event where the owner allows it")
  func clipboardRead() {
    let test = TestTerminal(configuration: TerminalConfiguration(allowsClipboardRead: true))
    test.feed("\(osc)52;c;?\(st)")
    #expect(test.terminal.takeEvents() == [.clipboardRead(selection: [0x63])])
    #expect(test.replies() == "")
    test.terminal.replyClipboard(selection: [0x63], bytes: Array("hi".utf8))
    #expect(test.replies() == "␛]52;c;aGk=␛\\")
  }

  @Test("prompt marks stay on their lines, in the scrollback too")
  func promptMarks() {
    let test = TestTerminal(rows: 2, columns: 10)
    test.feed(
      "\(osc)133;A\(st)$ \(osc)133;B\(st)ls\r\n\(osc)133;C\(st)out\r\n\(osc)133;D;0\(st)x\r\n"
    )
    #expect(test.terminal.promptMarks(row: 0, scrolledBack: 2) == [.prompt, .command])
    #expect(test.terminal.promptMarks(row: 0, scrolledBack: 1) == [.output])
    #expect(test.terminal.promptMarks(row: 0) == [.end])
  }

  @Test("titles and directories are bounded")
  func bounded() {
    let test = TestTerminal()
    test.feed("\(osc)2;\(String(repeating: "a", count: 100_000))\(st)")
    #expect(test.terminal.title.unicodeScalars.count == 1_024)
    for _ in 0..<100 { test.feed("\(csi)22t") }
    test.feed("\(osc)7;file:///\(String(repeating: "b", count: 100_000))\(st)")
    #expect((test.terminal.workingDirectory ?? "").utf8.count <= 4_096)
    for number in 0..<1_000 { test.feed("\(osc)9;\(number) x\(st)") }
    #expect(test.terminal.takeEvents().count <= 256)
  }

  @Test("the directory is told with its host")
  func workingDirectory() {
    let test = TestTerminal()
    test.feed("\(osc)7;file://box/srv\(st)")
    #expect(test.terminal.workingDirectory == "/srv")
    #expect(test.terminal.workingDirectoryHost == "box")
    test.feed("\(osc)7;file:///tmp\(st)")
    #expect(test.terminal.workingDirectoryHost == nil)
  }

  @Test("links beyond the limit are forgotten, oldest first")
  func links() {
    let test = TestTerminal(rows: 1, columns: 4)
    test.feed("\(osc)8;;first:\(st)a")
    for number in 0..<20_000 { test.feed("\(osc)8;;x:\(number)\(st)") }
    test.feed("b")
    #expect(test.style(row: 0, column: 0).hyperlink == nil)
    #expect(test.style(row: 0, column: 1).hyperlink == "x:19999")
  }
}

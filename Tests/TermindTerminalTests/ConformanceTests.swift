import TermindTerminal
import Testing

/// What a VT420 and xterm do in corners that programs and test suites reach.
@Suite("Conformance") struct ConformanceTests {
  static let answers: [(String, String)] = [
    // Reports of the terminal's state.
    ("\(csi)?63;123n", "␛P123!~0000␛\\"), ("\(csi)?63n", "␛P0!~0000␛\\"),
    ("\(csi)?62n", "␛[0000*{"), ("\(csi)?53n", "␛[?53n"), ("\(csi)?75n", "␛[?70n"),
    ("\(csi)?26n\(csi)?56n\(csi)?85n", "␛[?27;1;0;0n␛[?57;0n␛[?83n"),
    ("\(dcs)$q*x\(st)", "␛P1$r0*x␛\\"), ("\(csi)1*x\(dcs)$q*x\(st)", "␛P1$r1*x␛\\"),
    ("\(csi)2*x\(dcs)$q*x\(st)", "␛P1$r2*x␛\\"), ("\(dcs)$q*|\(st)", "␛P1$r8*|␛\\"),
    ("\(csi)2\"q\(dcs)$q\"q\(st)", "␛P1$r0\"q␛\\"),
    // Modes that come back in reports, and one that nobody can change here.
    ("\(csi)?18$p\(csi)?18h\(csi)?18$p", "␛[?18;2$y␛[?18;1$y"),
    ("\(csi)?19h\(csi)?19$p\(csi)?19l\(csi)?19$p", "␛[?19;1$y␛[?19;2$y"),
    ("\(csi)?42h\(csi)?42$p\(csi)?41$p", "␛[?42;1$y␛[?41;2$y"), ("\(csi)?8l\(csi)?8$p", "␛[?8;3$y"),
    // Modes of terminals with pages and keyboards of their own never change here.
    (
      "\(csi)?60h\(csi)?60$p\(csi)?61$p\(csi)?64$p\(csi)?68$p\(csi)?73$p\(csi)?81$p",
      "␛[?60;4$y␛[?61;4$y␛[?64;4$y␛[?68;4$y␛[?73;4$y␛[?81;4$y"
    ),
    // A question for no named selection is answered for those that xterm asks.
    ("\(osc)52;;?\(st)", "␛]52;s0;␛\\"),
    // Conformance levels: no mode reports before the VT300, no side margins before the VT420.
    ("\(csi)62;1\"p\(csi)4$p\(csi)5n", "␛[0n"), ("\(csi)63;1\"p\(csi)4$p", "␛[4;2$y"),
    ("\(csi)63;1\"p\(csi)?69h\(csi)5;6s\(csi)1;5Habc\(csi)6n\(csi)?69$p", "␛[1;8R␛[?69;0$y"),
    ("\(csi)64;1\"p\(csi)?69h\(csi)5;6s\(csi)1;5Habc\(csi)6n\(csi)?69$p", "␛[2;6R␛[?69;1$y"),
    ("\(csi)65;1\"p\(dcs)$q\"p\(st)", "␛P1$r64;1\"p␛\\"),
    ("\(csi)62;1\"p\(esc)c\(csi)4$p", "␛[4;2$y"),
    // A tab keeps the pending wrap; with mode 41 it wraps first.
    ("\(csi)1;19Hxx\t\(csi)6n1\(csi)6n", "␛[1;20R␛[2;2R"),
    ("\(csi)?41h\(csi)1;19Hxx\t\(csi)6n1\(csi)6n", "␛[2;9R␛[2;10R"),
    ("\(csi)?41h\(csi)?7l\(csi)1;19Hxx\t\(csi)6n", "␛[1;20R"),
    // What keeps or drops the pending wrap.
    ("\(csi)1;19Hxx\(csi)m1\(csi)6n", "␛[2;2R"), ("\(csi)1;19Hxx\(csi)S1\(csi)6n", "␛[2;2R"),
    ("\(csi)1;19Hxx\(csi)X1\(csi)6n", "␛[1;20R"), ("\(csi)1;19Hxx\(csi)P1\(csi)6n", "␛[1;20R"),
    ("\(csi)1;19Hxx\(esc)7\(csi)H\(esc)81\(csi)6n", "␛[2;2R"),
    ("\(csi)1;19Hxx\(csi)'}1\(csi)6n", "␛[2;2R"), ("\(csi)1;19Hxx\(csi)3J1\(csi)6n", "␛[2;2R"),
    ("\(csi)1;19Hxx\(csi)?47h\(csi)?47l1\(csi)6n", "␛[2;2R"),
    ("\(csi)?7l\(csi)1;19Habc\(csi)?7hd\(csi)6n", "␛[2;2R"),
    // Margins that make no region, and origin mode without side margins.
    ("\(csi)5;5r\(dcs)$qr\(st)", "␛P1$r1;8r␛\\"), ("\(csi)5;99r\(dcs)$qr\(st)", "␛P1$r5;8r␛\\"),
    ("\(csi)0;3r\(dcs)$qr\(st)\(csi)3;0r\(dcs)$qr\(st)", "␛P1$r1;3r␛\\␛P1$r3;8r␛\\"),
    ("\(csi)?69h\(csi)5;10s\(csi)?6h\(csi)5;5H\(csi)?69l\(csi)6n\(csi)H\(csi)6n", "␛[5;9R␛[1;1R"),
    // DECFI and DECBI outside the side margins move, and stop at the screen's edges.
    (
      "\(csi)?69h\(csi)5;10s\(csi)2;3H\(esc)6\(csi)6n\(csi)2;1H\(esc)6\(csi)6n\(csi)2;12H\(esc)9\(csi)6n"
        + "\(csi)2;20H\(esc)9\(csi)6n", "␛[2;2R␛[2;1R␛[2;13R␛[2;20R"
    ),
  ]

  @Test("each request is answered as xterm answers it", arguments: answers.indices)
  func answer(index: Int) {
    let test = TestTerminal(rows: 8, columns: 20)
    test.feed(Self.answers[index].0)
    #expect(test.replies() == Self.answers[index].1, "\(Self.answers[index].0.replacingEscapes())")
  }

  @Test(
    "DECCOLM clears the screen where mode 40 allows it, whatever mode 95 is, and leaves the width"
  )
  func columnMode() {
    let test = TestTerminal(rows: 4, columns: 20)
    test.feed("text\(csi)?3h")
    #expect(test.screen[0] == "text")
    test.feed("\(csi)?40h\(csi)?95h\(csi)2;3r\(csi)?69h\(csi)?3h\(csi)18t\(csi)?69$p\(dcs)$qr\(st)")
    #expect(test.screen[0] == "")
    #expect(test.replies() == "␛[8;4;20t␛[?69;2$y␛P1$r1;4r␛\\")
  }

  @Test("what is not pushed on the title stack is what was pushed before")
  func titleStack() {
    let test = TestTerminal(configuration: TerminalConfiguration(reportsTitle: true))
    test.feed(
      "\(osc)2;window\(st)\(osc)1;icon\(st)\(csi)22;1t\(csi)22;2t\(osc)0;other\(st)\(csi)23t"
    )
    #expect(test.terminal.title == "window")
    #expect(test.terminal.iconTitle == "icon")
    test.feed("\(osc)0;other\(st)\(csi)23;1t")
    #expect(test.terminal.title == "other")
    #expect(test.terminal.iconTitle == "icon")
  }

  @Test("titles are set and told in hexadecimal digits where a program asks for it")
  func hexadecimalTitles() {
    let test = TestTerminal(configuration: TerminalConfiguration(reportsTitle: true))
    test.feed("\(csi)>0t\(osc)2;4A6f\(st)\(csi)21t\(csi)>1t\(csi)21t")
    #expect(test.replies() == "␛]lJo␛\\␛]l4A6F␛\\")
    test.feed("\(osc)2;4Ax\(st)\(osc)1;zz\(st)")
    #expect(test.terminal.title == "J")
    #expect(test.terminal.iconTitle == "")
    test.feed("\(csi)>0;1T\(osc)2;4A\(st)\(csi)21t")
    #expect(test.replies() == "␛]l4A␛\\")
    test.feed("\(csi)>0t\(esc)c\(osc)2;4A\(st)")
    #expect(test.terminal.title == "4A")
  }

  @Test(
    "answers begin and end with 8-bit controls where a program asks for them",
    arguments: [
      "\(esc) G", "\(csi)62;0\"p", "\(csi)62\"p", "\(csi)64;2\"p",
    ]
  )
  func eightBitAnswers(request: String) {
    let test = TestTerminal(rows: 4, columns: 20)
    test.feed("\(request)\(csi)6n")
    #expect(test.terminal.takeReplies() == [0x9B] + Array("1;1R".utf8))
    test.feed("\(dcs)$qm\(st)")
    #expect(test.terminal.takeReplies() == [0x90] + Array("1$r0m".utf8) + [0x9C])
    test.feed("\(osc)10;?\u{07}")
    #expect(test.terminal.takeReplies() == [0x9D] + Array("10;rgb:e5e5/e5e5/e5e5\u{07}".utf8))
    test.feed("\(dcs)+q436F\(st)")
    #expect(test.terminal.takeReplies() == [0x90] + Array("1+r436F=323536".utf8) + [0x9C])
    test.feed("\(esc) F\(csi)5n")
    #expect(test.replies() == "␛[0n")
  }

  @Test(
    "answers have 7-bit controls otherwise",
    arguments: ["\(csi)61\"p", "\(csi)62;1\"p", "\(esc) G\(esc)c"]
  )
  func sevenBitAnswers(request: String) {
    let test = TestTerminal()
    test.feed("\(request)\(csi)5n")
    #expect(test.replies() == "␛[0n")
  }

  @Test("titles in digits cannot bring in control characters, and stay empty in reports by default")
  func hexadecimalTitlesAreClean() {
    let test = TestTerminal()
    test.feed("\(csi)>0;1t\(osc)2;411B5B42\(st)\(csi)21t")
    #expect(test.terminal.title == "A[B")
    #expect(test.replies() == "␛]l␛\\")
  }
}

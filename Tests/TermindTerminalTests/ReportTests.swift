import TermindTerminal
import Testing

@Suite("Reports") struct ReportTests {
  static let answers: [(String, String)] = [
    ("\(csi)5n", "␛[0n"), ("\(csi)2;3H\(csi)6n", "␛[2;3R"), ("\(csi)?6n", "␛[?1;1;1R"),
    ("abcdefghij\(csi)6n", "␛[1;10R"), ("\(csi)c", "␛[?64;1;2;6;9;15;16;17;18;21;22;28;29;52c"),
    ("\(csi)>c", "␛[>41;390;0c"), ("\(csi)=c", "␛P!|00000000␛\\"), ("\(csi)>q", "␛P>|Termind␛\\"),
    ("\(csi)?1$p", "␛[?1;2$y"), ("\(csi)?1h\(csi)?1$p", "␛[?1;1$y"),
    ("\(csi)?9999$p", "␛[?9999;0$y"),
    ("\(csi)4$p", "␛[4;2$y"), ("\(csi)?2026$p", "␛[?2026;2$y"), ("\(csi)?2027$p", "␛[?2027;1$y"),
    ("\(csi)?2031$p", "␛[?2031;2$y"), ("\(csi)?2048$p", "␛[?2048;2$y"), ("\(csi)?u", "␛[?0u"),
    ("\(csi)>5u\(csi)?u", "␛[?5u"), ("\(csi)>5u\(csi)=8;2u\(csi)?u", "␛[?13u"),
    ("\(csi)>5u\(csi)=1;3u\(csi)?u", "␛[?4u"), ("\(csi)>5u\(csi)<u\(csi)?u", "␛[?0u"),
    ("\(csi)>5u\(csi)>3u\(csi)<99u\(csi)?u", "␛[?0u"), ("\(csi)>4;2m\(csi)?4m", "␛[>4;2m"),
    ("\(csi)?996n", "␛[?997;1n"), ("\(csi)?2048h", "␛[48;4;10;80;100t"),
    ("\(dcs)$qm\(st)", "␛P1$r0m␛\\"),
    ("\(csi)1;38;2;1;2;3m\(dcs)$qm\(st)", "␛P1$r0;1;38:2::1:2:3m␛\\"),
    ("\(csi)4:3;58:5:9m\(dcs)$qm\(st)", "␛P1$r0;4:3;58:5:9m␛\\"),
    ("\(csi)2;3r\(dcs)$qr\(st)", "␛P1$r2;3r␛\\"), ("\(dcs)$q q\(st)", "␛P1$r1 q␛\\"),
    ("\(csi)4 q\(dcs)$q q\(st)", "␛P1$r4 q␛\\"),
    ("\(csi)?69h\(csi)2;5s\(dcs)$qs\(st)", "␛P1$r2;5s␛\\"),
    ("\(csi)1\"q\(dcs)$q\"q\(st)", "␛P1$r1\"q␛\\"), ("\(dcs)$qzz\(st)", "␛P0$r␛\\"),
    ("\(dcs)+q544E;436F\(st)", "␛P1+r544E=787465726D2D323536636F6C6F72␛\\␛P1+r436F=323536␛\\"),
    ("\(dcs)+q7A7A\(st)", "␛P0+r7A7A␛\\"), ("\(csi)11t", "␛[1t"), ("\(csi)13t", "␛[3;0;0t"),
    ("\(csi)14t", "␛[4;80;100t"), ("\(csi)16t", "␛[6;20;10t"), ("\(csi)18t", "␛[8;4;10t"),
    ("\(csi)19t", "␛[9;4;10t"), ("\(osc)2;evil\(st)\(csi)21t", "␛]l␛\\"), ("\(csi)20t", "␛]L␛\\"),
    ("\(osc)52;c;?\(st)", "␛]52;c;␛\\"), ("\(osc)10;?\(st)", "␛]10;rgb:e5e5/e5e5/e5e5␛\\"),
    ("\(osc)11;?\u{07}", "␛]11;rgb:0000/0000/0000\u{07}"),
    ("\(osc)4;1;#102030\(st)\(osc)4;1;?\(st)", "␛]4;1;rgb:1010/2020/3030␛\\"),
    (
      "\(osc)4;1;rgb:f/00/ffff\(st)\(osc)4;1;?\(st)\(osc)104;1\(st)\(osc)4;1;?\(st)",
      "␛]4;1;rgb:ffff/0000/ffff␛\\␛]4;1;rgb:cdcd/0000/0000␛\\"
    ),
    (
      "\(osc)10;#ffffff;#010101\(st)\(osc)11;?\(st)\(osc)111\(st)\(osc)11;?\(st)",
      "␛]11;rgb:0101/0101/0101␛\\␛]11;rgb:0000/0000/0000␛\\"
    ),
    ("\(csi)2$w", "␛P2$u9␛\\"), ("\(csi)x", "␛[2;1;1;128;128;1;0x"), ("\(csi)?15n", "␛[?13n"),
    ("\(csi)?1;1;0S", "␛[?1;1S"),
  ]

  @Test("each request is answered", arguments: answers.indices)
  func answer(index: Int) {
    let test = TestTerminal(rows: 4, columns: 10)
    test.feed(Self.answers[index].0)
    #expect(test.replies() == Self.answers[index].1, "\(Self.answers[index].0.replacingEscapes())")
  }

  @Test("answers come in the order of the requests, across kinds")
  func order() {
    let test = TestTerminal()
    test.feed("\(csi)6n\(dcs)$qm\(st)\(csi)5n\(osc)10;?\(st)\(csi)c")
    #expect(
      test.replies()
        == "␛[1;1R␛P1$r0m␛\\␛[0n␛]10;rgb:e5e5/e5e5/e5e5␛\\␛[?64;1;2;6;9;15;16;17;18;21;22;28;29;52c"
    )
  }

  @Test("titles are told where the owner allows it, and the title stack works either way")
  func titles() {
    let test = TestTerminal(configuration: TerminalConfiguration(reportsTitle: true))
    test.feed("\(osc)0;one\(st)\(csi)22t\(osc)2;two\(st)\(csi)21t\(csi)20t\(csi)23t\(csi)21t")
    #expect(test.replies() == "␛]ltwo␛\\␛]Lone␛\\␛]lone␛\\")
    #expect(test.terminal.title == "one")
  }

  @Test("DECCIR is restored by DECRSPS")
  func cursorInformation() {
    let test = TestTerminal(rows: 4, columns: 10)
    test.feed("\(csi)1;7m\(csi)2;3H\(csi)1$w")
    let report = test.replies()
    #expect(report == "␛P1$u2;3;1;I;@;@;0;2;@;BBBB␛\\")
    test.feed("\(csi)0m\(csi)H\(dcs)1$t2;3;1;I;@;@;0;2;@;BBBB\(st)x")
    #expect(test.style(row: 1, column: 2).attributes == [.bold, .inverse])
  }

  @Test("replies are bounded")
  func bounded() {
    let test = TestTerminal()
    for _ in 0..<100 { test.feed(String(repeating: "\(csi)c", count: 500)) }
    #expect(test.terminal.takeReplies().count <= 256 * 1_024)
    #expect(test.terminal.takeReplies().isEmpty)
  }
}

import Testing

@testable import TermindTerminal

/// Mouse reports in every form.
@Suite("Mouse reports") struct MouseEncoderTests {
  @Test(
    "a press in each form",
    arguments: [
      (MouseModes.Encoding.legacy, "\u{1B}[M %$"), (.utf8, "\u{1B}[M %$"), (.sgr, "\u{1B}[<0;5;4M"),
      (.urxvt, "\u{1B}[32;5;4M"), (.sgrPixels, "\u{1B}[<0;41;62M"),
    ]
  )
  func forms(encoding: MouseModes.Encoding, expected: String) {
    let press = TerminalMouse(
      kind: .press,
      button: .left,
      row: 3,
      column: 4,
      pixelRow: 61,
      pixelColumn: 40
    )
    #expect(text(press, tracking: .buttons, encoding: encoding) == expected)
  }

  @Test(
    "a release says its button only in the numbered forms",
    arguments: [
      (MouseModes.Encoding.legacy, "\u{1B}[M#!!"), (.sgr, "\u{1B}[<2;1;1m"),
      (.urxvt, "\u{1B}[35;1;1M"), (.sgrPixels, "\u{1B}[<2;1;1m"),
    ]
  )
  func releases(encoding: MouseModes.Encoding, expected: String) {
    let release = TerminalMouse(kind: .release, button: .right, row: 0, column: 0)
    #expect(text(release, tracking: .buttons, encoding: encoding) == expected)
  }

  @Test("buttons, wheel and modifiers")
  func codes() {
    let cases: [(TerminalMouse.Kind, TerminalMouse.Button?, TerminalKeyModifiers, Int)] = [
      (.press, .middle, [], 1), (.press, .other(8), [], 128), (.press, .other(11), [], 131),
      (.wheel(.up), nil, [], 64), (.wheel(.down), nil, [], 65), (.wheel(.left), nil, [], 66),
      (.wheel(.right), nil, [], 67), (.press, .left, .shift, 4), (.press, .left, .alt, 8),
      (.press, .left, .meta, 8), (.press, .left, .control, 16),
      (.press, .right, [.shift, .alt, .control], 30), (.wheel(.up), nil, .control, 80),
      (.motion, nil, [], 35), (.motion, .left, [], 32), (.motion, .right, .shift, 38),
      (.press, .left, [.super, .numLock], 0),
    ]
    for (kind, button, modifiers, code) in cases {
      let mouse = TerminalMouse(kind: kind, button: button, row: 0, column: 0, modifiers: modifiers)
      #expect(text(mouse, tracking: .motion, encoding: .sgr) == "\u{1B}[<\(code);1;1M")
    }
  }

  @Test("each mode hears of what it asked for and no more")
  func tracking() {
    let events: [(TerminalMouse, MouseModes.Tracking)] = [
      (TerminalMouse(kind: .press, button: .left, row: 0, column: 0), .press),
      (TerminalMouse(kind: .release, button: .left, row: 0, column: 0), .buttons),
      (TerminalMouse(kind: .wheel(.up), row: 0, column: 0), .buttons),
      (TerminalMouse(kind: .motion, button: .left, row: 0, column: 0), .drag),
      (TerminalMouse(kind: .motion, row: 0, column: 0), .motion),
    ]
    let modes: [MouseModes.Tracking] = [.off, .press, .buttons, .drag, .motion]
    for (event, least) in events {
      for mode in modes {
        let isHeard = text(event, tracking: mode, encoding: .sgr) != nil
        #expect(isHeard == (mode.rawValue >= least.rawValue), "\(event.kind) in \(mode)")
      }
    }
  }

  @Test("X10 tells neither modifiers nor further buttons")
  func pressOnly() {
    let press = TerminalMouse(kind: .press, button: .right, row: 0, column: 0, modifiers: .control)
    #expect(text(press, tracking: .press, encoding: .legacy) == "\u{1B}[M\"!!")
    let back = TerminalMouse(kind: .press, button: .other(8), row: 0, column: 0)
    #expect(text(back, tracking: .press, encoding: .legacy) == nil)
    let strange = TerminalMouse(kind: .press, button: .other(12), row: 0, column: 0)
    #expect(text(strange, tracking: .buttons, encoding: .sgr) == nil)
    #expect(
      text(TerminalMouse(kind: .press, row: 0, column: 0), tracking: .buttons, encoding: .sgr)
        == nil
    )
  }

  @Test("motion within a cell is told once, and again after another report or in another form")
  func motionFilter() throws {
    var encoder = MouseEncoder()
    var modes = MouseModes()
    modes.tracking = .motion
    modes.encoding = .sgr
    func move(_ column: Int, pixel: Int = 0) throws -> String {
      let mouse = TerminalMouse(
        kind: .motion,
        row: 2,
        column: column,
        pixelRow: 0,
        pixelColumn: pixel
      )
      let bytes = encoder.encode(mouse, modes: modes)
      return String(decoding: try #require(bytes), as: UTF8.self)
    }
    let reports = try [move(1), move(1), move(2), move(2, pixel: 3), move(1)]
    #expect(reports == ["\u{1B}[<35;2;3M", "", "\u{1B}[<35;3;3M", "", "\u{1B}[<35;2;3M"])
    modes.encoding = .sgrPixels
    let pixels = try [move(1, pixel: 8), move(1, pixel: 9), move(1, pixel: 9)]
    #expect(pixels == ["\u{1B}[<35;9;1M", "\u{1B}[<35;10;1M", ""])
    modes.encoding = .sgr
    let afterChange = try move(1)
    #expect(afterChange == "\u{1B}[<35;2;3M")
  }

  @Test("a button that went down is held until it goes up")
  func heldButton() throws {
    var encoder = MouseEncoder()
    var modes = MouseModes()
    modes.tracking = .drag
    modes.encoding = .sgr
    func send(_ kind: TerminalMouse.Kind, _ button: TerminalMouse.Button?, _ column: Int) -> String?
    {
      let mouse = TerminalMouse(kind: kind, button: button, row: 0, column: column)
      return encoder.encode(mouse, modes: modes).map { String(decoding: $0, as: UTF8.self) }
    }
    let steps = [
      send(.motion, nil, 0), send(.press, .middle, 0), send(.motion, nil, 1),
      send(.release, nil, 1),
      send(.motion, nil, 2),
    ]
    #expect(steps == [nil, "\u{1B}[<1;1;1M", "\u{1B}[<33;2;1M", "\u{1B}[<1;2;1m", nil])
    _ = send(.press, .left, 0)
    encoder.reset()
    let afterReset = send(.motion, nil, 5)
    #expect(afterReset == nil)
  }

  @Test(
    "places stay in the terminal, and in what the form can say",
    arguments: [
      (MouseModes.Encoding.sgr, -5, -1, "\u{1B}[<0;1;1M"), (.sgr, 999, 999, "\u{1B}[<0;300;400M"),
      (.urxvt, 999, 999, "\u{1B}[32;300;400M"), (.utf8, 399, 299, "\u{1B}[M ŌƱ"),
    ]
  )
  func bounds(encoding: MouseModes.Encoding, row: Int, column: Int, expected: String) {
    let press = TerminalMouse(kind: .press, button: .left, row: row, column: column)
    var modes = MouseModes()
    modes.tracking = .buttons
    modes.encoding = encoding
    modes.rows = 400
    modes.columns = 300
    var encoder = MouseEncoder()
    let bytes = encoder.encode(press, modes: modes)
    // 300 + 32 is U+014C, 400 + 32 is U+01B0.
    let wanted = encoding == .utf8 ? "\u{1B}[M \u{14C}\u{1B0}" : expected
    #expect(bytes.map { String(decoding: $0, as: UTF8.self) } == wanted)
  }

  @Test("the byte form stops at 223 and the UTF-8 form at 2015")
  func legacyBounds() {
    let press = TerminalMouse(kind: .press, button: .left, row: 5_000, column: .max)
    var modes = MouseModes()
    modes.tracking = .buttons
    var encoder = MouseEncoder()
    let legacy = encoder.encode(press, modes: modes)
    #expect(legacy == [0x1B, 0x5B, 0x4D, 0x20, 0xFF, 0xFF])
    modes.encoding = .utf8
    let wide = encoder.encode(press, modes: modes)
    #expect(wide == [0x1B, 0x5B, 0x4D, 0x20, 0xDF, 0xBF, 0xDF, 0xBF])
  }

  @Test("the wheel sends arrows on the alternate screen while nothing is tracked")
  func alternateScroll() {
    let up = TerminalMouse(kind: .wheel(.up), row: 0, column: 0)
    let down = TerminalMouse(kind: .wheel(.down), row: 0, column: 0)
    var modes = MouseModes()
    var encoder = MouseEncoder()
    #expect(encoded(up, modes, &encoder) == nil)
    modes.isAlternateScreen = true
    #expect(encoded(up, modes, &encoder) == "\u{1B}[A\u{1B}[A\u{1B}[A")
    modes.applicationCursorKeys = true
    encoder.linesPerWheelStep = 1
    #expect(encoded(down, modes, &encoder) == "\u{1B}OB")
    #expect(encoded(TerminalMouse(kind: .wheel(.left), row: 0, column: 0), modes, &encoder) == nil)
    #expect(
      encoded(TerminalMouse(kind: .press, button: .left, row: 0, column: 0), modes, &encoder) == nil
    )
    modes.tracking = .buttons
    modes.encoding = .sgr
    #expect(encoded(up, modes, &encoder) == "\u{1B}[<64;1;1M")
    modes.tracking = .off
    modes.alternateScroll = false
    #expect(encoded(up, modes, &encoder) == nil)
  }

  private func encoded(_ mouse: TerminalMouse, _ modes: MouseModes, _ encoder: inout MouseEncoder)
    -> String?
  {
    encoder.encode(mouse, modes: modes).map { String(decoding: $0, as: UTF8.self) }
  }

  private func text(
    _ mouse: TerminalMouse,
    tracking: MouseModes.Tracking,
    encoding: MouseModes.Encoding
  ) -> String? {
    var modes = MouseModes()
    modes.tracking = tracking
    modes.encoding = encoding
    var encoder = MouseEncoder()
    return encoded(mouse, modes, &encoder)
  }
}

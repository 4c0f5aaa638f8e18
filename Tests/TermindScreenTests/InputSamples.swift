@testable import TermindScreen

/// Inputs of every kind, with the events that they stand for.
enum InputSamples {
  static func key(
    _ code: KeyCode,
    _ modifiers: KeyModifiers = [],
    text: String? = nil,
    shifted: UInt32? = nil,
    base: UInt32? = nil,
    kind: KeyEventKind = .press
  ) -> InputEvent {
    .key(
      KeyEvent(
        code: code,
        shifted: shifted,
        base: base,
        modifiers: modifiers,
        kind: kind,
        text: text
      )
    )
  }

  static func character(_ letter: Unicode.Scalar, _ modifiers: KeyModifiers = []) -> InputEvent {
    let isPlain = modifiers.isEmpty
    return key(.character(letter.value), modifiers, text: isPlain ? String(Character(letter)) : nil)
  }

  static let typing: [(String, [InputEvent])] = [
    ("a", [character("a")]),
    ("A", [key(.character(0x61), .shift, text: "A", shifted: 0x41)]),
    ("é", [character("é")]),
    ("É", [key(.character(0xE9), .shift, text: "É", shifted: 0xC9)]),
    ("漢", [character("漢")]),
    ("🤔", [character("🤔")]),
    (" ", [character(" ")]),
    ("\r", [key(.enter)]),
    ("\n", [character("j", .control)]),
    ("\t", [key(.tab)]),
    ("\u{7F}", [key(.backspace)]),
    ("\u{8}", [character("h", .control)]),
    ("\u{0}", [character(" ", .control)]),
    ("\u{1}", [character("a", .control)]),
    ("\u{1C}", [character("\\", .control)]),
    ("\u{1F}", [character("_", .control)]),
    ("\u{1B}a", [character("a", .alt)]),
    ("\u{1B}A", [key(.character(0x61), [.alt, .shift], shifted: 0x41)]),
    ("\u{1B}é", [character("é", .alt)]),
    ("\u{1B}\u{1}", [character("a", [.alt, .control])]),
    ("\u{1B}\r", [key(.enter, .alt)]),
    ("\u{1B}\u{7F}", [key(.backspace, .alt)]),
  ]

  static let legacy: [(String, [InputEvent])] = [
    ("\u{1B}[A", [key(.up)]), ("\u{1B}OA", [key(.up)]), ("\u{1B}[D", [key(.left)]),
    ("\u{1B}[H", [key(.home)]), ("\u{1B}OF", [key(.end)]), ("\u{1B}[1~", [key(.home)]),
    ("\u{1B}[8~", [key(.end)]), ("\u{1B}[3~", [key(.delete)]), ("\u{1B}[5~", [key(.pageUp)]),
    ("\u{1B}[Z", [key(.tab, .shift)]),
    ("\u{1B}OP", [key(.function(1))]), ("\u{1B}[11~", [key(.function(1))]),
    ("\u{1B}[[A", [key(.function(1))]), ("\u{1B}[[E", [key(.function(5))]),
    ("\u{1B}[15~", [key(.function(5))]), ("\u{1B}[24~", [key(.function(12))]),
    ("\u{1B}[1;5A", [key(.up, .control)]), ("\u{1B}[1;2C", [key(.right, .shift)]),
    ("\u{1B}[1;3R", [key(.function(3), .alt)]), ("\u{1B}[1;5P", [key(.function(1), .control)]),
    ("\u{1B}[15;5~", [key(.function(5), .control)]),
    ("\u{1B}[3;6~", [key(.delete, [.control, .shift])]),
    ("\u{1B}O5P", [key(.function(1), .control)]), ("\u{1B}O1;3Q", [key(.function(2), .alt)]),
    ("\u{1B}[7$", [key(.home, .shift)]), ("\u{1B}[7^", [key(.home, .control)]),
    ("\u{1B}[3@", [key(.delete, [.control, .shift])]), ("\u{1B}[a", [key(.up, .shift)]),
    ("\u{1B}Oa", [key(.up, .control)]), ("\u{1B}\u{1B}[A", [key(.up, .alt)]),
    ("\u{1B}\u{1B}OA", [key(.up, .alt)]), ("\u{1B}OM", [key(.keypad(.enter))]),
    ("\u{1B}Op", [key(.keypad(.zero), text: "0")]), ("\u{1B}[E", [key(.keypad(.begin))]),
    ("\u{1B}[27;5;105~", [character("i", .control)]), ("\u{1B}[27;5;13~", [key(.enter, .control)]),
    ("\u{1B}[27;2;13~", [key(.enter, .shift)]), ("\u{1B}[27;5;9~", [key(.tab, .control)]),
    ("\u{1B}[27;6;9~", [key(.tab, [.control, .shift])]),
    ("\u{1B}[27;5;44~", [character(",", .control)]),
    ("\u{1B}[27;2;33~", [key(.character(0x21), .shift, text: "!", shifted: 0x21)]),
    ("\u{1B}[27;6;65~", [key(.character(0x61), [.control, .shift], shifted: 0x41)]),
  ]

  static let kitty: [(String, [InputEvent])] = [
    ("\u{1B}[27u", [key(.escape)]), ("\u{1B}[105;5u", [character("i", .control)]),
    ("\u{1B}[9;5u", [key(.tab, .control)]), ("\u{1B}[9;6u", [key(.tab, [.control, .shift])]),
    ("\u{1B}[13;2u", [key(.enter, .shift)]), ("\u{1B}[13;5u", [key(.enter, .control)]),
    ("\u{1B}[13;3u", [key(.enter, .alt)]), ("\u{1B}[127;5u", [key(.backspace, .control)]),
    ("\u{1B}[44;5u", [character(",", .control)]), ("\u{1B}[46;5u", [character(".", .control)]),
    ("\u{1B}[59;5u", [character(";", .control)]),
    ("\u{1B}[97:65;2u", [key(.character(97), .shift, text: "A", shifted: 65)]),
    ("\u{1B}[49:33;2u", [key(.character(49), .shift, text: "!", shifted: 33)]),
    (
      "\u{1B}[1089:1057:99;6u",
      [key(.character(1089), [.control, .shift], shifted: 1057, base: 99)]
    ),
    ("\u{1B}[1089::99;5u", [key(.character(1089), .control, base: 99)]),
    ("\u{1B}[97;1:3u", [key(.character(97), kind: .release)]),
    ("\u{1B}[97;1:2u", [key(.character(97), text: "a", kind: .repeat)]),
    ("\u{1B}[1;5:3A", [key(.up, .control, kind: .release)]),
    ("\u{1B}[3;1:2~", [key(.delete, kind: .repeat)]),
    ("\u{1B}[97;;229u", [key(.character(97), text: "å")]),
    ("\u{1B}[97;2;65:66u", [key(.character(97), .shift, text: "AB", shifted: 65)]),
    ("\u{1B}[0;;12354u", [key(.character(0), text: "あ")]),
    ("\u{1B}[115;9u", [character("s", .super)]),
    ("\u{1B}[97;65u", [key(.character(97), .capsLock, text: "A")]),
    ("\u{1B}[57399;129u", [key(.keypad(.zero), .numLock, text: "0")]),
    ("\u{1B}[57417u", [key(.keypad(.left))]), ("\u{1B}[57427~", [key(.keypad(.begin))]),
    ("\u{1B}[57376u", [key(.function(13))]), ("\u{1B}[57398u", [key(.function(35))]),
    ("\u{1B}[57361u", [key(.printScreen)]), ("\u{1B}[57430u", [key(.media(.playPause))]),
    ("\u{1B}[57440u", [key(.media(.muteVolume))]),
    ("\u{1B}[57441;2u", [key(.modifier(.leftShift), .shift)]),
    ("\u{1B}[57452;33:3u", [key(.modifier(.rightMeta), .meta, kind: .release)]),
    ("\u{1B}[57454u", [key(.modifier(.isoLevel5Shift))]),
    ("\u{1B}[13~", [key(.function(3))]),
  ]

  static let mouse: [(String, [InputEvent])] = [
    ("\u{1B}[<0;1;1M", [event(.press, .left, 0, 0)]),
    ("\u{1B}[<0;300;120m", [event(.release, .left, 119, 299)]),
    ("\u{1B}[<34;5;6M", [event(.motion, .right, 5, 4)]),
    ("\u{1B}[<35;5;6M", [event(.motion, nil, 5, 4)]),
    ("\u{1B}[<64;5;6M", [event(.wheel(.up), nil, 5, 4)]),
    ("\u{1B}[<65;5;6M", [event(.wheel(.down), nil, 5, 4)]),
    ("\u{1B}[<67;5;6M", [event(.wheel(.right), nil, 5, 4)]),
    ("\u{1B}[<128;5;6M", [event(.press, .other(8), 5, 4)]),
    ("\u{1B}[<20;5;6M", [event(.press, .left, 5, 4, [.shift, .control])]),
    ("\u{1B}[M !!", [event(.press, .left, 0, 0)]),
    ("\u{1B}[M#!!", [event(.release, nil, 0, 0)]),
    ("\u{1B}[Ma!!", [event(.wheel(.down), nil, 0, 0)]),
    ("\u{1B}[32;10;20M", [event(.press, .left, 19, 9)]),
    ("\u{1B}[<0;0;1M", []),
  ]

  private static func event(
    _ kind: MouseEvent.Kind,
    _ button: MouseEvent.Button?,
    _ row: Int,
    _ column: Int,
    _ modifiers: KeyModifiers = []
  ) -> InputEvent {
    .mouse(MouseEvent(kind: kind, button: button, row: row, column: column, modifiers: modifiers))
  }

  static let reports: [(String, [InputEvent])] = [
    ("\u{1B}[I", [.focus(true)]), ("\u{1B}[O", [.focus(false)]),
    ("\u{1B}[?997;1n", [.colorScheme(dark: true)]), ("\u{1B}[?997;2n", [.colorScheme(dark: false)]),
    (
      "\u{1B}[48;24;80;480;640t",
      [.reply(.size(ScreenSize(rows: 24, columns: 80, pixelWidth: 640, pixelHeight: 480)))]
    ),
    ("\u{1B}[48;0;0;0;0t", [.reply(.size(ScreenSize(rows: 0, columns: 0)))]),
    ("\u{1B}[8;50;200t", [.reply(.size(ScreenSize(rows: 50, columns: 200)))]),
    ("\u{1B}[?62;4;52c", [.reply(.primaryAttributes([62, 4, 52]))]),
    ("\u{1B}[>41;390;0c", [.reply(.secondaryAttributes([41, 390, 0]))]),
    ("\u{1B}[?2026;2$y", [.reply(.mode(2026, .reset))]),
    ("\u{1B}[?2027;0$y", [.reply(.mode(2027, .unknown))]),
    ("\u{1B}[?5u", [.reply(.keyboardFlags(5))]),
    ("\u{1B}P>|kitty(0.36.4)\u{1B}\\", [.reply(.version("kitty(0.36.4)"))]),
    ("\u{1B}P1+r524742=38\u{1B}\\", [.reply(.capability(name: "RGB", value: "8"))]),
    ("\u{1B}P0+r524742\u{1B}\\", [.reply(.capability(name: "RGB", value: nil))]),
    (
      "\u{1B}]11;rgb:1e1e/0000/ffff\u{1B}\\",
      [.reply(.color(.background, red: 30, green: 0, blue: 255))]
    ),
    ("\u{1B}]10;rgb:ff/80/0\u{7}", [.reply(.color(.foreground, red: 255, green: 128, blue: 0))]),
    ("\u{1B}]4;1;#ff0080\u{7}", [.reply(.color(.palette(1), red: 255, green: 0, blue: 128))]),
    ("\u{1B}]52;c;aMOp\u{1B}\\", [.reply(.clipboard([0x68, 0xC3, 0xA9]))]),
    ("\u{1B}[12;40R", [.reply(.cursorPosition(row: 11, column: 39))]),
  ]

  static let pastes: [(String, [InputEvent])] = [
    ("\u{1B}[200~a\u{1B}[A\rb\u{1B}[201~", [.paste(Array("a\u{1B}[A\rb".utf8))]),
    ("\u{1B}[200~\u{1B}[20\u{1B}[201~", [.paste(Array("\u{1B}[20".utf8))]),
    ("\u{1B}[200~\u{1B}\u{1B}[201~", [.paste([0x1B])]),
    ("\u{1B}[200~\u{1B}[201~", []),
  ]

  static let nothing: [(String, [InputEvent])] = [
    ("\u{1B}[99;1234z", []), ("\u{1B}[?1;2;3x", []), ("\u{1B}]777;x\u{1B}\\", []),
    ("\u{1B}_Gi=1;OK\u{1B}\\", []), ("\u{1B}P1$r0m\u{1B}\\", []), ("\u{1B}[201~", []),
  ]

  static let all = typing + legacy + kitty + mouse + reports + pastes + nothing
}

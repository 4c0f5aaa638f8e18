/// The capabilities of this terminal by terminfo name.
extension TerminfoCapability {
  static let table: [String: TerminfoCapability] = {
    var table: [String: TerminfoCapability] = [:]
    for name in flags { table[name] = .flag }
    for (name, number) in numbers { table[name] = .number(number) }
    for group in [
      keys, movement, editing, screen, attributes, extras, functionKeys(), modifiedKeys(),
    ] {
      for (name, text) in group { table[name] = .string(text) }
    }
    return table
  }()

  private static let flags = [
    "am", "bce", "ccc", "km", "mir", "msgr", "npc", "xenl", "AX", "XT", "Su", "Tc", "XF", "fullkbd",
  ]

  private static let numbers = [
    "colors": 256, "Co": 256, "cols": 80, "lines": 24, "it": 8, "pairs": 65_536,
  ]

  private static let keys = [
    "kcuu1": "\u{1B}OA", "kcud1": "\u{1B}OB", "kcuf1": "\u{1B}OC", "kcub1": "\u{1B}OD",
    "khome": "\u{1B}OH", "kend": "\u{1B}OF", "kbeg": "\u{1B}OE", "kent": "\u{1B}OM",
    "kich1": "\u{1B}[2~", "kdch1": "\u{1B}[3~", "kpp": "\u{1B}[5~", "knp": "\u{1B}[6~",
    "kbs": "\u{7F}", "kcbt": "\u{1B}[Z", "kind": "\u{1B}[1;2B", "kri": "\u{1B}[1;2A",
    "ka1": "\u{1B}Ow", "ka2": "\u{1B}Ox", "ka3": "\u{1B}Oy", "kb1": "\u{1B}Ot", "kb2": "\u{1B}Ou",
    "kb3": "\u{1B}Ov", "kc1": "\u{1B}Oq", "kc2": "\u{1B}Or", "kc3": "\u{1B}Os",
    "kpADD": "\u{1B}Ok", "kpCMA": "\u{1B}Ol", "kpDIV": "\u{1B}Oo", "kpDOT": "\u{1B}On",
    "kpMUL": "\u{1B}Oj", "kpSUB": "\u{1B}Om", "kpZRO": "\u{1B}Op", "kp5": "\u{1B}OE",
    "kmous": "\u{1B}[<",
    "kxIN": "\u{1B}[I", "kxOUT": "\u{1B}[O",
  ]

  private static let movement = [
    "cup": "\u{1B}[%i%p1%d;%p2%dH", "home": "\u{1B}[H", "cr": "\r", "ind": "\n", "nel": "\u{1B}E",
    "cuu": "\u{1B}[%p1%dA", "cuu1": "\u{1B}[A", "cud": "\u{1B}[%p1%dB", "cud1": "\n",
    "cuf": "\u{1B}[%p1%dC", "cuf1": "\u{1B}[C", "cub": "\u{1B}[%p1%dD", "cub1": "\u{8}",
    "hpa": "\u{1B}[%i%p1%dG", "vpa": "\u{1B}[%i%p1%dd", "sc": "\u{1B}7", "rc": "\u{1B}8",
    "ht": "\t", "hts": "\u{1B}H", "cbt": "\u{1B}[Z", "tbc": "\u{1B}[3g", "ri": "\u{1B}M",
  ]

  private static let editing = [
    "clear": "\u{1B}[H\u{1B}[2J", "ed": "\u{1B}[J", "el": "\u{1B}[K", "el1": "\u{1B}[1K",
    "E3": "\u{1B}[3J", "ech": "\u{1B}[%p1%dX", "ich": "\u{1B}[%p1%d@", "dch": "\u{1B}[%p1%dP",
    "dch1": "\u{1B}[P", "il": "\u{1B}[%p1%dL", "il1": "\u{1B}[L", "dl": "\u{1B}[%p1%dM",
    "dl1": "\u{1B}[M", "smir": "\u{1B}[4h", "rmir": "\u{1B}[4l", "indn": "\u{1B}[%p1%dS",
    "rin": "\u{1B}[%p1%dT", "rep": "%p1%c\u{1B}[%p2%{1}%-%db", "csr": "\u{1B}[%i%p1%d;%p2%dr",
    "smglp": "\u{1B}[?69h\u{1B}[%i%p1%ds", "smglr": "\u{1B}[?69h\u{1B}[%i%p1%d;%p2%ds",
    "smgrp": "\u{1B}[?69h\u{1B}[%i;%p1%ds", "mgc": "\u{1B}[?69l",
  ]

  private static let screen = [
    "smcup": "\u{1B}[?1049h\u{1B}[22;0;0t", "rmcup": "\u{1B}[?1049l\u{1B}[23;0;0t",
    "smkx": "\u{1B}[?1h\u{1B}=", "rmkx": "\u{1B}[?1l\u{1B}>", "civis": "\u{1B}[?25l",
    "cnorm": "\u{1B}[?12l\u{1B}[?25h", "cvvis": "\u{1B}[?12;25h", "bel": "\u{7}",
    "flash": "\u{1B}[?5h$<100/>\u{1B}[?5l", "smam": "\u{1B}[?7h", "rmam": "\u{1B}[?7l",
    "is2": "\u{1B}[!p\u{1B}[?3;4l\u{1B}[4l\u{1B}>", "rs1": "\u{1B}c\u{1B}]104\u{7}",
    "rs2": "\u{1B}[!p\u{1B}[?3;4l\u{1B}[4l\u{1B}>", "smm": "\u{1B}[?1034h", "rmm": "\u{1B}[?1034l",
    "u6": "\u{1B}[%i%d;%dR", "u7": "\u{1B}[6n", "u8": "\u{1B}[?%[;0123456789]c", "u9": "\u{1B}[c",
    "acsc": "``aaffggiijjkkllmmnnooppqqrrssttuuvvwwxxyyzz{{||}}~~",
    "smacs": "\u{1B}(0", "rmacs": "\u{1B}(B",
  ]

  private static let attributes = [
    "sgr0": "\u{1B}(B\u{1B}[m", "bold": "\u{1B}[1m", "dim": "\u{1B}[2m", "sitm": "\u{1B}[3m",
    "ritm": "\u{1B}[23m", "smul": "\u{1B}[4m", "rmul": "\u{1B}[24m", "blink": "\u{1B}[5m",
    "rev": "\u{1B}[7m", "smso": "\u{1B}[7m", "rmso": "\u{1B}[27m", "invis": "\u{1B}[8m",
    "smxx": "\u{1B}[9m", "rmxx": "\u{1B}[29m", "op": "\u{1B}[39;49m", "oc": "\u{1B}]104\u{7}",
    "setaf":
      "\u{1B}[%?%p1%{8}%<%t3%p1%d%e%p1%{16}%<%t9%p1%{8}%-%d%e38;5;%p1%d%;m",
    "setab":
      "\u{1B}[%?%p1%{8}%<%t4%p1%d%e%p1%{16}%<%t10%p1%{8}%-%d%e48;5;%p1%d%;m",
    "sgr":
      "%?%p9%t\u{1B}(0%e\u{1B}(B%;\u{1B}[0%?%p6%t;1%;%?%p5%t;2%;%?%p2%t;4%;%?%p1%p3%|%t;7%;"
      + "%?%p4%t;5%;%?%p7%t;8%;m",
    "initc":
      "\u{1B}]4;%p1%d;rgb:%p2%{255}%*%{1000}%/%2.2X/%p3%{255}%*%{1000}%/%2.2X/"
      + "%p4%{255}%*%{1000}%/%2.2X\u{1B}\\",
    "setrgbf": "\u{1B}[38:2:%p1%d:%p2%d:%p3%dm", "setrgbb": "\u{1B}[48:2:%p1%d:%p2%d:%p3%dm",
    "Smulx": "\u{1B}[4:%p1%dm",
    "Setulc": "\u{1B}[58:2:%p1%{65536}%/%d:%p1%{256}%/%{255}%&%d:%p1%{255}%&%dm",
    "ol": "\u{1B}[59m", "Smol": "\u{1B}[53m", "Rmol": "\u{1B}[55m",
  ]

  private static let extras = [
    "TN": terminalName, "name": terminalName, "RGB": "8/8/8", "BE": "\u{1B}[?2004h",
    "BD": "\u{1B}[?2004l", "PS": "\u{1B}[200~", "PE": "\u{1B}[201~", "fe": "\u{1B}[?1004h",
    "fd": "\u{1B}[?1004l", "Ms": "\u{1B}]52;%p1%s;%p2%s\u{7}", "Ss": "\u{1B}[%p1%d q",
    "Se": "\u{1B}[2 q", "Cs": "\u{1B}]12;%p1%s\u{7}", "Cr": "\u{1B}]112\u{7}",
    "Sync": "\u{1B}[?2026%?%p1%{1}%-%tl%eh%;", "XR": "\u{1B}[>0q",
    "XM": "\u{1B}[?1006;1000%?%p1%{1}%=%th%el%;",
    "xm": "\u{1B}[<%i%p3%d;%p1%d;%p2%d;%?%p4%tM%em%;", "tsl": "\u{1B}]2;", "fsl": "\u{7}",
    "dsl": "\u{1B}]2;\u{7}",
  ]

  /// F1 to F12, then the same with Shift, Control, Control-Shift, Alt and Alt-Shift, as terminfo counts them.
  private static func functionKeys() -> [String: String] {
    var keys: [String: String] = [:]
    let parameters = [1, 2, 5, 6, 3, 4]
    for (round, parameter) in parameters.enumerated() {
      for number in 1...12 where round < 5 || number <= 3 {
        guard let form = TerminalKeyCode.function(number).legacyForm else { continue }
        let letter = String(Unicode.Scalar(form.final))
        let text: String
        if parameter == 1 {
          text = form.isPF ? "\u{1B}O\(letter)" : "\u{1B}[\(form.number)\(letter)"
        } else {
          text = "\u{1B}[\(form.number);\(parameter)\(letter)"
        }
        keys["kf\(round * 12 + number)"] = text
      }
    }
    return keys
  }

  /// Cursor and editing keys with modifiers: `kUP` is with Shift, `kUP3` to `kUP7` have their parameter.
  private static func modifiedKeys() -> [String: String] {
    let forms: [(String, Int, String)] = [
      ("kUP", 1, "A"), ("kDN", 1, "B"), ("kRIT", 1, "C"), ("kLFT", 1, "D"), ("kEND", 1, "F"),
      ("kHOM", 1, "H"), ("kIC", 2, "~"), ("kDC", 3, "~"), ("kPRV", 5, "~"), ("kNXT", 6, "~"),
    ]
    var keys: [String: String] = [:]
    for (name, number, letter) in forms {
      for parameter in 2...8 {
        keys[parameter == 2 ? name : "\(name)\(parameter)"] =
          "\u{1B}[\(number);\(parameter)\(letter)"
      }
    }
    return keys
  }
}

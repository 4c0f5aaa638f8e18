import TermindDomain

/// The command line of `termind ctl`, understood.
nonisolated struct ControlArguments: Hashable, Sendable {
  var request: ControlRequest
  var isJSON: Bool

  /// What options may follow a verb, and what else it takes.
  private struct Collected {
    var target: ControlTarget?
    var isJSON = false
    var flags: Set<String> = []
    var values: [String: String] = [:]
    var tags: [String] = []
    var plain: [String] = []
  }

  /// The options of each verb, beside `--json` and the ids.
  private struct Grammar {
    var flags: Set<String> = []
    var values: Set<String> = []
    var targets: Set<String> = []
    /// How many other words it takes.
    var plain: ClosedRange<Int> = 0...0
  }

  private static let anywhere: Set<String> = ["--pane", "--workspace", "--window"]
  private static let sides: Set<String> = ["--left", "--right", "--up", "--down"]

  private static let grammars: [String: Grammar] = [
    "windows": Grammar(targets: anywhere),
    "workspaces": Grammar(targets: anywhere),
    "panes": Grammar(targets: anywhere),
    "new-workspace": Grammar(values: ["--name"], targets: anywhere),
    "open": Grammar(
      flags: ["--sftp"],
      values: ["--layout", "--workspace", "--tag", "--template"],
      // `--workspace` names the new one here.
      targets: ["--pane", "--window"],
      plain: 0...1000
    ),
    "split": Grammar(flags: ["--right", "--down"], targets: anywhere, plain: 0...1000),
    "focus": Grammar(flags: sides.union(["--last", "--next", "--previous"]), targets: anywhere),
    "zoom": Grammar(flags: ["--on", "--off"], targets: anywhere),
    "resize": Grammar(flags: sides, values: ["--by"], targets: anywhere),
    "send-text": Grammar(values: ["--text"], targets: anywhere),
    "send-keys": Grammar(targets: anywhere, plain: 1...1000),
    "capture": Grammar(flags: ["--scrollback", "--ansi"], targets: anywhere),
    "wait": Grammar(values: ["--text", "--state", "--timeout"], targets: anywhere),
    "rename": Grammar(targets: anywhere, plain: 1...1),
    "close-pane": Grammar(targets: anywhere),
    "close-workspace": Grammar(flags: ["--force"], targets: anywhere),
    "close-window": Grammar(flags: ["--force"], targets: anywhere),
    "move-workspace": Grammar(values: ["--to"], targets: anywhere),
    "detach": Grammar(targets: anywhere),
    "quit": Grammar(flags: ["--force"]),
  ]

  /// The verbs, in alphabetical order.
  static var verbs: [String] { grammars.keys.sorted() }

  init(request: ControlRequest, isJSON: Bool) {
    self.request = request
    self.isJSON = isJSON
  }

  init(_ words: ArraySlice<String>) throws(UsageError) {
    guard let verb = words.first else {
      throw UsageError("ctl needs a verb: \(Self.verbs.joined(separator: ", "))")
    }
    guard let grammar = Self.grammars[verb] else {
      if verb.hasPrefix("-") { throw UsageError("ctl needs its verb before '\(verb)'") }
      throw UsageError("unknown verb '\(verb)'; there are \(Self.verbs.joined(separator: ", "))")
    }
    let found = try Self.collect(ArgumentReader(words.dropFirst()), verb, grammar)
    request = ControlRequest(try Self.command(verb, found), target: found.target ?? .active)
    isJSON = found.isJSON
  }

  private static func collect(_ words: ArgumentReader, _ verb: String, _ grammar: Grammar)
    throws(UsageError) -> Collected
  {
    var words = words
    var found = Collected()
    while let word = words.next() {
      switch word {
      case .plain(let text): found.plain.append(text)
      case .option("--json", let given):
        try ArgumentReader.refuseValue(of: "--json", given)
        found.isJSON = true
      case .option(let name, let given) where grammar.targets.contains(name):
        guard found.target == nil else {
          throw UsageError("only one of --pane, --workspace and --window can be given")
        }
        found.target = target(name, try words.number(of: name, given, in: 1...UInt32.max))
      case .option(let name, let given) where grammar.flags.contains(name):
        try ArgumentReader.refuseValue(of: name, given)
        found.flags.insert(name)
      case .option(let name, let given) where grammar.values.contains(name):
        let value = try words.value(of: name, given)
        if name == "--tag" { found.tags.append(value) } else { found.values[name] = value }
      case .option(let name, _): throw UsageError("\(verb) has no option '\(name)'")
      }
    }
    if found.plain.count < grammar.plain.lowerBound {
      throw UsageError("\(verb) needs \(missing(verb))")
    }
    if found.plain.count > grammar.plain.upperBound {
      throw UsageError("\(verb) does not take '\(found.plain[grammar.plain.upperBound])'")
    }
    return found
  }

  private static func missing(_ verb: String) -> String {
    switch verb {
    case "send-keys": "a key"
    case "rename": "a name"
    default: "more words"
    }
  }

  private static func target(_ option: String, _ number: UInt32) -> ControlTarget {
    switch option {
    case "--window": .window(WindowID(rawValue: number))
    case "--workspace": .workspace(WorkspaceID(rawValue: number))
    default: .pane(PaneID(rawValue: number))
    }
  }

  private static func command(_ verb: String, _ found: Collected) throws(UsageError)
    -> ControlCommand
  {
    let isForced = found.flags.contains("--force")
    switch verb {
    case "windows": return .windows
    case "workspaces": return .workspaces
    case "panes": return .panes
    case "new-workspace": return .newWorkspace(name: found.values["--name"])
    case "open": return .open(try opening(found))
    case "split":
      return .split(try side(verb, found.flags, among: [.right, .down]), command: found.plain)
    case "focus": return .focus(try focus(found))
    case "zoom":
      guard found.flags.count < 2 else { throw UsageError("zoom takes --on or --off, not both") }
      return .zoom(found.flags.first.map { $0 == "--on" })
    case "resize":
      return .resize(
        try side(verb, found.flags, among: ControlDirection.allCases),
        cells: try cells(found.values["--by"])
      )
    case "send-text":
      guard let text = found.values["--text"] else { throw UsageError("send-text needs --text") }
      return .sendText(text)
    case "send-keys": return .sendKeys(found.plain)
    case "capture":
      return .capture(
        scrollback: found.flags.contains("--scrollback"),
        ansi: found.flags.contains("--ansi")
      )
    case "wait": return try wait(found)
    case "rename": return .rename(found.plain[0])
    case "close-pane": return .closePane
    case "close-workspace": return .closeWorkspace(force: isForced)
    case "close-window": return .closeWindow(force: isForced)
    case "move-workspace":
      guard let text = found.values["--to"] else { throw UsageError("move-workspace needs --to") }
      guard let number = UInt32(text), number > 0 else {
        throw UsageError("--to needs the number of a window, not '\(text)'")
      }
      return .moveWorkspace(to: WindowID(rawValue: number))
    case "detach": return .detach
    case "quit": return .quit(force: isForced)
    default: throw UsageError("unknown verb '\(verb)'")
    }
  }

  private static func opening(_ found: Collected) throws(UsageError) -> OpenRequest {
    return try OpenRequest.checked(
      hosts: found.plain,
      tags: found.tags,
      template: found.values["--template"],
      layout: found.values["--layout"],
      name: found.values["--workspace"],
      showsFiles: found.flags.contains("--sftp")
    )
  }

  private static func side(
    _ verb: String,
    _ flags: Set<String>,
    among sides: [ControlDirection]
  ) throws(UsageError) -> ControlDirection {
    let chosen = sides.filter { flags.contains("--\($0.rawValue)") }
    guard chosen.count == 1 else {
      let names = sides.map { "--\($0.rawValue)" }.joined(separator: ", ")
      throw UsageError("\(verb) needs one of \(names)")
    }
    return chosen[0]
  }

  private static func focus(_ found: Collected) throws(UsageError) -> ControlFocus {
    guard let flag = found.flags.first else {
      if found.target == nil { throw UsageError("focus needs an id, or where to go") }
      return .target
    }
    guard found.flags.count == 1 else { throw UsageError("focus goes one way only") }
    switch flag {
    case "--last": return .last
    case "--next": return .next
    case "--previous": return .previous
    default: return .direction(try side("focus", found.flags, among: ControlDirection.allCases))
    }
  }

  private static func cells(_ text: String?) throws(UsageError) -> Int {
    guard let text else { return 1 }
    guard let number = Int(text), (1...1000).contains(number) else {
      throw UsageError("--by needs a number from 1 to 1000, not '\(text)'")
    }
    return number
  }

  private static func wait(_ found: Collected) throws(UsageError) -> ControlCommand {
    let timeout = found.values["--timeout"] ?? "30"
    guard let seconds = Double(timeout), seconds >= 0, seconds <= 86_400 else {
      throw UsageError("--timeout needs seconds from 0 to 86400, not '\(timeout)'")
    }
    switch (found.values["--text"], found.values["--state"]) {
    case (let text?, nil): return .wait(.text(text), timeoutSeconds: seconds)
    case (nil, let name?):
      guard let state = ControlPaneState(rawValue: name) else {
        let names = ControlPaneState.allCases.map(\.rawValue).joined(separator: ", ")
        throw UsageError("unknown state '\(name)'; there are \(names)")
      }
      return .wait(.state(state), timeoutSeconds: seconds)
    default: throw UsageError("wait needs either --text or --state")
    }
  }
}

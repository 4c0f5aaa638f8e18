public import TermindDomain

/// What a client wants to see in its terminal.
public nonisolated enum AttachKind: Hashable, Sendable {
  /// A new window.
  case newWindow
  /// A detached window: the one named, else the one used last.
  case attach(WindowID?)
  /// A new window whose first pane runs a command.
  case run([String])
  /// A new window whose first pane connects; the words after `termind ssh`, not yet understood.
  case ssh([String])
  /// A new window on the demonstration's hosts.
  case demo
  /// A new window with one workspace of hosts or of a template.
  case open(OpenRequest)
}

/// A client's request for a window, with what the server must know about where it comes from.
public nonisolated struct AttachRequest: Hashable, Sendable {
  /// What to show.
  public var kind: AttachKind
  /// The variables of the client that concern the terminal and the desktop, by name.
  public var environment: [String: String]
  /// The client's directory, for the first local pane; empty when it has none.
  public var directory: String
  /// The size that the terminal reported; `nil` while it reports none.
  public var size: TerminalDimensions?
  /// The client's process number.
  public var clientProcess: UInt32

  /// Variables that travel from the client to the server.
  public static let environmentNames = [
    "TERM", "COLORTERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "COLORFGBG", "NO_COLOR",
    "TERMINFO", "LANG", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "TZ", "DISPLAY", "WAYLAND_DISPLAY",
    "XAUTHORITY", "SSH_AUTH_SOCK", "SSH_CONNECTION", "SSH_TTY", "TMUX", "STY", "VTE_VERSION",
    "KITTY_WINDOW_ID", "SHELL", "PATH", "KRB5CCNAME", "XDG_RUNTIME_DIR",
    "DBUS_SESSION_BUS_ADDRESS", "XDG_CURRENT_DESKTOP", "XDG_SESSION_TYPE", "XDG_SESSION_DESKTOP",
    "DESKTOP_SESSION",
  ]

  /// Makes a request.
  public init(
    kind: AttachKind,
    environment: [String: String] = [:],
    directory: String = "",
    size: TerminalDimensions? = nil,
    clientProcess: UInt32 = 0
  ) {
    self.kind = kind
    self.environment = environment
    self.directory = directory
    self.size = size
    self.clientProcess = clientProcess
  }

  func write(to writer: inout WireWriter) {
    switch kind {
    case .newWindow: writer.put(UInt8(0))
    case .attach(let window):
      writer.put(UInt8(1))
      writer.put(window?.rawValue ?? 0)
    case .run(let words):
      writer.put(UInt8(2))
      writer.put(words)
    case .ssh(let words):
      writer.put(UInt8(3))
      writer.put(words)
    case .demo: writer.put(UInt8(4))
    case .open(let request):
      writer.put(UInt8(5))
      request.write(to: &writer)
    }
    let variables = environment.sorted { $0.key < $1.key }
    writer.put(variables.map(\.key))
    writer.put(variables.map(\.value))
    writer.put(directory)
    writer.put(clientProcess)
    for number in [size?.rows, size?.columns, size?.pixelWidth, size?.pixelHeight] {
      writer.put(UInt32(clamping: number ?? 0))
    }
  }

  init(from reader: inout WireReader) throws(WireError) {
    switch try reader.byte() {
    case 0: kind = .newWindow
    case 1:
      let number = try reader.number()
      kind = .attach(number == 0 ? nil : WindowID(rawValue: number))
    case 2: kind = .run(try reader.strings())
    case 3: kind = .ssh(try reader.strings())
    case 4: kind = .demo
    case 5: kind = .open(try OpenRequest(from: &reader))
    default: throw .malformed
    }
    let names = try reader.strings(limit: 64)
    let values = try reader.strings(limit: 64)
    guard names.count == values.count else { throw .malformed }
    let allowed = Set(Self.environmentNames)
    environment = [:]
    for (name, value) in zip(names, values) where allowed.contains(name) {
      environment[name] = value
    }
    directory = try reader.string()
    clientProcess = try reader.number()
    var numbers: [Int] = []
    for _ in 0..<4 { numbers.append(Int(try reader.number())) }
    size =
      numbers[0] > 0 && numbers[1] > 0
      ? TerminalDimensions(
        rows: numbers[0],
        columns: numbers[1],
        pixelWidth: numbers[2],
        pixelHeight: numbers[3]
      ) : nil
  }
}

import TermindDomain

/// The fields of the form, by what they say of a host.
extension HostEditor {
  enum Field {
    static let name = HostField.name.rawValue
    static let address = HostField.address.rawValue
    static let port = HostField.port.rawValue
    static let kind = HostField.connectionProtocol.rawValue
    static let identity = HostField.identity.rawValue
    static let username = HostField.username.rawValue
    static let keyFiles = HostField.keyFiles.rawValue
    static let agent = HostField.usesAgent.rawValue
    static let jumps = HostField.jumps.rawValue
    static let tags = HostField.tags.rawValue
    static let color = HostField.color.rawValue
    static let theme = HostField.theme.rawValue
    static let integration = HostField.shellIntegration.rawValue
    static let clipboard = HostField.clipboard.rawValue
    static let recording = HostField.recording.rawValue
    static let directory = HostField.startDirectory.rawValue
    static let snippet = HostField.startupSnippet.rawValue
    static let environment = HostField.environment.rawValue
    static let keepAlive = HostField.keepAlive.rawValue
    static let notes = HostField.notes.rawValue
    static let pinned = HostField.isPinned.rawValue
    static let engine = HostField.engine.rawValue
    static let oldAlgorithms = HostField.oldAlgorithms.rawValue
  }

  /// The most bytes of lists that are typed as lines; they are read as a whole with every key.
  private static let listLimit = 16_384

  static func name(_ id: IdentityID, _ contents: VaultContents) -> String {
    contents.identity(id)?.name ?? "deleted identity"
  }

  static func fields(
    _ host: HostRecord,
    _ contents: VaultContents,
    isNew: Bool
  ) -> [FormField] {
    let isStandardPort = host.endpoint.port == host.connectionProtocol.defaultPort
    let colors = ["none"] + PaletteColor.allCases.map(\.title)
    let color = host.color.flatMap { PaletteColor.allCases.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
    var fields: [FormField] = [
      .text(Field.name, "Name", host.name, hint: host.defaultName),
      .text(Field.address, "Address", host.endpoint.host, hint: "name or IP address"),
      .text(
        Field.port,
        "Port",
        isStandardPort ? "" : String(host.endpoint.port),
        hint: String(host.connectionProtocol.defaultPort),
        isBeside: true
      ),
      FormField(
        Field.identity,
        "Identity",
        .picks(host.identity.map { [name($0, contents)] } ?? []),
        hint: "none"
      ),
      .text(
        Field.username,
        "User",
        host.username,
        hint: "the identity's, else yours",
        help: "Stands over the identity's user."
      ),
      FormField(
        Field.jumps,
        "Via",
        .picks(host.jumps.map(contents.name)),
        hint: "no jump host",
        help: "Enter adds a jump host, backspace removes the last one.",
        separator: " › "
      ),
      FormField("route", "Route", .info("")),
      .text(
        Field.tags,
        "Tags",
        FieldText.text(ofTags: host.tags),
        hint: "prod, eu",
        help: "Divided by commas; tag:prod in a filter finds them."
      ),
      FormField(Field.color, "Colour", .choice(colors, selected: color)),
      FormField(Field.pinned, "Pinned", .toggle(host.isPinned)),
    ]
    if isNew || !host.notes.isEmpty {
      fields.append(notes(host))
    }
    fields += sessionFields(host, contents)
    if !(isNew || !host.notes.isEmpty) { fields.append(notes(host)) }
    fields += [
      .heading("Test"),
      FormField("test", "", .button, hint: "Test connection"),
    ]
    return fields
  }

  private static func notes(_ host: HostRecord) -> FormField {
    FormField(Field.notes, "Notes", .area(TextArea(host.notes), rows: 3))
  }

  private static func sessionFields(
    _ host: HostRecord,
    _ contents: VaultContents
  ) -> [FormField] {
    let keepAlive = host.keepAliveSeconds.map { String($0) } ?? ""
    let variables = host.environment.map { "\($0.name)=\($0.value)" }.joined(separator: "\n")
    return [
      .heading("Session"),
      FormField(
        Field.theme,
        "Theme",
        .picks(host.theme.map { [$0] } ?? []),
        hint: "the window's"
      ),
      FormField(
        Field.integration,
        "Shell marks",
        .choice(
          ["as in the settings", "on", "off"],
          selected: ShellIntegrationChoice.allCases.firstIndex(of: host.shellIntegration) ?? 0
        ),
        help: "Bash, zsh and fish mark prompts and commands; OpenSSH then tells no last login."
      ),
      .text(
        Field.directory,
        "Start in",
        host.startDirectory,
        hint: "the home directory",
        help: "Where shells start, such as ~/app; without it they start at home."
      ),
      FormField(
        Field.snippet,
        "Run first",
        .picks(host.startupSnippet.map { [contents.snippet($0)?.name ?? "deleted"] } ?? []),
        hint: "no snippet",
        help: "Pasted and entered once the shell is there; not after a recovery."
      ),
      FormField(
        Field.environment,
        "Variables",
        .area(TextArea(variables, byteLimit: listLimit), rows: 2),
        hint: "NAME=value, one a line",
        help: "The server takes those that its AcceptEnv names."
      ),
      FormField(
        Field.clipboard,
        "Clipboard",
        .choice(
          ["as in the settings", "write and read", "write only", "neither"],
          selected: ClipboardChoice.allCases.firstIndex(of: host.clipboard) ?? 0
        ),
        help: "What its programs may do with the clipboard of your terminal (OSC 52)."
      ),
      FormField(
        Field.recording,
        "Recording",
        .choice(
          ["none", "plain text", "asciicast"],
          selected: host.recording.flatMap { RecordingFormat.allCases.firstIndex(of: $0) }
            .map { $0 + 1 } ?? 0
        ),
        help: "Writes each session of its terminals to a file, from the start on."
      ),
      .heading("Connection"),
      FormField(
        Field.kind,
        "Protocol",
        .choice(
          HostProtocol.allCases.map(\.title),
          selected: HostProtocol.allCases.firstIndex(of: host.connectionProtocol) ?? 0
        )
      ),
      FormField(
        Field.keyFiles,
        "Key files",
        .area(TextArea(host.keyFiles.joined(separator: "\n"), byteLimit: listLimit), rows: 2),
        hint: "the identity's keys",
        help: "Paths, one a line; they stand over the identity's keys."
      ),
      FormField(Field.agent, "Use agent", .toggle(host.usesAgent)),
      .text(
        Field.keepAlive,
        "Keepalive",
        keepAlive,
        hint: "15",
        help: "Seconds between requests that keep the connection open; 0 for none."
      ),
      FormField(
        Field.engine,
        "Engine",
        .choice(
          ["automatic", "libssh2", "OpenSSH"],
          selected: EngineChoice.allCases.firstIndex(of: host.engine) ?? 0
        )
      ),
      FormField(
        Field.oldAlgorithms,
        "Old algorithms",
        .toggle(host.allowsOldAlgorithms),
        help: "For a server that has no others; they no longer protect what is sent."
      ),
    ]
  }
}

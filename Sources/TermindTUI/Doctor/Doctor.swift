import TermindDomain
import TermindApplication
import TermindInfrastructure
import TermindPersistence
import TermindPresentation
import TermindRemoteInfrastructure
import TermindScreen

/// Looks at the surroundings of the program, and says what is wrong and what to do.
enum Doctor {
  static func program(_ build: BuildVersion) -> DoctorReport.Section {
    DoctorReport.Section(
      title: "Program",
      findings: [
        .init("version", build.text), .init("file", ProcessEnvironment.executablePath()),
      ]
    )
  }

  static func libraries(_ libraries: [LinkedLibrary]) -> DoctorReport.Section {
    DoctorReport.Section(
      title: "Libraries",
      findings: libraries.map { .init($0.name, $0.version) }
    )
  }

  // MARK: Terminal

  static func terminal(_ probe: TerminalProbe, _ environment: [String: String])
    -> DoctorReport.Section
  {
    let found = probe.capabilities
    var findings: [DoctorReport.Finding] = [type(found, environment)]
    if !probe.wasAsked {
      findings.append(
        .init("asked", "no: standard input and output are not a terminal", .limited)
      )
    } else if !found.hasAnswered {
      findings.append(
        .init(
          "answers",
          "none within the time",
          .limited,
          remedy: "features that need an answer stay off in this terminal"
        )
      )
    }
    if let version = found.terminalVersion { findings.append(.init("program", version)) }
    findings.append(colors(found, environment))
    findings.append(charset(found))
    let keyboard =
      found.kittyKeyboard
      ? "kitty protocol" : found.modifyOtherKeys ? "modifyOtherKeys" : "classic"
    findings.append(
      .init(
        "keyboard",
        keyboard,
        found.kittyKeyboard ? .fine : .limited,
        remedy: found.kittyKeyboard
          ? nil : "keys such as Ctrl-Enter or Super need a terminal with the kitty protocol"
      )
    )
    for (name, isThere) in [
      ("synchronized output", found.synchronizedOutput),
      ("grapheme clusters", found.graphemeClusters), ("underline styles", found.underlineStyles),
      ("hyperlinks", found.hyperlinks), ("colour scheme reports", found.colorSchemeReports),
      ("clipboard (OSC 52)", found.clipboardWrite),
    ] {
      findings.append(.init(name, isThere ? "yes" : "not known to work"))
    }
    return DoctorReport.Section(title: "Terminal", findings: findings)
  }

  private static func type(_ found: ScreenCapabilities, _ environment: [String: String])
    -> DoctorReport.Finding
  {
    if found.terminalName.isEmpty {
      return .init("TERM", "not set", .wrong, remedy: "set TERM to your terminal's name")
    }
    if !found.isAddressable {
      return .init(
        "TERM",
        found.terminalName,
        .wrong,
        remedy: "this terminal cannot place its cursor; use another one, or correct TERM"
      )
    }
    if found.terminfoEntry == nil {
      return .init(
        "TERM",
        "\(found.terminalName) (unknown here)",
        .limited,
        remedy: "install ncurses-term, or set TERM=xterm-256color"
      )
    }
    return .init("TERM", found.terminalName)
  }

  private static func colors(_ found: ScreenCapabilities, _ environment: [String: String])
    -> DoctorReport.Finding
  {
    switch found.colorDepth {
    case .trueColor: .init("colours", "24-bit")
    case .indexed256:
      .init(
        "colours",
        "256",
        .limited,
        remedy: "if the terminal has 24-bit colour, set COLORTERM=truecolor"
      )
    case .indexed16: .init("colours", "16", .limited)
    case .monochrome where environment["NO_COLOR"]?.isEmpty == false:
      .init("colours", "none (NO_COLOR is set)")
    case .monochrome: .init("colours", "none", .limited)
    }
  }

  private static func charset(_ found: ScreenCapabilities) -> DoctorReport.Finding {
    found.unicode
      ? .init("characters", "UTF-8")
      : .init(
        "characters",
        "ASCII",
        .limited,
        remedy: "set LANG to a UTF-8 locale, such as C.UTF-8"
      )
  }

  // MARK: Places

  static func places(_ paths: TermindPaths) -> DoctorReport.Section {
    var findings: [DoctorReport.Finding] = []
    for (name, path) in [
      ("configuration", paths.config), ("store", paths.data), ("state and log", paths.state),
    ] { findings.append(place(name, path, .owned)) }
    let errors = Looks(paths: paths).errors
    findings.insert(
      contentsOf: errors.map {
        .init("configuration file", "\($0)", .wrong, remedy: "correct the line; it is not in force")
      },
      at: 1
    )
    if let problem = storeProblem(paths) { findings.append(problem) }
    findings.append(place("socket directory", paths.runtime, .exclusive))
    findings.append(.init("socket", paths.socket))
    return DoctorReport.Section(title: "Places", findings: findings)
  }

  /// Why the store could not be opened; nil when it could, or is in use.
  private static func storeProblem(_ paths: TermindPaths) -> DoctorReport.Finding? {
    do throws(StoreError) {
      try SQLiteStore.inspect(paths.store)
      return nil
    } catch {
      if case .locked = error { return nil }
      return .init(
        "store file",
        ErrorText.explain(error).detail,
        .wrong,
        remedy: ErrorText.remedy(for: error)
      )
    }
  }

  private static func place(
    _ name: String,
    _ path: String,
    _ strictness: PrivateDirectory.Strictness
  ) -> DoctorReport.Finding {
    do throws(DirectoryError) {
      try PrivateDirectory.check(path, strictness)
      return .init(name, path)
    } catch {
      if case .absent = error { return .init(name, "\(path) (not made yet)") }
      return .init(name, path, .wrong, remedy: ProcessErrorText.text(of: error))
    }
  }

  // MARK: Server

  static func server(_ paths: TermindPaths, _ build: BuildVersion) -> DoctorReport.Section {
    let finding: DoctorReport.Finding
    switch ControlClient.ask(ControlRequest(.windows), paths, build) {
    case .windows(let windows):
      finding = .init("server", "running, \(FileText.count(UInt64(windows.count), "window"))")
    case .failed(let error) where error.code == .noServer:
      finding = .init("server", "not running")
    case .failed(let error) where error.code == .otherVersion:
      finding = .init(
        "server",
        error.message,
        .limited,
        remedy: "start termind: it offers to restart the server"
      )
    case .failed(let error):
      finding = .init("server", error.message, .wrong, remedy: "see \(paths.log)")
    default: finding = .init("server", "it answers something else", .wrong)
    }
    return DoctorReport.Section(title: "Server", findings: [finding] + connections(paths, build))
  }

  /// What carries the connections of the running server.
  private static func connections(
    _ paths: TermindPaths,
    _ build: BuildVersion
  ) -> [DoctorReport.Finding] {
    // What is wrong with the server is told above.
    guard case .panes(let panes) = ControlClient.ask(ControlRequest(.panes), paths, build) else {
      return []
    }
    return connections(panes)
  }

  /// The engine of each host that panes are on, and why it is not the usual one.
  static func connections(_ panes: [ControlPane]) -> [DoctorReport.Finding] {
    var seen: Set<String> = []
    return panes.compactMap { pane in
      guard let engine = pane.engine, let host = pane.host, seen.insert(host).inserted else {
        return nil
      }
      return .init(host, engine + (pane.engineReason.map { ", since \($0)" } ?? ""))
    }
  }

  // MARK: Surroundings

  static func surroundings(_ environment: [String: String]) -> DoctorReport.Section {
    let shell = LoginShell.path(environment)
    var findings: [DoctorReport.Finding] = []
    if let wanted = environment["SHELL"], wanted != shell {
      findings.append(
        .init("shell", shell, .limited, remedy: "SHELL=\(wanted) cannot be run; correct it")
      )
    } else {
      findings.append(.init("shell", shell))
    }
    findings.append(agent(environment["SSH_AUTH_SOCK"] ?? ""))
    findings.append(openSSH(SSHProgram.find(searchPath: environment["PATH"])))
    return DoctorReport.Section(title: "Surroundings", findings: findings)
  }

  private static func openSSH(_ program: SSHProgram?) -> DoctorReport.Finding {
    guard let program else {
      return .init(
        "OpenSSH",
        "not found",
        .limited,
        remedy: "install openssh-client: hosts that libssh2 cannot reach need it"
      )
    }
    let text = program.version.isEmpty ? program.path : "\(program.version) (\(program.path))"
    return .init(
      "OpenSSH",
      text,
      program.problem == nil ? .fine : .limited,
      remedy: program.problem
    )
  }

  private static func agent(_ path: String) -> DoctorReport.Finding {
    if path.isEmpty { return .init("SSH agent", "none (SSH_AUTH_SOCK is not set)") }
    // Only whether somebody listens counts; the reason is in the words.
    guard (try? LocalSocket.connect(to: path)) != nil else {
      return .init(
        "SSH agent",
        "\(path) does not answer",
        .limited,
        remedy: "start ssh-agent, or unset SSH_AUTH_SOCK"
      )
    }
    return .init("SSH agent", path)
  }
}

import FoundationEssentials
import Glibc
import TermindInfrastructure
import TermindTestSupport

/// A message bus and a keyring daemon of one test, with directories of their own; both end with it.
final class RealKeyring {
  /// The address of the bus.
  let address: String
  private let directory: ScratchDirectory
  private let bus: TestProgram
  private var daemon: TestProgram?

  /// Starts a bus and, unless told otherwise, a keyring that a password has opened.
  init(withKeyring: Bool = true) async throws {
    directory = try ScratchDirectory()
    // No service files: nothing is started on demand from what this machine has installed.
    let configuration = """
      <busconfig><type>session</type><listen>unix:path=\(directory.path)/bus</listen>
      <auth>EXTERNAL</auth><policy context="default"><allow send_destination="*" eavesdrop="true"/>
      <allow eavesdrop="true"/><allow own="*"/></policy></busconfig>
      """
    try FileBytes.write(Array(configuration.utf8), to: "\(directory.path)/bus.conf")
    bus = try TestProgram(
      "/usr/bin/dbus-daemon",
      ["--nofork", "--nopidfile", "--print-address", "--config-file=\(directory.path)/bus.conf"],
      environment: ["PATH": "/usr/bin:/bin", "HOME": directory.path]
    )
    try await bus.wait(for: "unix:path=")
    address = "unix:path=\(directory.path)/bus"
    if withKeyring { try await startKeyring() }
  }

  /// Starts the daemon; it reads the password of its keyring from a file, and opens or makes that.
  ///
  /// Without a password it has no keyring yet, as on a machine that nobody logs in to.
  func startKeyring(password: String? = "login password") async throws {
    let run = "\(directory.path)/run"
    mkdir(run, 0o700)
    try FileBytes.write(Array((password ?? "").utf8), to: "\(directory.path)/password")
    let unlock = password == nil ? "" : "--unlock"
    let program = "exec gnome-keyring-daemon --foreground \(unlock) --components=secrets"
    daemon = try TestProgram(
      "/bin/sh",
      ["-c", "\(program) < \(directory.path)/password"],
      environment: [
        "PATH": "/usr/bin:/bin", "HOME": directory.path, "XDG_DATA_HOME": "\(directory.path)/data",
        "XDG_RUNTIME_DIR": run, "DBUS_SESSION_BUS_ADDRESS": address,
      ]
    )
    let address = address
    try await waitUntil("the keyring's name on the bus") { try await Self.hasKeyring(address) }
  }

  /// Ends the daemon, as at the end of a desktop's session.
  func stopKeyring() {
    daemon?.stop()
    daemon = nil
  }

  /// Ends the bus.
  func stopBus() { bus.stop() }

  /// Makes the daemon hang, as one does that waits for something.
  func pauseKeyring() { daemon?.signal(SIGSTOP) }

  /// Lets the daemon go on.
  func resumeKeyring() { daemon?.signal(SIGCONT) }

  private static func hasKeyring(_ address: String) async throws -> Bool {
    let answer = try await TestProgram.run(
      "/usr/bin/dbus-send",
      [
        "--bus=\(address)", "--print-reply", "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus",
        "org.freedesktop.DBus.NameHasOwner", "string:org.freedesktop.secrets",
      ]
    )
    return answer.contains("true")
  }

  deinit {
    resumeKeyring()
    stopKeyring()
    bus.stop()
  }
}

extension KeyringSecretStore.Helper {
  /// The helper's own program, beside the program of the tests.
  static var forTests: KeyringSecretStore.Helper {
    let own = ProcessEnvironment.executablePath()
    let folder = own.split(separator: "/").dropLast().map { "/" + $0 }.joined()
    // Nothing of the machine's own session.
    return KeyringSecretStore.Helper(
      program: "\(folder)/termind-keyring-helper",
      arguments: [],
      environment: ["PATH": "/usr/bin:/bin"]
    )
  }
}

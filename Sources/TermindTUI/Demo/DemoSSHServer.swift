import Dispatch
import FoundationEssentials
import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindRemoteInfrastructure

/// A private OpenSSH server on loopback for `termind --demo`, with keys of its own.
///
/// It runs under a small shell in a pseudo-terminal, so that it ends with this process however that
/// one ends. It lets in only the key that it made, only from this machine.
final class DemoSSHServer {
  /// Why the demo has no server.
  enum Failure: Error, Equatable {
    /// `ssh-keygen` or `sshd` is missing or ended; the text is what it printed.
    case ended(String)
    /// It did not say that it listens within the deadline.
    case silent(String)
  }

  /// What a client needs to know.
  struct Access: Sendable {
    /// The TCP port; the same on every address.
    let port: UInt16
    /// The loopback addresses that it listens on.
    let addresses: [String]
    /// The private key that it lets in.
    let keyFile: String
    /// The line of its public host key: type and base64.
    let hostKeyLine: String
  }

  fileprivate nonisolated static let addresses = ["127.0.0.1", "127.0.0.2"]
  private static let deadline = Duration.seconds(20)

  private let program: LocalProgram
  private let output: DemoOutput
  let access: Access

  private init(program: LocalProgram, output: DemoOutput, access: Access) {
    self.program = program
    self.output = output
    self.access = access
  }

  /// Starts the server and returns once it listens.
  static func start(directory: String, version: String, on loop: EventLoop) async throws
    -> DemoSSHServer
  {
    let output = DemoOutput()
    let program = try LocalProgram(
      LocalProgramRequest(
        .command(["/bin/sh", "-c", script, "termind-demo", directory] + addresses),
        directory: directory,
        size: TerminalDimensions(rows: 24, columns: 200)
      ),
      version: version,
      on: loop,
      output: output
    )
    do {
      let port = try await output.listeningPort(within: deadline)
      let line = try String(contentsOfFile: "\(directory)/host_key.pub", encoding: .utf8)
      return DemoSSHServer(
        program: program,
        output: output,
        access: Access(
          port: port,
          addresses: addresses,
          keyFile: "\(directory)/user_key",
          hostKeyLine: line
        )
      )
    } catch {
      program.close()
      throw error
    }
  }

  /// The saved hosts of the demonstration, and their host key.
  func records() throws(Failure) -> (hosts: [HostRecord], keys: [KnownHostRecord]) {
    let words = access.hostKeyLine.split(separator: " ")
    guard words.count >= 2, let blob = Data(base64Encoded: String(words[1])),
      let key = try? SSHPublicKey(blob: Array(blob))
    else { throw .ended("the host key cannot be read") }
    let names = ["web1", "db1"]
    let hosts = zip(names, access.addresses).enumerated().map { index, pair in
      HostRecord(
        id: HostID(rawValue: Self.recordIDs[index]),
        name: pair.0,
        endpoint: SSHEndpoint(host: pair.1, port: access.port),
        keyFiles: [access.keyFile],
        usesAgent: false
      )
    }
    let now = Int64(Date().timeIntervalSince1970)
    let keys = hosts.map { KnownHostRecord(endpoint: $0.endpoint, key: key.hostKey, since: now) }
    return (hosts, keys)
  }

  /// The demonstration's records keep their identity from run to run.
  private static let recordIDs = [
    UUID(uuid: (0xD, 0xE, 0xA, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 1)),
    UUID(uuid: (0xD, 0xE, 0xA, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 2)),
  ]

  /// Ends it.
  func stop() { program.close() }

  /// Makes keys and configuration in $1 and serves the addresses that follow until it is hung up.
  ///
  /// A port that is taken makes sshd end; another one is tried then, at most twenty times.
  private static let script = #"""
    set -u
    umask 077
    directory=$1
    shift
    cd "$directory" || exit 1
    server=$(PATH="$PATH:/usr/sbin:/usr/local/sbin" command -v sshd) || { echo "sshd is not installed"; exit 1; }
    [ -f host_key ] || ssh-keygen -q -t ed25519 -N '' -C termind-demo -f host_key || exit 1
    [ -f user_key ] || ssh-keygen -q -t ed25519 -N '' -C termind-demo -f user_key || exit 1
    cp user_key.pub authorized_keys
    [ "$(id -u)" -ne 0 ] || mkdir -p /run/sshd
    try=0
    running=
    trap '[ -z "$running" ] || kill "${!:-}" 2>/dev/null; exit 0' HUP TERM INT
    while [ "$try" -lt 20 ]; do
      try=$((try + 1))
      port=$((20000 + ($$ * 7 + try * 911) % 40000))
      {
        for address in "$@"; do echo "ListenAddress $address:$port"; done
        echo "HostKey $directory/host_key"
        echo "AuthorizedKeysFile $directory/authorized_keys"
        echo "PidFile none"
        echo "PasswordAuthentication no"
        echo "KbdInteractiveAuthentication no"
        echo "PermitRootLogin prohibit-password"
        echo "StrictModes no"
        echo "UsePAM no"
        echo "PrintMotd no"
        echo "MaxSessions 20"
        echo "AcceptEnv LANG LC_* COLORTERM"
        echo "Subsystem sftp internal-sftp"
      } > sshd_config
      running=1
      # In a session of its own: hung up, sshd would start itself again and could miss the end that follows.
      setsid "$server" -D -e -f "$directory/sshd_config" &
      wait "$!"
      running=
    done
    exit 1
    """#
}

/// Collects what the demo server prints until it says that it listens.
nonisolated private final class DemoOutput: TerminalOutputReceiving {
  private struct State {
    var text = ""
    var hasEnded = false
    var waiter: CheckedContinuation<Void, Never>?
  }

  private static let limit = 16_384
  private let state = Locked(State())

  func received(_ bytes: UnsafeRawBufferPointer) {
    let text = unsafe String(decoding: bytes, as: UTF8.self)
    let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.text.utf8.count < Self.limit else { return nil }
      state.text += text
      return Self.port(in: state.text) == nil ? nil : state.waiter.take()
    }
    waiter?.resume()
  }

  func ended(_ end: TerminalChannelEnd) {
    let waiter = state.withLock { state in
      state.hasEnded = true
      return state.waiter.take()
    }
    waiter?.resume()
  }

  func listeningPort(within deadline: Duration) async throws -> UInt16 {
    let timer = Task {
      // Cancelled as soon as the server speaks; then there is nothing left to wake.
      try? await Task.sleep(for: deadline)
      state.withLock { $0.waiter.take() }?.resume()
    }
    defer { timer.cancel() }
    await withCheckedContinuation { continuation in
      let isDone = state.withLock { state in
        if state.hasEnded || Self.port(in: state.text) != nil { return true }
        state.waiter = continuation
        return false
      }
      if isDone { continuation.resume() }
    }
    let (text, hasEnded) = state.withLock { ($0.text, $0.hasEnded) }
    if let port = Self.port(in: text) { return port }
    throw hasEnded ? DemoSSHServer.Failure.ended(text) : DemoSSHServer.Failure.silent(text)
  }

  /// The port that sshd says it listens on, once it has said so for every address.
  private static func port(in text: String) -> UInt16? {
    var ports: [Substring: UInt16] = [:]
    for line in text.split(whereSeparator: \.isNewline)
    where line.hasPrefix("Server listening on ") && line.hasSuffix(".") {
      let words = line.dropLast().split(separator: " ")
      if words.count == 6, let port = UInt16(words[5]) { ports[words[3]] = port }
    }
    let found = Set(ports.values)
    return ports.count == DemoSSHServer.addresses.count && found.count == 1 ? found.first : nil
  }
}

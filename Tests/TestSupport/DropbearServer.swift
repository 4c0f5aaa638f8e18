import Glibc
public import TermindDomain

/// A real dropbear server on a loopback port, as a second opinion beside OpenSSH.
///
/// Dropbear takes the accepted keys only from the account's home, so it runs in a mount namespace whose
/// password file names a folder of its own as that home. It is stopped with the object.
public final class DropbearServer: Sendable {
  /// Where its files lie.
  public let folder: TemporaryFolder
  /// Its port on 127.0.0.1.
  public let port: UInt16
  private let program: TestProgram

  /// Starts it.
  ///
  /// - Parameters:
  ///   - hostKeyType: The type of its host key.
  ///   - userKeyType: The type of the user key.
  /// - Throws: A `TestFailure` when it does not start.
  public init(hostKeyType: String = "ed25519", userKeyType: String = "ed25519") async throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    port = try FreePort.find()
    try await OpenSSHServer.makeKey(folder.file("user_key"), type: userKeyType)
    try await TestProgram.run(
      "/usr/bin/dropbearkey",
      ["-t", hostKeyType, "-f", folder.file("host_key")]
    )
    mkdir(folder.file(".ssh"), 0o700)
    try folder.write(
      ".ssh/authorized_keys",
      try TemporaryFolder.read(folder.file("user_key.pub"))
    )
    let accounts = try TemporaryFolder.read("/etc/passwd").split(separator: "\n").map { line in
      var fields = line.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
      if fields.count == 7, fields[0] == OpenSSHServer.user { fields[5] = folder.path }
      return fields.joined(separator: ":")
    }
    let passwords = try folder.write(
      "passwd",
      accounts.joined(separator: "\n") + "\n",
      mode: 0o644
    )
    let start = """
      mount --bind '\(passwords)' /etc/passwd && exec /usr/sbin/dropbear -F -E -s \
      -r '\(folder.file("host_key"))' -p 127.0.0.1:\(port) -P '\(folder.file("pid"))'
      """
    program = try TestProgram(
      "/usr/bin/unshare",
      [getuid() == 0 ? "-m" : "-rm", "/bin/sh", "-c", start]
    )
    try await program.wait(for: "Not backgrounding")
  }

  /// What it has logged so far.
  public var log: String { program.text }

  /// A hop to it with its user key.
  public var hop: Hop {
    Hop(
      endpoint: SSHEndpoint(host: "127.0.0.1", port: port),
      credentials: HopCredentials(
        username: OpenSSHServer.user,
        keyFiles: [folder.file("user_key")],
        usesAgent: false
      )
    )
  }
}

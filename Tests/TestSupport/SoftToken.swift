import Glibc

/// A PKCS#11 token without hardware: Debian's SoftHSM with one RSA key in it.
public struct SoftToken: Sendable {
  /// The provider, for `PKCS11Provider`.
  public static let provider = "/usr/lib/softhsm/libsofthsm2.so"
  /// What opens the token.
  public static let pin = "4711"
  private static let tool = "/usr/bin/softhsm2-util"

  /// Whether Debian's `softhsm2` is there.
  public static var isInstalled: Bool { access(tool, X_OK) == 0 && access(provider, R_OK) == 0 }

  /// The variable that leads to the token.
  public let environment: [String: String]
  /// The file of the public key.
  public let publicKey: String
  private let folder: TemporaryFolder

  /// Makes a token in a folder, and puts a key into it that is nowhere else afterwards.
  ///
  /// - Throws: A `TestFailure` when a program fails.
  public init(in folder: TemporaryFolder) async throws {
    self.folder = folder
    mkdir(folder.file("tokens"), 0o700)
    let configuration = try folder.write(
      "softhsm2.conf",
      """
      directories.tokendir = \(folder.file("tokens"))
      objectstore.backend = file
      log.level = ERROR
      slots.removable = false

      """
    )
    environment = ["SOFTHSM2_CONF": configuration]
    publicKey = folder.file("token_key.pub")
    let key = folder.file("token_key")
    try await TestProgram.run(
      "/usr/bin/ssh-keygen",
      ["-q", "-t", "rsa", "-b", "2048", "-m", "PKCS8", "-N", "", "-f", key]
    )
    let variables = environment.merging(["PATH": "/usr/bin:/bin"]) { $1 }
    for arguments in [
      ["--init-token", "--free", "--label", "test", "--so-pin", Self.pin],
      ["--import", key, "--token", "test", "--label", "key", "--id", "01"],
    ] {
      try await TestProgram.run(
        Self.tool,
        arguments + ["--pin", Self.pin],
        environment: variables
      )
    }
    guard unlink(key) == 0 else { throw TestFailure("\(key): \(errno)") }
  }
}

/// A real OpenSSH server that asks for a code through PAM once a key was accepted, as servers with a second factor do.
///
/// PAM's own wrapper library takes the rules from a folder of the test, so nothing of the system is changed.
public final class OpenSSHServerWithPAM: Sendable {
  /// What it accepts as the code.
  public static let code = "123456"

  /// The server.
  public let server: OpenSSHServer
  private let folder: TemporaryFolder

  /// Starts it.
  ///
  /// - Parameters:
  ///   - options: Lines of `sshd_config` that come first and so win.
  ///   - userKeyType: The type of the user key.
  /// - Throws: A `TestFailure` when it does not start.
  public init(_ options: [String] = [], userKeyType: String = "ed25519") async throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    let users = try folder.write("users", "\(OpenSSHServer.user):\(Self.code):sshd\n")
    // The file is named for the service, which is the server program's name.
    try folder.write(
      "sshd",
      ["auth", "account", "session"].map { "\($0) required \(Self.module) passdb=\(users)\n" }
        .joined()
    )
    server = try await OpenSSHServer(
      options + [
        "AuthenticationMethods publickey,keyboard-interactive", "UsePAM yes",
        "KbdInteractiveAuthentication yes",
      ],
      userKeyType: userKeyType,
      environment: [
        "PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "LD_PRELOAD": "libpam_wrapper.so",
        "PAM_WRAPPER": "1", "PAM_WRAPPER_SERVICE_DIR": folder.path,
      ]
    )
  }

  /// Debian's path of the module that compares with a file.
  private static var module: String {
    #if arch(arm64)
      "/usr/lib/aarch64-linux-gnu/pam_wrapper/pam_matrix.so"
    #else
      "/usr/lib/x86_64-linux-gnu/pam_wrapper/pam_matrix.so"
    #endif
  }
}

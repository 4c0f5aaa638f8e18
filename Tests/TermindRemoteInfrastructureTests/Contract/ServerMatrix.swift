import TermindApplication
import TermindDomain
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

/// What becomes of an attempt on a server of the matrix.
enum MatrixOutcome: Sendable {
  /// It connects, and a command and a terminal run, as far as the server allows.
  case connects
  /// It connects, but the server refuses a request on a channel.
  case refuses(request: String)
  /// There is no algorithm of this kind in common.
  case noCommon(String)
  /// Only algorithms that are too old are in common.
  case old(String)
  /// The engine cannot take what the server sends; its words contain this.
  case unsupported(String)
  /// The key that there is cannot be used.
  case keyUnusable
  /// Nothing that there was to offer is accepted.
  case noSignIn
}

/// A server that people have, made of OpenSSH's, and what each engine makes of it.
struct MatrixServer: Sendable, CustomTestStringConvertible {
  let name: String
  var options: [String] = []
  var hostKeyTypes = ["ed25519"]
  /// What the linked libssh2 makes of it.
  var libSSH2: MatrixOutcome
  /// What another engine makes of it, where that is not simply to connect.
  var others: MatrixOutcome?
  /// More options that need files in the server's folder.
  var prepare: @Sendable (TemporaryFolder) async throws -> [String] = { _ in [] }
  /// Changes the hop that its user key opens.
  var change: @Sendable (Hop) -> Hop = { $0 }

  var testDescription: String { name }

  /// What an engine makes of it.
  func outcome(of engine: EngineUnderTest) -> MatrixOutcome {
    engine.name == EngineUnderTest.libSSH2.name ? libSSH2 : others ?? .connects
  }

  /// From 1.11 on libssh2 has authenticated ciphers, encrypt-then-MAC, and RSA host keys with SHA-2.
  private static let isNew = SSH2SessionHandle.choosesSignatureAlgorithm

  static let all: [MatrixServer] = [
    MatrixServer(name: "as it comes", libSSH2: .connects),
    MatrixServer(
      name: "AES-GCM and ChaCha20 only",
      options: ["Ciphers chacha20-poly1305@openssh.com,aes256-gcm@openssh.com"],
      libSSH2: isNew ? .connects : .noCommon("cipher")
    ),
    MatrixServer(
      name: "encrypt-then-MAC only",
      options: [
        "Ciphers aes256-ctr", "MACs hmac-sha2-512-etm@openssh.com,hmac-sha2-256-etm@openssh.com",
      ],
      libSSH2: isNew ? .connects : .noCommon("MAC")
    ),
    MatrixServer(
      name: "post-quantum key exchange only",
      options: ["KexAlgorithms sntrup761x25519-sha512@openssh.com"],
      libSSH2: .noCommon("key exchange")
    ),
    MatrixServer(
      name: "an RSA host key only",
      hostKeyTypes: ["rsa"],
      libSSH2: isNew ? .connects : .noCommon("host key")
    ),
    MatrixServer(
      name: "old key exchange only",
      options: ["KexAlgorithms diffie-hellman-group14-sha1,diffie-hellman-group1-sha1"],
      libSSH2: .old("key exchange"),
      others: .old("key exchange")
    ),
    MatrixServer(
      name: "old ciphers only",
      options: ["Ciphers aes128-cbc,3des-cbc", "MACs hmac-sha1"],
      libSSH2: .old("cipher"),
      others: .old("cipher")
    ),
    MatrixServer(
      name: "old algorithms only, allowed for the host",
      options: [
        "KexAlgorithms diffie-hellman-group14-sha1", "Ciphers aes128-cbc,3des-cbc",
        "MACs hmac-sha1",
      ],
      libSSH2: .connects,
      change: { hop in
        var hop = hop
        hop.allowsOldAlgorithms = true
        return hop
      }
    ),
    MatrixServer(
      name: "rekeying after 256 KB",
      options: ["RekeyLimit 256K"],
      libSSH2: .connects
    ),
    MatrixServer(
      name: "a banner of 64 KB",
      libSSH2: .unsupported("packet"),
      prepare: { folder in
        let line = String(repeating: "w", count: 63) + "\n"
        let file = try folder.write("banner", String(repeating: line, count: 1_024))
        return ["Banner \(file)"]
      }
    ),
    MatrixServer(
      name: "a banner of 30 KB",
      libSSH2: .connects,
      prepare: { folder in
        let line = String(repeating: "w", count: 63) + "\n"
        let file = try folder.write("banner", String(repeating: line, count: 480))
        return ["Banner \(file)"]
      }
    ),
    MatrixServer(
      name: "two keys, one after the other",
      options: ["AuthenticationMethods publickey,publickey"],
      libSSH2: .connects,
      prepare: { folder in
        try await OpenSSHServer.makeKey(folder.file("second_key"), type: "ecdsa")
        return [
          "AuthorizedKeysFile \(folder.file("user_key")).pub \(folder.file("second_key")).pub"
        ]
      },
      change: { hop in
        var hop = hop
        let file = hop.credentials.keyFiles[0]
        hop.credentials.keyFiles.append(String(file.dropLast("user_key".count)) + "second_key")
        return hop
      }
    ),
    MatrixServer(
      name: "user certificates only",
      libSSH2: .noSignIn,
      prepare: { folder in
        try await OpenSSHServer.makeKey(folder.file("authority"), type: "ed25519")
        try await TestProgram.run(
          "/usr/bin/ssh-keygen",
          [
            "-q", "-s", folder.file("authority"), "-I", "user", "-n", OpenSSHServer.user,
            folder.file("user_key.pub"),
          ]
        )
        return [
          "TrustedUserCAKeys \(folder.file("authority.pub"))", "AuthorizedKeysFile none",
        ]
      }
    ),
    MatrixServer(
      name: "host certificates only",
      libSSH2: .noCommon("host certificate"),
      prepare: { folder in
        try await OpenSSHServer.makeKey(folder.file("authority"), type: "ed25519")
        try await OpenSSHServer.makeKey(folder.file("certified"), type: "ed25519")
        try await TestProgram.run(
          "/usr/bin/ssh-keygen",
          ["-q", "-s", folder.file("authority"), "-I", "host", "-h", folder.file("certified.pub")]
        )
        return [
          "HostKey \(folder.file("certified"))",
          "HostCertificate \(folder.file("certified-cert.pub"))",
          "HostKeyAlgorithms ssh-ed25519-cert-v01@openssh.com",
        ]
      }
    ),
    MatrixServer(
      name: "a FIDO key only",
      libSSH2: .keyUnusable,
      // Without a provider `ssh` looks for a token of this machine; StrongSignInTests names one.
      others: .noSignIn,
      prepare: { folder in
        let key = try await SecurityKey(in: folder)
        return ["AuthorizedKeysFile \(key.file).pub"]
      },
      change: { hop in
        var hop = hop
        let file = hop.credentials.keyFiles[0]
        hop.credentials.keyFiles = [String(file.dropLast("user_key".count)) + "token_key"]
        return hop
      }
    ),
    // Without a ticket nobody gets in; StrongSignInTests have one.
    MatrixServer(
      name: "GSSAPI only",
      options: ["GSSAPIAuthentication yes", "PubkeyAuthentication no"],
      libSSH2: .noSignIn,
      others: .noSignIn
    ),
    MatrixServer(
      name: "a forced command",
      options: ["ForceCommand echo forced; exec /bin/sh -c \"$SSH_ORIGINAL_COMMAND\""],
      libSSH2: .connects
    ),
    MatrixServer(
      name: "a restricted shell",
      options: ["ForceCommand exec /bin/rbash -c \"$SSH_ORIGINAL_COMMAND\""],
      libSSH2: .connects
    ),
    MatrixServer(
      name: "no terminals",
      options: ["PermitTTY no"],
      libSSH2: .refuses(request: "pty-req"),
      others: .refuses(request: "pty-req")
    ),
    MatrixServer(
      name: "no sessions at all",
      options: ["MaxSessions 0"],
      libSSH2: .refuses(request: "session"),
      others: .refuses(request: "session")
    ),
  ]
}

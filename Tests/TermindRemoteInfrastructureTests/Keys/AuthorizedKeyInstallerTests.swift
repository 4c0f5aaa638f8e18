import Glibc
import TermindApplication
import TermindDomain
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

/// Against a real OpenSSH server whose account has a home directory of the test's own.
@Suite("Key installed on a host") struct AuthorizedKeyInstallerTests {
  /// A server, a connection to it, and the home directory there.
  private struct Site {
    let server: OpenSSHServer
    let harness: TransportHarness
    let transport: any SSHTransport
    let home: TemporaryFolder

    var file: String { home.file(".ssh/authorized_keys") }

    init(_ options: [String] = []) async throws {
      home = try TemporaryFolder()
      server = try await OpenSSHServer(["SetEnv HOME=\(home.path)"] + options)
      harness = try TransportHarness()
      transport = try await harness.open([server.hop])
    }

    func install(
      _ key: SSHPublicKey,
      comment: String = "me",
      timeout: Duration = .seconds(50)
    ) async throws -> AuthorizedKeyOutcome {
      try await AuthorizedKeyInstaller.install(
        key,
        comment: comment,
        over: transport,
        timeout: timeout
      )
    }

    func mode(_ name: String) -> mode_t {
      var status = stat()
      return lstat(home.file(name), &status) == 0 ? status.st_mode & 0o777 : 0
    }

    func close() async { await transport.close() }
  }

  private func key() throws -> SSHPublicKey {
    let made = PrivateKeyHandle.generate(.ed25519) { false }
    guard let handle = consume made, let blob = handle.publicKeyBlob() else {
      throw TestFailure("no key was made")
    }
    return try SSHPublicKey(blob: blob)
  }

  @Test("directory and file are made with the right modes, and the key is there once")
  func fresh() async throws {
    let site = try await Site()
    let key = try key()
    #expect(try await site.install(key, comment: "it's \"me\" $HOME `x` \\") == .installed)
    let expected = key.line() + " it's \"me\" $HOME `x` \\\n"
    #expect(try TemporaryFolder.read(site.file) == expected)
    #expect(site.mode(".ssh") == 0o700)
    #expect(site.mode(".ssh/authorized_keys") == 0o600)
    #expect(try await site.install(key, comment: "other") == .alreadyThere(hasOptions: false))
    #expect(try TemporaryFolder.read(site.file) == expected)
    await site.close()
  }

  @Test("a file without a last line end, and with open modes, is put right")
  func appends() async throws {
    let site = try await Site()
    let old = try key()
    let new = try key()
    mkdir(site.home.file(".ssh"), 0o775)
    chmod(site.home.file(".ssh"), 0o775)
    try site.home.write(".ssh/authorized_keys", "# mine\n\(old.line(comment: "old"))", mode: 0o664)
    chmod(site.file, 0o664)
    #expect(try await site.install(new) == .installed)
    #expect(
      try TemporaryFolder.read(site.file)
        == "# mine\n\(old.line(comment: "old"))\n\(new.line(comment: "me"))\n"
    )
    #expect(site.mode(".ssh") == 0o700)
    #expect(site.mode(".ssh/authorized_keys") == 0o600)
    #expect(try await site.install(old) == .alreadyThere(hasOptions: false))
    let more = try key()
    #expect(try await site.install(more) == .installed)
    #expect(try TemporaryFolder.read(site.file).split(separator: "\n").count == 4)
    await site.close()
  }

  @Test("a key under options is left alone; one that is commented out does not count")
  func options() async throws {
    let site = try await Site()
    let limited = try key()
    let retired = try key()
    mkdir(site.home.file(".ssh"), 0o700)
    let before =
      "  restrict,command=\"echo # no\"  \(limited.line(comment: "x"))\n # \(retired.line())\n"
    try site.home.write(".ssh/authorized_keys", before)
    #expect(try await site.install(limited) == .alreadyThere(hasOptions: true))
    #expect(try TemporaryFolder.read(site.file) == before)
    #expect(try await site.install(retired) == .installed)
    #expect(try TemporaryFolder.read(site.file) == before + retired.line(comment: "me") + "\n")
    await site.close()
  }

  @Test("what fails on the host is named, with the host's words")
  func failures() async throws {
    let site = try await Site()
    let key = try key()
    try site.home.write(".ssh", "a file")
    await #expect {
      _ = try await site.install(key)
    } throws: { error in
      guard case .failed(.directory, let text) = error as? AuthorizedKeyError else { return false }
      return text.contains(".ssh")
    }
    unlink(site.home.file(".ssh"))
    mkdir(site.home.file(".ssh"), 0o700)
    mkdir(site.file, 0o700)
    await #expect(throws: AuthorizedKeyError.failed(.reading, text: "")) {
      _ = try await site.install(key)
    }
    rmdir(site.file)
    // Every write fails there, root's too.
    symlink("/dev/full", site.file)
    await #expect(throws: AuthorizedKeyError.failed(.reading, text: "")) {
      _ = try await site.install(key)
    }
    await site.close()
    await #expect {
      _ = try await site.install(key)
    } throws: { error in
      guard case .unreachable = error as? AuthorizedKeyError else { return false }
      return true
    }
  }

  @Test("a host without a shell, a slow one and a noisy one")
  func oddHosts() async throws {
    let key = try key()
    let refusing = try await Site(["ForceCommand echo This account is limited; exit 1"])
    await #expect(throws: AuthorizedKeyError.noShell(text: "This account is limited\n")) {
      _ = try await refusing.install(key)
    }
    await refusing.close()
    let noisy = try await Site(["ForceCommand echo Welcome installed; exec sh"])
    #expect(try await noisy.install(key) == .installed)
    #expect(try TemporaryFolder.read(noisy.file) == key.line(comment: "me") + "\n")
    await noisy.close()
    let slow = try await Site(["ForceCommand exec sleep 600"])
    await #expect(throws: AuthorizedKeyError.timedOut(seconds: 1)) {
      _ = try await slow.install(key, timeout: .seconds(1))
    }
    let waiting = Task { try await slow.install(key) }
    waiting.cancel()
    let result = await waiting.result
    #expect(throws: AuthorizedKeyError.cancelled) { _ = try result.get() }
    await slow.close()
  }

  @Test("the script is nothing but its input, and words survive quoting")
  func script() throws {
    let key = try key()
    let text = AuthorizedKeyScript.text(key, comment: "a\nb 'c'", mark: "m")
    #expect(text.contains("line='\(key.line()) a b '\\''c'\\'''\n"))
    #expect(text.hasSuffix("answer installed 0\n"))
    #expect(
      try AuthorizedKeyScript.result("x\nm installed\r\n", errors: "", mark: "m") == .installed
    )
    #expect(try AuthorizedKeyScript.result("m other\n", errors: "", mark: "m") == nil)
    #expect(try AuthorizedKeyScript.result("mm installed\n", errors: "", mark: "m") == nil)
  }
}

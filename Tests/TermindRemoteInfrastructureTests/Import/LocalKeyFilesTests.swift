import Glibc
import TermindApplication
import TermindDomain
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

@Suite("Key files for an import") struct LocalKeyFilesTests {
  private let folder: TemporaryFolder
  private let files = LocalKeyFiles()

  init() throws { folder = try TemporaryFolder() }

  private func generate(_ name: String, _ arguments: [String] = []) async throws -> String {
    let path = folder.file(name)
    try await TestProgram.run(
      "/usr/bin/ssh-keygen",
      ["-q", "-f", path, "-C", "kim@desk"]
        + (arguments.isEmpty ? ["-t", "ed25519", "-N", ""] : arguments)
    )
    return path
  }

  @Test("shows kind, comment and fingerprint, and tells a changed file by its digest")
  func summary() async throws {
    let path = try await generate("k")
    let summary = try await files.inspect(path)
    #expect(summary.algorithm == "ssh-ed25519")
    #expect(summary.comment == "kim@desk")
    #expect(!summary.isEncrypted)
    let shown = try await TestProgram.run("/usr/bin/ssh-keygen", ["-lf", path])
    #expect(shown.contains(summary.fingerprint))
    #expect(try await files.inspect(path) == summary)
    try await TestProgram.run(
      "/usr/bin/ssh-keygen",
      ["-q", "-p", "-f", path, "-P", "", "-N", "abcde"]
    )
    let locked = try await files.inspect(path)
    #expect(locked.isEncrypted)
    #expect(locked.publicKey == summary.publicKey)
    #expect(locked.comment == "kim@desk")
    #expect(locked.digest != summary.digest)
  }

  @Test("says why a file is no key to take over")
  func problems() async throws {
    let path = try await generate("k")
    chmod(path, 0o644)
    await #expect(throws: KeyFileProblem.permissionsTooOpen(mode: 0o644)) {
      try await files.inspect(path)
    }
    await #expect(throws: KeyFileProblem.publicOnly) { try await files.inspect(path + ".pub") }
    await #expect(throws: KeyFileProblem.absent) { try await files.inspect(folder.file("none")) }
    let putty = try folder.write("p.ppk", "PuTTY-User-Key-File-3: ssh-ed25519\n")
    await #expect(throws: KeyFileProblem.unsupported("the PuTTY format")) {
      try await files.inspect(putty)
    }
    let pem = try await generate("pem", ["-t", "ecdsa", "-m", "PEM", "-N", "abcde"])
    #expect(try await files.inspect(pem).isEncrypted)
    unlink(pem + ".pub")
    await #expect(throws: KeyFileProblem.publicHalfHidden) { try await files.inspect(pem) }
  }

  @Test("tells whether a passphrase is the key's")
  func fit() async throws {
    let open = try await generate("open")
    let locked = try await generate("locked", ["-t", "ecdsa", "-N", "open sesame"])
    let right = SecretBytes("open sesame".utf8)
    #expect(try await files.fit(of: right, to: locked) == .opens)
    #expect(try await files.fit(of: SecretBytes("wrong".utf8), to: locked) == .wrong)
    #expect(try await files.fit(of: right, to: open) == .notNeeded)
    await #expect(throws: KeyFileProblem.publicOnly) {
      try await files.fit(of: right, to: open + ".pub")
    }
    await #expect(throws: KeyFileProblem.absent) {
      try await files.fit(of: right, to: folder.file("none"))
    }
  }

  @Test(
    "finds the certificate of a key, and takes none of another key",
    arguments: [
      ["-t", "ed25519", "-N", ""], ["-t", "ecdsa", "-N", ""],
      ["-t", "rsa", "-b", "2048", "-N", ""],
    ]
  )
  func certificates(kind: [String]) async throws {
    let authority = try await generate("ca")
    let key = try await generate("k", kind)
    let other = try await generate("other")
    try await TestProgram.run(
      "/usr/bin/ssh-keygen",
      ["-q", "-s", authority, "-I", "kim", "-n", "kim", key + ".pub"]
    )
    let summary = try await files.inspect(key)
    let certificate = await files.certificate(at: key + "-cert.pub", for: summary.publicKey)
    #expect(certificate != nil)
    let foreign = try await files.inspect(other)
    #expect(await files.certificate(at: key + "-cert.pub", for: foreign.publicKey) == nil)
    #expect(await files.certificate(at: key + ".pub", for: summary.publicKey) == nil)
    #expect(await files.certificate(at: folder.file("none"), for: summary.publicKey) == nil)
  }
}

@Suite("Whole known_hosts files") struct KnownHostsTextTests {
  private static let blob = "AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f"

  private func read(_ text: String) -> KnownHostsText.Content {
    KnownHostsText.read(Array(text.utf8), path: "/k", time: 7)
  }

  @Test("reads every kind of line, and says what was skipped")
  func lines() throws {
    let key = "ssh-ed25519 \(Self.blob)"
    let content = read(
      """
      # comment
      Web,10.0.0.1 \(key) kim@desk
      [web]:2222 \(key)
      *.x,!y.x \(key)
      [host]* \(key)
      |1|c2FsdHNhbHRzYWx0c2FsdHNhbHQ=|aGFzaGhhc2hoYXNoaGFzaGhhc2g= \(key)
      @revoked bad \(key)
      @cert-authority *.corp,z \(key)
      @odd x \(key)
      short
      [web]:0 \(key)
      """ + "\r\n"
    )
    #expect(
      content.records.map(\.names) == [
        .endpoint(SSHEndpoint(host: "web")), .endpoint(SSHEndpoint(host: "10.0.0.1")),
        .endpoint(SSHEndpoint(host: "web", port: 2222)), .patterns("*.x,!y.x"),
        .patterns("[host]*"),
        .hashed("|1|c2FsdHNhbHRzYWx0c2FsdHNhbHQ=|aGFzaGhhc2hoYXNoaGFzaGhhc2g="),
        .endpoint(SSHEndpoint(host: "bad")), .patterns("*.corp,z"),
      ]
    )
    #expect(
      content.records.map(\.marker) == [
        .trusted, .trusted, .trusted, .trusted, .trusted, .trusted, .revoked,
        .certificateAuthority,
      ]
    )
    #expect(content.records.first?.comment == "kim@desk")
    #expect(content.records.first?.since == 7)
    #expect(content.notes.map(\.line) == [9, 10, 11])
  }

  @Test("writes what it has read, and ssh-keygen finds the hosts in it")
  func roundTrip() async throws {
    let key = "ssh-ed25519 \(Self.blob)"
    let text = "web \(key) kim@desk\n[web]:2222 \(key)\n@revoked *.x \(key)\n"
    let content = read(text)
    #expect(KnownHostsText.text(content.records) == text)
    let again = read(KnownHostsText.text(content.records))
    #expect(again.records.map(\.names) == content.records.map(\.names))
    let folder = try TemporaryFolder()
    let path = try folder.write("known_hosts", KnownHostsText.text(content.records))
    let found = try await TestProgram.run("/usr/bin/ssh-keygen", ["-F", "[web]:2222", "-f", path])
    #expect(found.contains("line 2"))
    // Hashed by OpenSSH itself, the lines come back with their hashes.
    try await TestProgram.run("/usr/bin/ssh-keygen", ["-q", "-H", "-f", path])
    let hashed = read(try TemporaryFolder.read(path))
    #expect(hashed.records.count == 3)
    try folder.write("again", KnownHostsText.text(hashed.records))
    let still = try await TestProgram.run(
      "/usr/bin/ssh-keygen",
      ["-F", "web", "-f", folder.file("again")]
    )
    #expect(still.contains("line 1"))
  }

  @Test("lets nothing through that would act on a terminal, neither in nor out")
  func invisible() throws {
    let key = "ssh-ed25519 \(Self.blob)"
    let content = read("x\u{1B}[31m \(key)\n|1|\u{7}|x \(key)\nweb \(key) a\u{9B}2Jb\n")
    #expect(content.records.map(\.comment) == ["a2Jb"])
    #expect(
      content.notes.first?.reason == "the host names have characters that cannot be seen"
    )
    #expect(content.notes.map(\.line) == [1, 2])
    let old = KnownHostRecord(
      names: .patterns("*.x\u{1B}[2J"),
      key: try #require(content.records.first).key,
      comment: "\u{1B}]0;t\u{7}",
      since: 1
    )
    let text = KnownHostsText.text([old] + content.records)
    #expect(
      text == "# left out: a host name with characters that cannot be seen\nweb \(key) a2Jb\n"
    )
    #expect(read(text).records.count == 1)
  }

  @Test("keeps a comment on its line")
  func comments() throws {
    let record = try #require(read("web ssh-ed25519 \(Self.blob)\n").records.first)
    let forged = KnownHostRecord(
      names: record.names,
      key: record.key,
      comment: "x\n* ssh-ed25519 AAAA",
      since: 1
    )
    #expect(KnownHostsText.text([forged]).split(separator: "\n").count == 1)
  }
}

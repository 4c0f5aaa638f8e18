import FoundationEssentials
import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindTUI

/// Records whose secrets cannot be reached, and passphrases that belong to no key: the built program without a server.
@Suite("Secrets of records on the command line", .timeLimit(.minutes(10)))
struct SecretRecordTests {
  private func rows(_ termind: CommandRun) async throws -> [IdentityRow] {
    try await termind("identity", "list", "--json").decoded([IdentityRow].self)
  }

  /// Identities with a saved password each, in a sealed file that is opened by `open`.
  private func identities(_ names: [String]) async throws -> (run: CommandRun, file: URL) {
    let termind = try CommandRun(home: TestHome())
    for name in names {
      let made = try await termind.run(
        ["identity", "add", name, "--user", name, "--password-fd", "3", "--unlock-fd", "4"],
        secrets: ["hunter2", "open"]
      )
      #expect(made.status == 0, "\(made.errors)")
    }
    return (termind, URL(filePath: "\(termind.home.paths.data)/secrets.sealed"))
  }

  @Test(
    "a saved password goes with its record while the sealed file is damaged, and is told as left"
  )
  func damaged() async throws {
    let (termind, file) = try await identities(["a", "b"])
    var bytes = try Data(contentsOf: file)
    bytes[bytes.count - 1] ^= 1
    try bytes.write(to: file)
    for arguments in [["identity", "rm", "a"], ["identity", "edit", "a", "--unset", "password"]] {
      let refused = try await termind.run(arguments + ["--unlock-fd", "3"], secrets: ["open"])
      #expect(refused.status == 1)
      #expect(refused.errors.contains("is broken"))
      #expect(refused.errors.contains("With --force it is done all the same"))
    }
    #expect(try await rows(termind).map(\.password) == [true, true])
    let removed = try await termind(
      "identity",
      "rm",
      "a",
      "--force",
      "--unlock-fd",
      "3",
      secrets: ["open"]
    )
    #expect(removed.status == 0)
    #expect(removed.output.hasPrefix("removed a ("))
    #expect(removed.errors.hasPrefix("A secret stays behind in the secret store"))
    #expect(removed.errors.contains("is broken"))
    let changed = try await termind("identity", "edit", "b", "--unset", "password", "--force")
    #expect(changed.status == 0)
    #expect(changed.output.hasPrefix("changed b ("))
    #expect(changed.errors.contains("stays behind"))
    #expect(try await rows(termind).map(\.password) == [false])
    // The damaged file is as it was.
    #expect(try Data(contentsOf: file) == bytes)
  }

  @Test("with a forgotten passphrase only --force removes, and says that the secret stays")
  func forgotten() async throws {
    let (termind, _) = try await identities(["a"])
    for secrets in [[], ["wrong"]] {
      let unlock = secrets.isEmpty ? [] : ["--unlock-fd", "3"]
      let refused = try await termind.run(["identity", "rm", "a"] + unlock, secrets: secrets)
      #expect(refused.status == 15)
      #expect(refused.errors.contains("--force"))
    }
    let removed = try await termind("identity", "rm", "a", "--force")
    #expect(removed.status == 0)
    #expect(removed.errors.contains("stays behind"))
    #expect(try await rows(termind).isEmpty)
  }

  @Test(
    "when the sealed file is gone its secrets are gone too, and no new one is made to remove them"
  )
  func missing() async throws {
    let (termind, file) = try await identities(["a", "b"])
    try FileManager.default.removeItem(at: file)
    let removed = try await termind("identity", "rm", "a")
    #expect(removed.status == 0 && removed.errors.isEmpty, "\(removed.errors)")
    let changed = try await termind("identity", "edit", "b", "--unset", "password")
    #expect(changed.status == 0 && changed.errors.isEmpty, "\(changed.errors)")
    #expect(try await rows(termind).map(\.password) == [false])
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test("a passphrase is kept for a key only when it opens it")
  func passphrase() async throws {
    let termind = try CommandRun(home: TestHome())
    func key(_ name: String, _ passphrase: String) async throws -> String {
      let path = "\(termind.directory)/\(name)"
      let program = try TestProgram(
        "/usr/bin/ssh-keygen",
        ["-q", "-t", "ed25519", "-N", passphrase, "-f", path]
      )
      #expect(try await program.waitForExit() == 0)
      return path
    }
    let (locked, open) = (try await key("locked", "open sesame"), try await key("open", ""))
    func add(_ file: String, _ passphrase: String) async throws -> CommandRun.Outcome {
      try await termind(
        "key",
        "add",
        "--file",
        file,
        "--passphrase-fd",
        "3",
        "--unlock-fd",
        "4",
        secrets: [passphrase, "store"]
      )
    }
    let wrong = try await add(locked, "wrong")
    #expect(wrong.status == 11)
    #expect(wrong.errors.contains("the passphrase does not open it"))
    let needless = try await add(open, "any")
    #expect(needless.status == 11)
    #expect(needless.errors.contains("it has no passphrase"))
    #expect(try await termind("key", "list").output.isEmpty)
    #expect(try await add(locked, "open sesame").status == 0)
    #expect(try await termind("key", "add", "--file", open).status == 0)
    #expect(try await termind("key", "show", "locked").output.contains("saved passphrase: yes"))
    #expect(try await termind("key", "show", "open").output.contains("saved passphrase: no"))
    // The same on a record that is there.
    let changed = try await termind(
      "key",
      "edit",
      "locked",
      "--passphrase-fd",
      "3",
      "--unlock-fd",
      "4",
      secrets: ["wrong", "store"]
    )
    #expect(changed.status == 11)
  }
}

import Glibc
import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

@Suite("OpenSSH engine: what it leaves alone and keeps to itself", .timeLimit(.minutes(3)))
struct OpenSSHNeighboursTests {
  @Test("a master of the person's own is neither used nor ended, and its socket and file stay")
  func ownMaster() async throws {
    let server = try await OpenSSHServer()
    let folder = try TemporaryFolder()
    let socket = folder.file("own")
    let text = """
      Host web
        HostName 127.0.0.1
        Port \(server.port)
        User \(OpenSSHServer.user)
        IdentityFile \(server.userKey)
        IdentitiesOnly yes
        StrictHostKeyChecking no
        UserKnownHostsFile /dev/null
        ControlMaster auto
        ControlPath \(socket)
        ControlPersist 600

      """
    let file = try folder.write("config", text)
    let own = try TestProgram(
      "/usr/bin/ssh",
      ["-v", "-M", "-N", "-o", "ControlPersist=no", "-F", file, "web"]
    )
    defer { own.stop() }
    try await own.wait(for: "Entering interactive session")
    let before = try server.sessionProcesses
    #expect(before.count == 1)
    let harness = try OpenSSHHarness(configuration: file)
    let hop = Hop(
      endpoint: SSHEndpoint(host: "127.0.0.1", port: server.port),
      credentials: HopCredentials(username: OpenSSHServer.user),
      alias: "web",
      onlyOpenSSH: "ControlPath"
    )
    let transport = try await harness.open(
      [hop],
      prompts: ScriptedPrompts(decide: { _ in .trustOnce })
    )
    // A connection of its own, not one more session of the person's.
    #expect(try server.sessionProcesses.count == 2)
    await transport.close()
    #expect(harness.leftovers.isEmpty)
    let checked = try TestProgram("/usr/bin/ssh", ["-F", file, "-O", "check", "web"])
    #expect(try await checked.waitForExit() == 0)
    #expect(checked.text.contains("Master running"))
    #expect(
      try await TestProgram.run("/usr/bin/ssh", ["-F", file, "web", "echo through"]) == "through\n"
    )
    #expect(try TemporaryFolder.read(file) == text)
    #expect(Set(folder.names(".")) == ["config", "own"])
  }

  @Test("what the person types is in no argument, no variable and no file of the processes")
  func typedSecrets() async throws {
    let server = try await ScriptedSSHServer()
    let harness = try OpenSSHHarness()
    let word = "Sesame-\(UInt32.random(in: .min ... .max))"
    let asked = Locked(0)
    let found = Locked<[String]>([])
    let prompts = ScriptedPrompts(answer: { _ in
      // The first answer is refused; what it went through is there when the second question comes.
      let number = asked.withLock { count in
        defer { count += 1 }
        return count
      }
      guard number > 0 else { return [word] }
      found.withLock { $0 = Self.places(of: word, in: harness.folder.path) }
      return ["secret"]
    })
    let transport = try await harness.open([server.hop("pw")], prompts: prompts)
    try await server.wait(forLog: "PASSWORD pw \(word)")
    #expect(asked.withLock { $0 } == 2)
    #expect(found.withLock { $0 }.isEmpty)
    #expect(Self.places(of: word, in: harness.folder.path).isEmpty)
    // The search finds what is there: a process with the word among its arguments.
    let control = try TestProgram("/bin/sh", ["-c", "echo up; read x", word])
    defer { control.stop() }
    try await control.wait(for: "up")
    #expect(Self.places(of: word, in: harness.folder.path) == ["/proc/\(control.pid)/cmdline"])
    await transport.close()
  }

  /// Where a word stands: arguments and variables of any process, and files below a folder.
  private static func places(of word: String, in folder: String) -> [String] {
    let processes = names("/proc").filter { $0.allSatisfy(\.isNumber) }
    let paths =
      processes.flatMap { ["/proc/\($0)/cmdline", "/proc/\($0)/environ"] } + files(folder)
    // A process may be gone by now, and a socket cannot be read.
    return paths.filter { (try? TemporaryFolder.read($0))?.contains(word) == true }
  }

  private static func files(_ path: String) -> [String] {
    names(path).flatMap { name -> [String] in
      var status = stat()
      let inner = "\(path)/\(name)"
      guard lstat(inner, &status) == 0 else { return [] }
      switch status.st_mode & S_IFMT {
      case S_IFDIR: return files(inner)
      case S_IFREG: return [inner]
      default: return []
      }
    }
  }

  private static func names(_ path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }
}

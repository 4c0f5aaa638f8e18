import Glibc
import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindTestSupport
import Testing

@Suite("Configuration files of this machine") struct LocalSSHConfigFilesTests {
  private let folder: TemporaryFolder
  private let files: LocalSSHConfigFiles

  init() throws {
    folder = try TemporaryFolder()
    files = LocalSSHConfigFiles(home: folder.path)
  }

  @Test("reads a file, and refuses one that others may change where that counts")
  func permissions() throws {
    let path = try folder.write("config", "Port 9\n")
    #expect(try files.read(path, isChecked: true) == Array("Port 9\n".utf8))
    chmod(path, 0o666)
    #expect(throws: SSHConfigFileError.insecure) { try files.read(path, isChecked: true) }
    #expect(try files.read(path, isChecked: false).count == 7)
  }

  @Test("says why a file cannot be read, and waits for no pipe")
  func failures() throws {
    #expect(throws: SSHConfigFileError.absent) {
      try files.read(folder.file("none"), isChecked: true)
    }
    #expect(throws: SSHConfigFileError.absent) { try files.read("a\0b", isChecked: true) }
    #expect(throws: SSHConfigFileError.notRegular) {
      try files.read(folder.path, isChecked: true)
    }
    let pipe = folder.file("pipe")
    try #require(mkfifo(pipe, 0o600) == 0)
    #expect(throws: SSHConfigFileError.notRegular) { try files.read(pipe, isChecked: true) }
    let large = try folder.write("large", "")
    try #require(truncate(large, SSHConfigLimits.fileBytes + 1) == 0)
    #expect(
      throws: SSHConfigFileError.tooLarge(byteCount: SSHConfigLimits.fileBytes + 1)
    ) { try files.read(large, isChecked: true) }
  }

  @Test("finds files by pattern, in the order of their bytes, without hidden ones")
  func patterns() throws {
    for name in ["b.conf", "a.conf", "B.conf", ".h.conf", "ä.conf", "a.txt"] {
      try folder.write(name, "")
    }
    #expect(
      try files.paths(matching: "~/*.conf")
        == ["B.conf", "a.conf", "b.conf", "ä.conf"].map(folder.file)
    )
    #expect(try files.paths(matching: folder.file("[ab].conf")).count == 2)
    #expect(try files.paths(matching: folder.file("a.txt")) == [folder.file("a.txt")])
    #expect(try files.paths(matching: folder.file("none")).isEmpty)
    #expect(try files.paths(matching: "~/a\0").isEmpty)
  }

  @Test("reads whole imports, and says which file cannot be read")
  func imports() throws {
    var machine = try #require(SSHLocalMachine.current())
    machine.home = folder.path
    let key = try folder.write("key", "")
    let config = try folder.write("config", "Host web\n Port 9\n IdentityFile ~/key\n")
    let source = try LocalImports.sshConfig(path: config, machine: machine)
    #expect(source.hosts.map(\.name) == ["web"])
    #expect(source.hosts.map(\.keyFiles) == [[key]])
    let gone = folder.file("gone")
    #expect(throws: ImportFileError.file(path: gone, .absent)) {
      try LocalImports.sshConfig(path: gone, machine: machine)
    }
    let table = try folder.write("t.csv", "host\nh1\n")
    #expect(try LocalImports.csv(path: table, home: "/").hosts.count == 1)
    #expect(throws: ImportFileError.text(path: table, .wrongFormat)) {
      try LocalImports.putty(path: table)
    }
    #expect(throws: ImportFileError.file(path: folder.path, .notRegular)) {
      try LocalImports.knownHosts(path: folder.path)
    }
    #expect(BoundedFile.exists(table) && !BoundedFile.exists(folder.path))
  }

  @Test("knows the ports of services")
  func services() {
    #expect(files.port(ofService: "ssh") == 22)
    #expect(files.port(ofService: "no-such-service") == nil)
    #expect(files.port(ofService: "") == nil)
  }
}

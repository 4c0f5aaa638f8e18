import TermindApplication
import TermindDomain

/// A machine and files that only a test has.
enum TestMachine {
  static let home = "/home/kim"
  static let machine = SSHLocalMachine(userName: "kim", home: home, workingDirectory: "/work")

  struct Files: SSHConfigReading {
    var files: [String: String]

    func read(_ path: String, isChecked: Bool) throws(SSHConfigFileError) -> [UInt8] {
      guard let text = files[path] else { throw .absent }
      return Array(text.utf8)
    }

    func paths(matching pattern: String) -> [String] { files[pattern] == nil ? [] : [pattern] }

    func port(ofService name: String) -> UInt16? { nil }
  }

  /// What a configuration holds for an import; `keys` are the files that exist.
  static func source(
    _ text: String,
    _ others: [String: String] = [:],
    keys: Set<String> = []
  ) throws -> HostImportSource {
    let files = Files(files: others.merging(["/config": text]) { $1 })
    var loader = SSHConfigLoader(machine: machine, reading: files)
    let config = try loader.load([SSHConfigSource(path: "/config")])
    let resolver = SSHConfigResolver(config: config, machine: machine)
    return SSHConfigImport(path: "/config", resolver: resolver) { keys.contains($0) }.source()
  }
}

import TermindDomain

/// Configuration files that only a test has.
struct MemoryFiles: SSHConfigReading {
  var files: [String: String] = [:]
  var failing: [String: SSHConfigFileError] = [:]
  static let home = "/home/kim"

  init(_ files: [String: String]) { self.files = files }

  func read(_ path: String, isChecked: Bool) throws(SSHConfigFileError) -> [UInt8] {
    if let error = failing[path] { throw error }
    guard let text = files[path] else { throw .absent }
    return Array(text.utf8)
  }

  func paths(matching pattern: String) throws(SSHConfigFileError) -> [String] {
    let pattern = pattern.hasPrefix("~/") ? Self.home + pattern.dropFirst() : pattern
    return (Array(files.keys) + failing.keys).filter { SSHPattern.matches($0, pattern) }.sorted()
  }

  func port(ofService name: String) -> UInt16? { name == "ssh" ? 22 : nil }

  static let machine = SSHLocalMachine(
    userName: "kim",
    userNumber: 1000,
    home: home,
    workingDirectory: "/work",
    hostName: "desk.example",
    variables: ["HOME": home, "KEYS": "/keys"]
  )

  /// A configuration of one text and what it includes.
  static func config(_ text: String, _ others: [String: String] = [:]) throws -> SSHConfig {
    try MemoryFiles(others.merging(["/config": text]) { $1 }).load()
  }

  func load() throws -> SSHConfig {
    var loader = SSHConfigLoader(machine: Self.machine, reading: self)
    return try loader.load([SSHConfigSource(path: "/config")])
  }
}

extension SSHConfig {
  /// What it says about an alias.
  func host(_ alias: String, user: String? = nil, port: UInt16? = nil) -> SSHResolvedHost {
    SSHConfigResolver(config: self, machine: MemoryFiles.machine)
      .resolve(alias: alias, user: user, port: port)
  }

  /// The ways that it gives.
  var router: SSHConfigRouter {
    SSHConfigRouter(resolver: SSHConfigResolver(config: self, machine: MemoryFiles.machine))
  }
}

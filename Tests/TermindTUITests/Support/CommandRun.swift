import FoundationEssentials
import Glibc
import Testing

@testable import TermindInfrastructure

/// Runs of the built program without a terminal, with what they print.
final class CommandRun {
  /// What became of one run.
  struct Outcome {
    var status: Int
    var output: String
    var errors: String

    /// The output as what it should be.
    func decoded<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
      try JSONDecoder().decode(type, from: Data(output.utf8))
    }
  }

  let home: TestHome
  private let loop: EventLoop
  private var count = 0

  init(home: TestHome) throws {
    self.home = home
    loop = try EventLoop(name: "commands")
  }

  deinit { loop.shutdown() }

  /// The person's home directory of the runs.
  var directory: String { home.path }

  /// Writes a file into the home directory.
  func write(_ text: String, to name: String) throws -> String {
    let path = "\(directory)/\(name)"
    let parts = name.split(separator: "/")
    if parts.count > 1 {
      let folder = "\(directory)/\(parts.dropLast().joined(separator: "/"))"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }

  /// Runs the program to its end; `secrets` lie behind descriptors 3 and up.
  func callAsFunction(_ arguments: String..., secrets: [String] = []) async throws -> Outcome {
    try await run(arguments, secrets: secrets)
  }

  /// As the call itself, with the arguments in an array; `output` is written to instead of being collected.
  func run(
    _ arguments: [String],
    secrets: [String] = [],
    input: String? = nil,
    output: String? = nil
  ) async throws -> Outcome {
    count += 1
    let files = ["out", "err"].map { "\(directory)/run-\(count).\($0)" }
    var environment = ProcessEnvironment.all()
    environment["TERMIND_HOME"] = home.path
    environment["HOME"] = directory
    for name in ["DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "DISPLAY", "WAYLAND_DISPLAY"] {
      environment[name] = nil
    }
    var descriptors: [ProgramSpawn.Source] = [
      .null, .appending(path: output ?? files[0]), .appending(path: files[1]),
    ]
    if let input { descriptors[0] = .copy(try Self.inputPipe(holding: input)) }
    for (index, secret) in secrets.enumerated() {
      let path = try write(secret, to: "secret-\(count)-\(index)")
      descriptors.append(.copy(OwnedDescriptor(adopting: open(path, O_RDONLY | O_CLOEXEC))))
    }
    let process = try ProgramSpawn(
      program: TestTerminal.program,
      arguments: ["termind"] + arguments,
      environment: environment,
      directory: directory,
      descriptors: descriptors
    ).start()
    try await loop.readable(process.descriptor.number)
    guard case .exited(let status)? = process.collect() else {
      throw CommandFailure.noExit
    }
    let texts = try files.enumerated().map { number, file in
      if number == 0, output != nil { return "" }
      return String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self)
    }
    return Outcome(status: status, output: texts[0], errors: texts[1])
  }

  /// The end of a pipe to read from, with all of a short text in it.
  private static func inputPipe(holding text: String) throws -> OwnedDescriptor {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw CommandFailure.noPipe }
    let reading = OwnedDescriptor(adopting: ends[0])
    let writing = OwnedDescriptor(adopting: ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let bytes = Array(text.utf8)
    guard bytes.count <= 4096, Glibc.write(writing.number, bytes, bytes.count) == bytes.count else {
      throw CommandFailure.noPipe
    }
    return reading
  }
}

enum CommandFailure: Error { case noExit, noPipe }

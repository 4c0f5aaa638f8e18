internal import Glibc

/// Runs a program that reads a text from its standard input, on a thread of its own.
///
/// What it prints is dropped. It may live on as long as it likes, as a program does that keeps a desktop's clipboard; it
/// is collected when it ends.
public enum FedProgram {
  /// Starts a program and gives it a text.
  ///
  /// - Parameters:
  ///   - words: The program, looked up in `PATH` when it has no slash, and its arguments.
  ///   - input: What it reads.
  ///   - environment: Its whole environment.
  ///   - directory: The directory to start in.
  ///   - ended: Told on the thread how the program ended, or why it could not be started.
  /// - Throws: `.system` when the system has no thread left.
  public static func start(
    _ words: [String],
    input: [UInt8],
    environment: [String: String],
    directory: String? = nil,
    ended: @escaping @Sendable (Result<SpawnedProcess.End, LocalProgramError>) -> Void
  ) throws(EventLoopError) {
    try NamedThread.start(name: "feed") {
      do throws(LocalProgramError) {
        ended(.success(try run(words, input, environment, directory)))
      } catch {
        ended(.failure(error))
      }
    }
  }

  private static func run(
    _ words: [String],
    _ input: [UInt8],
    _ environment: [String: String],
    _ directory: String?
  ) throws(LocalProgramError) -> SpawnedProcess.End {
    let name = words.first ?? ""
    var numbers: [Int32] = [-1, -1]
    guard unsafe pipe(&numbers) == 0 else {
      throw .failed(program: name, diagnostic: "pipe: \(SystemText.last())")
    }
    let process = try spawn(
      words,
      reading: OwnedDescriptor(inheriting: numbers[0]),
      OwnedDescriptor(inheriting: numbers[1]),
      input,
      environment,
      directory
    )
    while true {
      if let end = process.collect() { return end }
      _ = DescriptorWait.readable([process.descriptor])
    }
  }

  /// Starts the program and writes; both ends of the pipe are closed on the way out, so that it sees the end.
  private static func spawn(
    _ words: [String],
    reading: consuming OwnedDescriptor,
    _ writing: consuming OwnedDescriptor,
    _ input: [UInt8],
    _ environment: [String: String],
    _ directory: String?
  ) throws(LocalProgramError) -> SpawnedProcess {
    let process = try ProgramSpawn(
      program: words.first ?? "",
      arguments: words,
      environment: environment,
      directory: directory,
      descriptors: [.copy(reading), .null, .null]
    ).start()
    // Without our reading end a program that stops to read ends the writing with an error.
    _ = consume reading
    var rest = input[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe write(writing.number, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      rest = rest.dropFirst(count)
    }
    return process
  }
}

import Foundation
import TermindInfrastructure
import TermindTestSupport
import Testing

@Suite("Programs that are given a text") struct FedProgramTests {
  private func run(
    _ words: [String],
    _ input: [UInt8]
  ) async throws -> Result<SpawnedProcess.End, LocalProgramError> {
    let ends = AsyncStream<Result<SpawnedProcess.End, LocalProgramError>>.makeStream()
    try FedProgram.start(words, input: input, environment: ["PATH": "/usr/bin:/bin"]) {
      ends.continuation.yield($0)
    }
    for await end in ends.stream { return end }
    throw CancellationError()
  }

  @Test("they read all of it, also when it is more than a pipe holds")
  func reads() async throws {
    let folder = try TemporaryFolder()
    let text = [UInt8](repeating: 0x61, count: 3_000_000) + [0x0A]
    let end = try await run(["sh", "-c", "cat > '\(folder.path)/out'"], text)
    #expect(end == .success(.exited(status: 0)))
    #expect(try Data(contentsOf: URL(filePath: "\(folder.path)/out")) == Data(text))
  }

  @Test("one that does not read ends the writing, and its status is told")
  func refusing() async throws {
    let end = try await run(
      ["sh", "-c", "exec 0<&-; exit 3"],
      [UInt8](repeating: 0, count: 1 << 20)
    )
    #expect(end == .success(.exited(status: 3)))
  }

  @Test(
    "one that lives on with what it read is left alone, beside a next one, and is collected at its end"
  )
  func livesOn() async throws {
    let folder = try TemporaryFolder()
    let script = """
      cat >/dev/null; echo $$ >'\(folder.path)/pid.new'; mv '\(folder.path)/pid.new' '\(folder.path)/pid'
      while [ ! -e '\(folder.path)/go' ]; do sleep 0.05; done; exit 7
      """
    let ends = AsyncStream<Result<SpawnedProcess.End, LocalProgramError>>.makeStream()
    try FedProgram.start(
      ["sh", "-c", script],
      input: [0x61],
      environment: ["PATH": "/usr/bin:/bin"]
    ) { ends.continuation.yield($0) }
    try await waitUntil("it has read") {
      FileManager.default.fileExists(atPath: folder.file("pid"))
    }
    let pid = try TemporaryFolder.read(folder.file("pid")).filter(\.isNumber)
    #expect(try await run(["cat"], [0x62]) == .success(.exited(status: 0)))
    #expect(try TemporaryFolder.read("/proc/\(pid)/stat").contains(") Z") == false)
    try folder.write("go", "")
    for await end in ends.stream {
      #expect(end == .success(.exited(status: 7)))
      break
    }
    #expect(!FileManager.default.fileExists(atPath: "/proc/\(pid)"))
  }

  @Test("one that is not there is said to be missing")
  func missing() async throws {
    let end = try await run(["no-such-program-here"], [])
    #expect(end == .failure(.notFound(program: "no-such-program-here")))
  }
}

import Testing

@testable import TermindInfrastructure

@Suite("File locks") struct FileLockTests {
  @Test("the second is told who has it, and gets it once the first has gone")
  func exclusive() throws {
    let scratch = try ScratchDirectory()
    let path = "\(scratch.path)/lock"
    var first: FileLock? = try FileLock(path: path, note: "the first")
    #expect(throws: FileLockError.held(note: "the first")) {
      try FileLock(path: path, note: "the second")
    }
    withExtendedLifetime(first) {}
    first = nil
    _ = try FileLock(path: path, note: "2")
    #expect(scratch.mode(of: "lock") == 0o600)
  }

  @Test("a lock that cannot be opened says so")
  func failed() {
    #expect(throws: FileLockError.self) { try FileLock(path: "/no/such/lock", note: "") }
  }
}

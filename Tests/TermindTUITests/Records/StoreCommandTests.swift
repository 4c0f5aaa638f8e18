import FoundationEssentials
import TermindInfrastructure
import TermindPersistence
import TermindTestSupport
import Testing

@testable import TermindTUI

/// A store that cannot be used, as the built program tells it without a server: path, cause, what to do.
@Suite("A store that cannot be used, on the command line", .timeLimit(.minutes(10)))
struct StoreCommandTests {
  /// What is wrong with the file, where nobody else has a part in it.
  enum Fault: String, CaseIterable {
    case damaged, cutOff, newer, foreign, directory

    var words: String {
      switch self {
      case .damaged, .cutOff: "is damaged"
      case .newer: "was written by a newer Termind (its format is 99; this one knows up to"
      case .foreign: "it is the database of another program"
      case .directory: "it is a directory"
      }
    }

    var remedy: String {
      switch self {
      case .damaged, .cutOff: "Put a copy from before in its place, then try again."
      case .newer: "Start the newer Termind."
      case .foreign, .directory: "Check the permissions of the file and its folder, then try again."
      }
    }
  }

  private struct Failure: Decodable { var error: ControlError }

  /// A data directory with a store that has one host.
  private func kept() async throws -> CommandRun {
    let termind = try CommandRun(home: TestHome())
    #expect(try await termind("host", "add", "kept", "--address", "192.0.2.1").status == 0)
    return termind
  }

  private func bytes(_ termind: CommandRun) throws -> Data {
    try Data(contentsOf: URL(filePath: termind.home.paths.store))
  }

  /// Lists and adds, and expects both to be refused with the path, a cause and what to do.
  private func expectRefusals(
    _ termind: CommandRun,
    _ words: String,
    _ remedy: String,
    of commands: [[String]] = [["host", "list"], ["host", "add", "new", "--address", "h"]]
  ) async throws {
    for command in commands {
      let refused = try await termind.run(command)
      #expect(refused.status == Int(ControlErrorCode.store.exitStatus), "\(command)")
      #expect(refused.output.isEmpty)
      #expect(refused.errors.contains("‘\(termind.home.paths.store)’"), "\(refused.errors)")
      #expect(refused.errors.contains(words), "\(refused.errors)")
      #expect(refused.errors.hasSuffix("\(remedy)\n"), "\(refused.errors)")
      let json = try await termind.run(command + ["--json"])
      let failure = try JSONDecoder().decode(Failure.self, from: Data(json.errors.utf8))
      #expect(failure.error.code == .store)
      #expect(failure.error.message.contains(remedy))
    }
  }

  @Test(
    "a file that is damaged, newer, or none of ours is named with what to do, and keeps every byte",
    arguments: Fault.allCases
  )
  func file(fault: Fault) async throws {
    let termind = try await kept()
    let path = termind.home.paths.store
    var store = try bytes(termind)
    switch fault {
    case .damaged: store.replaceSubrange(0..<16, with: Data("no database, no!".utf8))
    case .cutOff: store = store.prefix(4096 + 100)
    // The number of the schema stands at a fixed place of the file (sqlite.org/fileformat2.html), as does whose it is.
    case .newer: store.replaceSubrange(60..<64, with: [0, 0, 0, 99])
    case .foreign: store.replaceSubrange(68..<72, with: [1, 2, 3, 4])
    case .directory: break
    }
    if fault == .directory {
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.createDirectory(
        atPath: path,
        withIntermediateDirectories: false
      )
    } else {
      try store.write(to: URL(filePath: path))
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: termind.home.paths.data)
      .sorted()
    try await expectRefusals(termind, fault.words, fault.remedy)
    if fault != .directory { #expect(try bytes(termind) == store) }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: termind.home.paths.data).sorted() == names
    )
  }

  @Test("a store that another process holds is told as that, and is there once it is free")
  func locked() async throws {
    let termind = try await kept()
    // Another program may hold the file without being our server.
    let holder = try await SQLiteStore.open(at: termind.home.paths.store)
    _ = try await holder.hosts()
    try await expectRefusals(termind, "Another process holds", "End it, then try again.")
    await holder.close()
    #expect(try await termind("host", "list").output.contains("kept"))
  }

  @Test(
    "a store that can only be read is told as that, by its file or its folder, and keeps every byte",
    .enabled(if: SmallDisk.isPossible, "mounting needs root and CAP_SYS_ADMIN"),
    arguments: ["the file can only be read", "its folder can only be read: Read-only file system"]
  )
  func readOnly(words: String) async throws {
    let termind = try await kept()
    let before = try bytes(termind)
    let paths = termind.home.paths
    let mount = try await ReadOnlyMount(words.hasPrefix("its folder") ? paths.data : paths.store)
    try await expectRefusals(
      termind,
      "cannot be written: \(words)",
      "Check the permissions of the file and its folder, then try again."
    )
    #expect(try bytes(termind) == before)
    withExtendedLifetime(mount) {}
  }

  @Test(
    "a folder that can only be read and has no store yet is told by its lock, with what to do",
    .enabled(if: SmallDisk.isPossible, "mounting needs root and CAP_SYS_ADMIN")
  )
  func readOnlyFromTheStart() async throws {
    let termind = try CommandRun(home: TestHome())
    let paths = termind.home.paths
    try paths.prepareAll()
    let mount = try await ReadOnlyMount(paths.data)
    let refused = try await termind("host", "list")
    #expect(refused.status == 1)
    #expect(refused.errors.contains("\(paths.serverLock) cannot be used: Read-only file system"))
    #expect(refused.errors.contains("its folder must be one that you can write"))
    withExtendedLifetime(mount) {}
  }

  @Test(
    "on a full disk a change is refused whole, a list is given, and both work once there is room",
    .enabled(if: SmallDisk.isPossible, "mounting needs root and CAP_SYS_ADMIN")
  )
  func fullDisk() async throws {
    let termind = try CommandRun(home: TestHome())
    let paths = termind.home.paths
    try paths.prepareAll()
    let disk = try await SmallDisk("size=1m,mode=700", over: paths.data, in: TemporaryFolder())
    #expect(try await termind("host", "add", "kept", "--address", "192.0.2.1").status == 0)
    let filler = try disk.fill()
    try await expectRefusals(
      termind,
      "there is no room left",
      "Free some space, then try again.",
      of: [["host", "add", "new", "--address", "h"]]
    )
    #expect(
      try await termind("host", "list", "--json").decoded([HostRow].self).map(\.name) == ["kept"]
    )
    try FileManager.default.removeItem(atPath: filler)
    #expect(try await termind("host", "add", "new", "--address", "h").status == 0)
    #expect(
      try await termind("host", "list", "--json").decoded([HostRow].self).map(\.name)
        == ["kept", "new"]
    )
    withExtendedLifetime(disk) {}
  }
}

import Glibc
import Testing

@testable import TermindInfrastructure

@Suite("Paths") struct TermindPathsTests {
  private func paths(_ environment: [String: String]) -> TermindPaths {
    TermindPaths(
      environment: environment,
      user: 1234,
      homeDirectory: "/home/a",
      currentDirectory: "/work"
    )
  }

  @Test("TERMIND_HOME holds everything")
  func ownHome() {
    let found = paths(["TERMIND_HOME": "/x/y/", "XDG_DATA_HOME": "/other"])
    #expect(found.config == "/x/y/config")
    #expect(found.data == "/x/y/data")
    #expect(found.state == "/x/y/state")
    #expect(found.socket == "/x/y/run/default.sock")
    #expect(found.serverLock == "/x/y/data/server.lock")
  }

  @Test("a relative TERMIND_HOME is below the current directory")
  func relativeHome() {
    #expect(paths(["TERMIND_HOME": "demo"]).data == "/work/demo/data")
  }

  @Test("without it the XDG directories count, and relative ones do not")
  func xdg() {
    let found = paths(["HOME": "/home/b", "XDG_DATA_HOME": "/data/", "XDG_CONFIG_HOME": "rel"])
    #expect(found.config == "/home/b/.config/termind")
    #expect(found.data == "/data/termind")
    #expect(found.state == "/home/b/.local/state/termind")
    #expect(found.socket == "/tmp/termind-1234/default.sock")
  }

  @Test("a runtime directory counts only when it belongs to this user alone")
  func runtimeDirectory() throws {
    let scratch = try ScratchDirectory()
    #expect(
      paths(["XDG_RUNTIME_DIR": scratch.path]).socket == "\(scratch.path)/termind/default.sock"
    )
    scratch.setMode(0o755)
    #expect(paths(["XDG_RUNTIME_DIR": scratch.path]).socket == "/tmp/termind-1234/default.sock")
    #expect(paths(["XDG_RUNTIME_DIR": "/nowhere"]).socket == "/tmp/termind-1234/default.sock")
  }

  @Test("a socket path that the system cannot hold becomes a short one, always the same")
  func longPath() {
    let long = "/" + String(repeating: "d", count: 120)
    let first = paths(["TERMIND_HOME": long]).socket
    #expect(first.hasPrefix("/tmp/termind-1234/"))
    #expect(first.utf8.count <= 107)
    #expect(first == paths(["TERMIND_HOME": long]).socket)
    #expect(first != paths(["TERMIND_HOME": long + "e"]).socket)
    #expect(paths(["TERMIND_HOME": long]).data == long + "/data")
  }

  @Test(
    "a TERMIND_HOME that others may write, or that another user owns, is refused before anything is made"
  )
  func unsafeHome() throws {
    let scratch = try ScratchDirectory()
    let found = paths(["TERMIND_HOME": scratch.path + "/home"])
    try found.prepareAll()
    #expect(scratch.mode(of: "home") == 0o700)
    _ = unsafe chmod(scratch.path + "/home", 0o777)
    #expect(throws: DirectoryError.tooOpen(path: scratch.path + "/home", mode: 0o777)) {
      try found.prepareRuntime()
    }
    guard geteuid() == 0 else { return }
    _ = unsafe chmod(scratch.path + "/home", 0o700)
    #expect(unsafe chown(scratch.path + "/home", 65_534, 65_534) == 0)
    #expect(throws: DirectoryError.foreignOwner(path: scratch.path + "/home", user: 65_534)) {
      try found.prepareAll()
    }
  }
}

import FoundationEssentials
import Testing

@testable import TermindInfrastructure

@Suite("Private directories") struct PrivateDirectoryTests {
  private let scratch: ScratchDirectory

  init() throws { scratch = try ScratchDirectory() }

  @Test("are made with their parents, for the owner alone")
  func made() throws {
    try PrivateDirectory.ensure("\(scratch.path)/a/b/c", .exclusive)
    #expect(scratch.mode(of: "a") == 0o700)
    #expect(scratch.mode(of: "a/b/c") == 0o700)
    try PrivateDirectory.ensure("\(scratch.path)/a/b/c", .exclusive)
  }

  @Test("a symbolic link is refused for a socket, and followed in the home")
  func link() throws {
    let target = "\(scratch.path)/target"
    let link = "\(scratch.path)/link"
    try PrivateDirectory.ensure(target, .exclusive)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    #expect(throws: DirectoryError.symbolicLink(path: link)) {
      try PrivateDirectory.ensure(link, .exclusive)
    }
    try PrivateDirectory.ensure(link, .owned)
  }

  @Test("a file in the way is refused")
  func file() throws {
    let path = "\(scratch.path)/file"
    try Data().write(to: URL(filePath: path))
    #expect(throws: DirectoryError.notDirectory(path: path)) {
      try PrivateDirectory.ensure(path, .owned)
    }
  }

  @Test("access for others is refused, as closely as asked")
  func modes() throws {
    scratch.setMode(0o755)
    #expect(throws: DirectoryError.tooOpen(path: scratch.path, mode: 0o755)) {
      try PrivateDirectory.check(scratch.path, .exclusive)
    }
    try PrivateDirectory.check(scratch.path, .owned)
    scratch.setMode(0o777)
    #expect(throws: DirectoryError.tooOpen(path: scratch.path, mode: 0o777)) {
      try PrivateDirectory.check(scratch.path, .owned)
    }
  }

  @Test("a directory of somebody else is refused")
  func foreign() throws {
    guard UserAccount.current()?.user == 0 else { return }
    try FileManager.default.setAttributes([.ownerAccountID: 4321], ofItemAtPath: scratch.path)
    #expect(throws: DirectoryError.foreignOwner(path: scratch.path, user: 4321)) {
      try PrivateDirectory.ensure(scratch.path, .exclusive)
    }
  }
}

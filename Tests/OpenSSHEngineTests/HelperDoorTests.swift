import Glibc
import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

@Suite("OpenSSH engine: the door for helpers", .timeLimit(.minutes(3))) struct HelperDoorTests {
  /// Sends bytes to a socket, ends its side, and prints what comes.
  private static let client = #"""
    import socket, sys
    client = socket.socket(socket.AF_UNIX)
    client.connect(sys.argv[1])
    try:
        client.sendall(bytes.fromhex(sys.argv[2]))
        answer = b''
        while part := client.recv(4096):
            answer += part
        print('GOT', answer.hex() or 'nothing')
    except OSError:
        print('GOT nothing')
    """#

  private func ask(_ path: String, _ bytes: [UInt8]) async throws -> String {
    let hex = bytes.map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }
    let text = try await TestProgram.run(
      "/usr/bin/python3",
      ["-c", Self.client, path, hex.joined()]
    )
    return String(text.split(separator: "\n").last ?? "")
  }

  @Test("answers who descends from the attempt's ssh and knows its token, and nobody else")
  func admission() async throws {
    let folder = try TemporaryFolder()
    let loop = try EventLoop(name: "door")
    defer { loop.shutdown() }
    let asked = Locked<[[String]]>([])
    let path = folder.file("h")
    let door = try HelperDoor(at: path, on: loop) { request, caller in
      asked.withLock { $0.append(request.words) }
      caller.answer(Array("yes".utf8))
    }
    defer { door.close() }
    func request(_ token: String, _ word: String) -> [UInt8] {
      HelperMessage.encoded(.init(token: token, kind: .prompt, words: [word, ""]))
    }
    // Before `ssh` was started nobody descends from it.
    #expect(try await ask(path, request(door.token, "early")) == "GOT nothing")
    door.admit(descendantsOf: getpid())
    #expect(try await ask(path, request(door.token, "first")) == "GOT 01796573")
    #expect(
      try await ask(path, request(String(door.token.dropLast()) + "-", "guessed")) == "GOT nothing"
    )
    #expect(try await ask(path, request("", "empty")) == "GOT nothing")
    #expect(try await ask(path, [0, 255, 255, 255]) == "GOT nothing")
    #expect(try await ask(path, request(door.token, "second")) == "GOT 01796573")
    // A process of the same user that another one started.
    let other = try TestProgram("/bin/sleep", ["600"])
    defer { other.stop() }
    door.admit(descendantsOf: other.pid)
    #expect(try await ask(path, request(door.token, "stranger")) == "GOT nothing")
    #expect(asked.withLock { $0 } == [["first", ""], ["second", ""]])
  }
}

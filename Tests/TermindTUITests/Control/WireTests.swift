import TermindDomain
import TermindInfrastructure
import Testing

@testable import TermindTUI

@Suite("Messages of the local socket") struct WireTests {
  private static var modes: TerminalModes {
    get throws {
      try #require(
        TerminalModes(
          flags: [1, 2, 3, 4],
          line: 5,
          characters: (0..<32).map { UInt8($0) },
          speeds: [6, 7]
        )
      )
    }
  }

  private static var requests: [AttachRequest] {
    let size = TerminalDimensions(rows: 5, columns: 6, pixelWidth: 7, pixelHeight: 8)
    let kinds: [AttachKind] = [
      .newWindow, .attach(nil), .attach(WindowID(rawValue: 9)), .run(["a", "", "ü\0"]),
      .ssh(["-p", "1", "h"]), .demo, .open(OpenRequest(hosts: ["a", "b c"])),
      .open(OpenRequest(hosts: [], tags: ["t"], layout: .mainAndStack, name: "n")),
      .open(OpenRequest(hosts: [], template: "all")),
      .open(OpenRequest(hosts: ["a"], showsFiles: true)),
    ]
    return kinds.map {
      AttachRequest(
        kind: $0,
        environment: ["TERM": "xterm", "LANG": ""],
        directory: "/a b",
        size: $0 == .demo ? nil : size,
        clientProcess: 77
      )
    }
  }

  private static func clientMessages() throws -> [ClientMessage] {
    [
      .hello(protocolNumber: 3, build: "x"), .resized, .wantsStop,
      .resumed(originalModes: try modes),
      .wantsDetach(reason: "why"), .control([1, 2]),
      .secret(field: "password", SecretBytes([0, 255, 10])), .shutDown(force: true),
      .shutDown(force: false), .transfer([3, 4]), .cancelTransfer,
      .runSnippet([5]), .answer(7, nil), .answer(8, []),
      .answer(9, [SecretBytes([1, 0]), SecretBytes([])]),
    ] + (try requests.map { .attach($0, originalModes: try modes) })
  }

  private static let serverMessages: [ServerMessage] = [
    .welcome(build: "b", process: 4, leave: [27, 0]), .refused(.version, text: "t"),
    .leaveChanged([]), .stop(unwritten: [9]), .goodbye(status: 3, text: "bye", unwritten: [1]),
    .reply([UInt8](repeating: 7, count: 100_000)), .transfer([123, 125]),
  ]

  @Test(
    "every message comes out as it went in, wherever the stream is cut",
    arguments: [1, 2, 5, 4096]
  )
  func roundTrip(step: Int) throws {
    let client = try Self.clientMessages()
    let bytes = client.flatMap(\.frame)
    var buffer = FrameBuffer(limit: ClientMessage.limit)
    var found: [ClientMessage] = []
    for start in stride(from: 0, to: bytes.count, by: step) {
      buffer.append(Array(bytes[start..<min(start + step, bytes.count)]))
      while let frame = try buffer.next() { found.append(try ClientMessage(frame)) }
    }
    #expect(found == client)
    var replies = FrameBuffer(limit: ServerMessage.limit)
    replies.append(Self.serverMessages.flatMap(\.frame))
    for message in Self.serverMessages {
      #expect(try ServerMessage(try #require(try replies.next())) == message)
    }
  }

  @Test("a frame that is too large for its kind is refused by its header alone")
  func tooLarge() {
    var buffer = FrameBuffer(limit: ClientMessage.limit)
    buffer.append([0, 0, 0x11, 0, 3])
    #expect(throws: WireError.tooLarge(kind: 3, size: 0x11_0000)) { try buffer.next() }
  }

  @Test("any cut or changed message is an error or a message, never a crash")
  func damaged() throws {
    var generator = SystemRandomNumberGenerator()
    for message in try Self.clientMessages() {
      let frame = message.frame
      let payload = frame.dropFirst(FrameBuffer.headerSize)
      for count in 0..<payload.count {
        _ = try? ClientMessage(FrameBuffer.Frame(kind: frame[4], payload: payload.prefix(count)))
      }
      for _ in 0..<200 where !payload.isEmpty {
        var changed = Array(payload)
        changed[Int.random(in: 0..<changed.count)] = UInt8.random(in: 0...255, using: &generator)
        _ = try? ClientMessage(FrameBuffer.Frame(kind: frame[4], payload: changed[...]))
      }
    }
    for kind in UInt8.min...UInt8.max {
      let noise = (0..<64).map { _ in UInt8.random(in: 0...255, using: &generator) }
      _ = try? ClientMessage(FrameBuffer.Frame(kind: kind, payload: noise[...]))
      _ = try? ServerMessage(FrameBuffer.Frame(kind: kind, payload: noise[...]))
    }
  }

  @Test("variables that the server does not ask for are dropped")
  func environment() throws {
    var request = AttachRequest(kind: .newWindow)
    request.environment = ["TERM": "x", "LD_PRELOAD": "evil"]
    var writer = WireWriter()
    request.write(to: &writer)
    var reader = WireReader(writer.bytes[...])
    #expect(try AttachRequest(from: &reader).environment == ["TERM": "x"])
  }
}

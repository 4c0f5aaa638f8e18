import TermindApplication
import TermindDomain
import Testing

@testable import TermindRemoteInfrastructure

@Suite("OpenSSH engine: messages on the control socket") struct ConnectionMessageTests {
  private func message(_ write: (ChannelMessageWriter) -> Void) throws -> ChannelMessage {
    let queue = ByteQueue()
    write(ChannelMessageWriter(queue: queue))
    var bytes = [UInt8](repeating: 0, count: queue.count)
    _ = bytes.withUnsafeMutableBytes { queue.take(into: $0) }
    var reader = WireReader(bytes)
    let content = try reader.string()
    #expect(reader.isAtEnd)
    return try ChannelMessage(content)
  }

  @Test("what is written is read as it was meant")
  func roundTrip() throws {
    #expect(try message { $0.plain(.eof, 7) } == .eof(channel: 7))
    #expect(try message { $0.plain(.close, 9) } == .close(channel: 9))
    #expect(
      try message { $0.window(3, byteCount: 70_000) } == .window(channel: 3, byteCount: 70_000)
    )
    #expect(
      try message { $0.open("session", sender: 4, window: 5, maximumPacket: 6) } == .open(sender: 4)
    )
    #expect(
      try message { $0.request(2, "pty-req", wantsReply: true) }
        == .request(channel: 2, wantsReply: true)
    )
    let data = try message { writer in
      [UInt8]("abc".utf8).withUnsafeBytes { writer.data(1, $0) }
    }
    #expect(data == .data(channel: 1, content: 10..<13))
  }

  @Test("the ends of programs are understood")
  func ends() throws {
    func request(_ name: String, _ content: (inout WireWriter) -> Void) throws -> ChannelMessage {
      var writer = WireWriter()
      writer.byte(0)
      writer.byte(98)
      writer.uint32(5)
      writer.string(name)
      writer.byte(0)
      content(&writer)
      return try ChannelMessage(writer.bytes)
    }
    #expect(try request("exit-status") { $0.uint32(3) } == .exitStatus(channel: 5, status: 3))
    #expect(
      try request("exit-signal") { $0.string("TERM") } == .exitSignal(channel: 5, name: "TERM")
    )
    #expect(try request("eow@openssh.com") { _ in } == .request(channel: 5, wantsReply: false))
    #expect(throws: WireError.self) { try request("exit-status") { _ in } }
  }

  @Test("no bytes are read past, and nothing odd stops the program")
  func fuzz() {
    var generator = SplitMix(state: 4)
    var understood = 0
    for _ in 0..<20_000 {
      let count = Int(generator.next() % 40)
      var bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
      if count > 1 { bytes[1] = UInt8(90 + generator.next() % 11) }
      for place in bytes.indices.dropFirst(2) where generator.next() % 2 == 0 { bytes[place] = 0 }
      if (try? ChannelMessage(bytes)) != nil { understood += 1 }
      _ = try? MuxMessage.reply(bytes, to: 0)
      _ = try? HelperMessage.request(bytes)
    }
    #expect(understood > 0)
  }

  @Test("helpers' questions are read when they are whole, and nothing else is")
  func helperRequests() throws {
    let request = HelperMessage.Request(token: "t", kind: .prompt, words: ["Password: ", ""])
    let bytes = HelperMessage.encoded(request)
    #expect(try HelperMessage.request(bytes) == request)
    for count in 0..<bytes.count {
      #expect(try HelperMessage.request(Array(bytes[..<count])) == nil)
    }
    #expect(throws: WireError.self) { try HelperMessage.request(bytes + [0]) }
    #expect(throws: WireError.self) { try HelperMessage.request([0xFF, 0xFF, 0xFF, 0xFF]) }
  }

  @Test("answers of the master are told apart")
  func masterAnswers() throws {
    func reply(_ numbers: [UInt32], text: String? = nil) throws -> MuxMessage.Reply {
      var writer = WireWriter()
      for number in numbers { writer.uint32(number) }
      if let text { writer.string(text) }
      return try MuxMessage.reply(writer.bytes, to: 1)
    }
    #expect(try reply([1, 4]) == .hello(version: 4))
    #expect(try reply([0x8000_000f, 1]) == .proxy)
    #expect(try reply([0x8000_0001, 1]) == .done)
    #expect(try reply([0x8000_0007, 1, 4_000]) == .port(4_000))
    #expect(try reply([0x8000_0003, 1], text: "no") == .refused("no"))
    #expect(throws: WireError.self) { try reply([0x8000_0001, 2]) }
    #expect(throws: WireError.self) { try reply([0x8000_0001]) }
  }

  private struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var value = state
      value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
      value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
      return value ^ (value >> 31)
    }
  }
}

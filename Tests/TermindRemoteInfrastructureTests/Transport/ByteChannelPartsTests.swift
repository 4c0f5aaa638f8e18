import TermindApplication
import TermindInfrastructure
import TermindTestSupport
import Testing

@testable import TermindRemoteInfrastructure

@Suite("Parts of byte channels") struct ByteChannelPartsTests {
  private func makeChannel(
    bound: Int,
    wake: @escaping @Sendable () -> Void = {}
  ) throws -> (LibSSH2ByteChannel, EventLoop) {
    let loop = try EventLoop(name: "test-bytes")
    return (
      LibSSH2ByteChannel(executor: loop, bound: bound, typing: TypingSign(), wake: wake), loop
    )
  }

  @Test("small pieces are joined, large ones are kept as they are")
  func pieces() throws {
    let (channel, loop) = try makeChannel(bound: 1_000_000)
    defer { loop.shutdown() }
    for byte in 0..<100 { channel.send([UInt8(byte)]) }
    channel.send([UInt8](repeating: 1, count: 32_768))
    channel.send([2])
    let orders = channel.takeOrders()
    #expect(orders.pieces.map(\.count) == [100, 32_768, 1])
    #expect(orders.pieces[0] == Array(0..<100))
    #expect(channel.queuedByteCount == 32_869)
    #expect(channel.takeOrders().pieces.isEmpty)
  }

  @Test("what does not fit is refused whole, and room is told once, at half of the bound")
  func bound() throws {
    let wakes = Locked(0)
    let (channel, loop) = try makeChannel(bound: 100) { wakes.withLock { $0 += 1 } }
    defer { loop.shutdown() }
    #expect(channel.send([UInt8](repeating: 0, count: 100)))
    #expect(!channel.send([1]))
    #expect(wakes.withLock { $0 } == 1)
    #expect(!channel.wrote(49))
    #expect(channel.wrote(1))
    #expect(!channel.wrote(1))
    #expect(channel.send([UInt8](repeating: 0, count: 51)))
    channel.finishSending()
    #expect(!channel.send([1]))
    #expect(channel.takeOrders().isFinished)
    channel.end()
    #expect(channel.queuedByteCount == 0)
  }

  @Test("who connected is read from the open, and half an open is nothing")
  func origins() throws {
    var open = WireWriter()
    open.string("forwarded-tcpip")
    for number in [5, 2_097_152, 32_768] { open.uint32(UInt32(number)) }
    open.string("localhost")
    open.uint32(8_022)
    open.string("10.0.0.7")
    open.uint32(51_022)
    let packet = [90] + open.bytes
    var observer = PacketObserver()
    packet.withUnsafeBytes { observer.releasingOpen($0) }
    #expect(observer.takeOrigin(host: "localhost", port: 8_022) == nil)
    observer.isListening = true
    for count in 0..<packet.count {
      packet[..<count].withUnsafeBytes { observer.releasingOpen($0) }
    }
    #expect(observer.takeOrigin(host: "localhost", port: 8_022) == nil)
    packet.withUnsafeBytes { observer.releasingOpen($0) }
    #expect(observer.takeOrigin(host: "localhost", port: 22) == nil)
    let origin = observer.takeOrigin(host: "localhost", port: 8_022)
    #expect(origin?.from == "10.0.0.7")
    #expect(origin?.fromPort == 51_022)
    packet.withUnsafeBytes { observer.releasingOpen($0) }
    observer.forgetOrigins(host: "localhost", port: 8_022)
    #expect(observer.takeOrigin(host: "localhost", port: 8_022) == nil)
  }

  @Test(
    "what is old is left out unless it is asked for",
    arguments: [
      ("diffie-hellman-group14-sha1", SSH2Method.keyExchange, true),
      ("diffie-hellman-group-exchange-sha1", .keyExchange, true),
      ("diffie-hellman-group14-sha256", .keyExchange, false),
      ("curve25519-sha256@libssh.org", .keyExchange, false),
      ("ssh-dss", .hostKey, true), ("ssh-rsa", .hostKey, false),
      ("aes128-cbc", .cipherToServer, true), ("arcfour128", .cipherToClient, true),
      ("aes256-ctr", .cipherToServer, false), ("aes128-gcm@openssh.com", .cipherToServer, false),
      ("chacha20-poly1305@openssh.com", .cipherToClient, false), ("hmac-md5", .macToServer, true),
      ("hmac-sha1-96", .macToClient, true), ("hmac-sha1", .macToServer, false),
      ("hmac-sha2-256", .macToServer, false),
    ]
  )
  func oldAlgorithms(name: String, method: SSH2Method, isOld: Bool) {
    #expect(OldAlgorithms.contains(name, of: method) == isOld)
  }

  @Test("bytes of another engine's channel wait for the connection, and hold the channel back")
  func inlet() {
    let wakes = Locked(0)
    let inlet = ByteChannelPipe.Inlet { wakes.withLock { $0 += 1 } }
    let channel = HeldChannel()
    inlet.attach(channel)
    let piece = [UInt8](repeating: 9, count: 600_000)
    piece.withUnsafeBytes { inlet.received($0) }
    #expect(channel.holds == [])
    piece.withUnsafeBytes { inlet.received($0) }
    #expect(channel.holds == [false])
    inlet.finishedReceiving()
    let pipe = ByteChannelPipe(channel: channel, inlet: inlet)
    let queue = ByteQueue()
    var total = 0
    while case .bytes(let count) = pipe.read(into: queue, limit: 200_000, observe: { _ in }) {
      total += count
    }
    #expect(total == 1_200_000)
    #expect(queue.count == 1_200_000)
    #expect(channel.holds == [false, true])
    guard case .ended(.closed) = pipe.read(into: queue, limit: 10, observe: { _ in }) else {
      Issue.record("no end")
      return
    }
    #expect(wakes.withLock { $0 } == 3)
  }
}

/// Notes how it is held back.
private final class HeldChannel: ByteChannel {
  private let state = Locked([Bool]())

  var holds: [Bool] { state.withLock { $0 } }
  var executor: any SerialExecutor { preconditionFailure("nobody runs beside it") }
  var queuedByteCount: Int { 0 }

  func send(_ bytes: [UInt8]) -> Bool { true }
  func finishSending() {}
  func setReceiving(_ isOn: Bool) { state.withLock { $0.append(isOn) } }
  func signal(_ name: String) {}
  func close() {}
}

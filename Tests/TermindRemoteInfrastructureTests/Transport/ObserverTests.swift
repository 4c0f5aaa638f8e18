import Testing

@testable import TermindRemoteInfrastructure

@Suite("What servers tell beside libssh2") struct ObserverTests {
  private func string(_ text: String) -> [UInt8] {
    var writer = WireWriter()
    writer.string(text)
    return writer.bytes
  }

  private func opening(_ bytes: [UInt8], piece: Int) -> OpeningObserver {
    var observer = OpeningObserver()
    var place = 0
    while place < bytes.count {
      let end = min(place + piece, bytes.count)
      bytes[place..<end].withUnsafeBytes { observer.observe($0) }
      place = end
    }
    return observer
  }

  private var kexInit: [UInt8] {
    var payload: [UInt8] = [20] + [UInt8](repeating: 7, count: 16)
    for list in ["kex-a,kex-b", "host-a", "c1", "c2,c3", "m1", "m2"] { payload += string(list) }
    payload += string("none") + string("none") + string("") + string("") + [0, 0, 0, 0, 0]
    let padding = [UInt8](repeating: 0, count: 6)
    var writer = WireWriter()
    writer.uint32(UInt32(payload.count + padding.count + 1))
    return writer.bytes + [UInt8(padding.count)] + payload + padding
  }

  private func request(_ name: String, channel: UInt8) -> [UInt8] {
    [98, 0, 0, 0, channel] + string(name) + [0, 0, 0, 0, 0]
  }

  @Test("the end of a program is noted for its channel, once, and nothing else is")
  func programEnd() {
    var observer = PacketObserver()
    for (name, channel) in [("exit-status", 1), ("exit-signal", 2), ("keepalive", 3)]
      as [(String, UInt8)]
    {
      request(name, channel: channel).withUnsafeBytes { observer.releasingRequest($0) }
    }
    // Memory that only begins like a request.
    for bytes in [
      [98], [98, 0, 0, 0, 4, 255, 255, 255, 255, 1],
      Array(request("exit-status", channel: 4).prefix(15)),
    ] as [[UInt8]] {
      bytes.withUnsafeBytes { observer.releasingRequest($0) }
    }
    var noted: [Bool] = []
    for channel in [1, 2, 3, 4, 1] as [UInt32] {
      noted.append(observer.takeProgramEnd(of: channel))
    }
    #expect(noted == [true, true, false, false, false])
  }

  @Test("the identification and the offer are read in any pieces", arguments: [1, 3, 17, 4_096])
  func offer(piece: Int) {
    let text = Array("Welcome\r\nto us\nSSH-2.0-Test_1 x\r\n".utf8)
    let observer = opening(text + kexInit + [9, 9, 9], piece: piece)
    #expect(observer.identification == "SSH-2.0-Test_1 x")
    #expect(observer.preface == "Welcome\nto us")
    #expect(observer.offer?.keyExchange == ["kex-a", "kex-b"])
    #expect(observer.offer?.hostKey == ["host-a"])
    #expect(observer.offer?.cipherToClient == ["c2", "c3"])
    #expect(observer.offer?.macToClient == ["m2"])
  }

  @Test("anything else gives no offer, bounded memory and no crash")
  func garbage() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      let noise = (0..<500).map { _ in UInt8.random(in: 0...255, using: &generator) }
      _ = opening(Array("SSH-2.0-x\r\n".utf8) + noise, piece: 64)
      _ = opening(noise, piece: 33)
    }
    let endless = opening([UInt8](repeating: 97, count: 300_000), piece: 10_000)
    #expect(endless.identification == nil)
    #expect(endless.banner.utf8.count <= 400)
    let short = opening(Array("SSH-2.0-x\r\n".utf8) + [0, 0, 0, 1, 0, 20], piece: 64)
    #expect(short.offer == nil)
  }

  @Test("refusals, banners and refused channels are read, and broken ones are not")
  func packets() {
    let refusal = [51] + string("publickey,keyboard-interactive") + [1]
    refusal.withUnsafeBytes { bytes in
      #expect(
        PacketObserver.refusal(bytes)
          == PacketObserver.Refusal(
            methods: ["publickey", "keyboard-interactive"],
            isPartial: true
          )
      )
    }
    let broken: [[UInt8]] = [
      [51], [51, 0, 0, 0, 9, 1], [51] + string("a b") + [0], [51] + string("a") + [9],
    ]
    for bytes in broken {
      bytes.withUnsafeBytes { #expect(PacketObserver.refusal($0) == nil) }
    }
    let banner = [53] + string("Hello\n") + string("en")
    banner.withUnsafeBytes { #expect(PacketObserver.banner($0) == "Hello\n") }
    [UInt8]([53, 255, 255, 255, 255]).withUnsafeBytes { #expect(PacketObserver.banner($0) == nil) }
    let channel = [92, 0, 0, 0, 1, 0, 0, 0, 2] + string("open failed") + string("")
    channel.withUnsafeBytes { #expect(PacketObserver.channelRefusal($0) == "open failed") }
    [UInt8]([92, 0]).withUnsafeBytes { #expect(PacketObserver.channelRefusal($0) == nil) }
  }

  @Test("the algorithm of a signature request is read from its data")
  func algorithm() {
    let data =
      string("session id") + [50] + string("user") + string("ssh-connection")
      + string("publickey") + [1] + string("rsa-sha2-512") + string("blob")
    #expect(LibSSH2Connection.algorithm(in: data) == "rsa-sha2-512")
    for count in 0..<(data.count - 8) {
      _ = LibSSH2Connection.algorithm(in: Array(data.prefix(count)))
    }
    #expect(LibSSH2Connection.algorithm(in: []) == nil)
  }
}

import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindTestSupport

@testable import TermindRemoteInfrastructure

/// A request as the scripted server sees it.
struct ScriptedRequest: Sendable {
  let kind: SFTPKind
  let number: UInt32
  /// What follows the number.
  let body: ArraySlice<UInt8>

  func status(_ code: UInt32, _ text: String = "") -> [UInt8] {
    var encoder = SFTPEncoder(.replyStatus, number: number)
    encoder.add(code)
    encoder.add(string: text.utf8)
    encoder.add(string: "".utf8)
    return encoder.finished()
  }

  func handle(_ bytes: [UInt8] = [1]) -> [UInt8] {
    var encoder = SFTPEncoder(.replyHandle, number: number)
    encoder.add(string: bytes)
    return encoder.finished()
  }

  func data(_ bytes: [UInt8]) -> [UInt8] {
    var encoder = SFTPEncoder(.replyData, number: number)
    encoder.add(string: bytes)
    return encoder.finished()
  }

  func attributes(size: UInt64, mode: UInt32? = nil) -> [UInt8] {
    var encoder = SFTPEncoder(.replyAttributes, number: number)
    encoder.add(UInt32(mode == nil ? 1 : 5))
    encoder.add(size)
    if let mode { encoder.add(mode) }
    return encoder.finished()
  }

  func names(_ names: [[UInt8]], line: String = "") -> [UInt8] {
    var encoder = SFTPEncoder(.replyNames, number: number)
    encoder.add(UInt32(names.count))
    for name in names {
      encoder.add(string: name)
      encoder.add(string: line.utf8)
      encoder.add(UInt32(0))
    }
    return encoder.finished()
  }

  /// Names of which the listing tells what they are.
  func files(_ names: [[UInt8]], mode: UInt32) -> [UInt8] {
    var encoder = SFTPEncoder(.replyNames, number: number)
    encoder.add(UInt32(names.count))
    for name in names {
      encoder.add(string: name)
      encoder.add(string: "".utf8)
      encoder.add(UInt32(4))
      encoder.add(mode)
    }
    return encoder.finished()
  }

  /// The first string of the body as a text.
  var firstText: String {
    var decoder = SFTPDecoder(body)
    guard let bytes = try? decoder.string() else { return "" }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// An SFTP server that answers as a test says.
final class ScriptedSFTPServer: Sendable {
  /// What it does with a request: what it answers, at once or later through `deliver`.
  typealias Answer = @Sendable (ScriptedRequest, ScriptedSFTPServer) -> [UInt8]

  private struct State {
    var frames = SFTPFrames()
    var requests: [ScriptedRequest] = []
    var channel: ScriptedByteChannel?
    var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Locked(State())
  private let extensions: [String]
  private let answer: Answer

  init(extensions: [String] = [], _ answer: @escaping Answer) {
    self.extensions = extensions
    self.answer = answer
  }

  /// Everything that was asked, without the first message.
  var requests: [ScriptedRequest] { state.withLock { $0.requests } }
  var channel: ScriptedByteChannel? { state.withLock { $0.channel } }

  /// Suspends until so many requests have come.
  func wait(forRequests count: Int) async {
    await withCheckedContinuation { continuation in
      let isReady = state.withLock { state in
        if state.requests.count >= count { return true }
        state.waiters.append((count, continuation))
        return false
      }
      if isReady { continuation.resume() }
    }
  }

  func deliver(_ bytes: [UInt8]) { channel?.deliver(bytes) }

  /// Starts a client of this server.
  func connect(on loop: EventLoop, within limit: Duration = .seconds(30)) async throws(FileError)
    -> SFTPFileSystem
  {
    try await SFTPFileSystem.start(place: .server("scripted"), within: limit) {
      (receiver) async throws(ConnectionFailure) in
      let channel = ScriptedByteChannel(on: loop, receiver: receiver) { [self] bytes, _ in
        take(bytes)
      }
      state.withLock { $0.channel = channel }
      return channel
    }
  }

  private func take(_ bytes: [UInt8]) {
    let messages = state.withLock { state in
      bytes.withUnsafeBytes { state.frames.append($0) }.messages
    }
    for message in messages {
      guard message.first != SFTPKind.initialize.rawValue else {
        var version = SFTPEncoder(.version, number: nil)
        version.add(UInt32(3))
        for name in extensions {
          version.add(string: name.utf8)
          version.add(string: "1".utf8)
        }
        deliver(version.finished())
        continue
      }
      var decoder = SFTPDecoder(message)
      guard let kind = try? SFTPKind(rawValue: decoder.byte()),
        let number = try? decoder.number()
      else { continue }
      let request = ScriptedRequest(kind: kind, number: number, body: decoder.rest())
      let ready = state.withLock { state in
        state.requests.append(request)
        let count = state.requests.count
        let ready = state.waiters.filter { $0.count <= count }
        state.waiters.removeAll { $0.count <= count }
        return ready.map(\.continuation)
      }
      let reply = answer(request, self)
      if !reply.isEmpty { deliver(reply) }
      for waiter in ready { waiter.resume() }
    }
  }
}

internal import FoundationEssentials
internal import Glibc
internal import TermindDomain
internal import TermindInfrastructure

/// One helper that asks; it waits until it is answered or its attempt ends.
final class HelperCaller: Sendable {
  private struct State {
    var input: [UInt8] = []
    var watch: DescriptorWatch?
    var hasAsked = false
    var isOver = false
    var whenGone: [@Sendable () -> Void] = []
  }

  private let socket: LocalSocket
  private let state = Locked(State())

  fileprivate init(_ socket: LocalSocket) { self.socket = socket }

  /// Answers with bytes, and ends the call.
  func answer(_ bytes: [UInt8]) {
    send([1] + bytes)
    close()
  }

  /// Answers with a secret, and ends the call.
  func answer(_ secret: SecretBytes) {
    var bytes: [UInt8] = [1]
    bytes.append(contentsOf: secret)
    send(bytes)
    SecretBytes.wipe(&bytes)
    close()
  }

  /// Hands a socket over, and ends the call.
  func hand(over descriptor: OwnedDescriptor) {
    // `try?`: a helper that is gone was ended with its `ssh`, which is noticed there.
    _ = try? socket.send([1], descriptors: [descriptor])
    close()
  }

  /// Ends the call without an answer.
  func close() {
    let whenGone = state.withLock { state in
      state.isOver = true
      state.watch?.cancel()
      state.watch = nil
      defer { state.whenGone = [] }
      return state.whenGone
    }
    _ = shutdown(socket.descriptor.number, Int32(SHUT_RDWR))
    for body in whenGone { body() }
  }

  /// Has `body` run once the helper is gone or the call has ended.
  func whenGone(_ body: @escaping @Sendable () -> Void) {
    let isOver = state.withLock { state in
      if !state.isOver { state.whenGone.append(body) }
      return state.isOver
    }
    if isOver { body() }
  }

  /// Answers are far smaller than what a fresh socket takes at once.
  private func send(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      // `try?`: as above.
      guard let count = try? socket.send(rest), count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Reads what has come; gives the request when it is complete.
  fileprivate func read() -> HelperMessage.Request? {
    let input: LocalSocketInput?
    do throws(LocalSocketError) {
      input = try socket.receive(limit: 65_536)
    } catch {
      close()
      return nil
    }
    guard let input else { return nil }
    let hasAsked = state.withLock { $0.hasAsked }
    guard !input.bytes.isEmpty, !hasAsked else {
      close()
      return nil
    }
    let all = state.withLock { state in
      state.input += input.bytes
      return state.input
    }
    do throws(WireError) {
      guard all.count <= HelperMessage.maximumByteCount + 4 else {
        throw WireError(reason: "oversized request")
      }
      guard let request = try HelperMessage.request(all) else { return nil }
      state.withLock { state in
        state.hasAsked = true
        state.input = []
      }
      return request
    } catch {
      close()
      return nil
    }
  }

  fileprivate func watch(
    on loop: EventLoop,
    _ handler: @escaping @Sendable () -> Void
  ) throws(EventLoopError) {
    let watch = try loop.watch(socket.descriptor.number, for: .readable) { _ in handler() }
    state.withLock { $0.watch = watch }
  }
}

/// Where the helpers of one attempt come in: a socket that only processes of this user that descend from the attempt's
/// `ssh` get an answer from, and only with the attempt's token.
final class HelperDoor: Sendable {
  private struct State {
    var watch: DescriptorWatch?
    var callers: [HelperCaller] = []
    var master: Int32?
  }

  /// More helpers than `ssh` ever has at the same time.
  private static let maximumCallers = 16

  /// The word that helpers must know.
  let token = MasterFolder.randomText() + MasterFolder.randomText()
  private let socket: LocalSocket
  private let loop: EventLoop
  private let handler: @Sendable (HelperMessage.Request, HelperCaller) -> Void
  private let state = Locked(State())

  /// Opens the door; `handler` is called on the loop.
  init(
    at path: String,
    on loop: EventLoop,
    handler: @escaping @Sendable (HelperMessage.Request, HelperCaller) -> Void
  ) throws {
    socket = try LocalSocket.listen(at: path)
    self.loop = loop
    self.handler = handler
    let watch = try loop.watch(socket.descriptor.number, for: .readable) { [weak self] _ in
      self?.accept()
    }
    state.withLock { $0.watch = watch }
  }

  /// Lets the descendants of a process in.
  func admit(descendantsOf process: Int32) { state.withLock { $0.master = process } }

  /// Closes the door, and ends every call.
  func close() {
    let callers = state.withLock { state in
      state.watch?.cancel()
      state.watch = nil
      defer { state.callers = [] }
      return state.callers
    }
    for caller in callers { caller.close() }
  }

  private func accept() {
    while let peer = try? socket.accept() {
      // `try?`: a listening socket that fails lets nobody in, and the attempt's deadline tells.
      guard let process = try? peer.checkPeer() else { continue }
      let isAdmitted = state.withLock { state in
        guard let master = state.master, state.callers.count < Self.maximumCallers else {
          return false
        }
        return ProcessDescent.descends(process, from: master)
      }
      guard isAdmitted else { continue }
      let caller = HelperCaller(peer)
      state.withLock { $0.callers.append(caller) }
      caller.whenGone { [weak self] in
        self?.state.withLock { state in state.callers.removeAll { $0 === caller } }
      }
      do throws(EventLoopError) {
        try caller.watch(on: loop) { [weak self] in self?.ready(caller) }
      } catch {
        caller.close()
      }
    }
  }

  private func ready(_ caller: HelperCaller) {
    guard let request = caller.read() else { return }
    guard request.token == token else { return caller.close() }
    handler(request, caller)
  }
}

/// Who started whom, and who has ended, as procfs tells.
enum ProcessDescent {
  /// Whether a process has ended, also when nobody has collected it yet.
  static func isOver(_ process: Int32) -> Bool {
    guard kill(process, 0) == 0 else { return errno == ESRCH }
    return fields(of: process)?.first == "Z"
  }

  /// Whether a process is another one or was started by it, directly or through a few others.
  ///
  /// A process that cannot be looked at is let pass: the user and the token were checked, and some systems hide
  /// processes from each other.
  static func descends(_ process: Int32, from ancestor: Int32) -> Bool {
    var process = process
    for _ in 0..<16 {
      if process == ancestor { return true }
      guard let parent = parent(of: process) else { return true }
      guard parent > 1 else { return false }
      process = parent
    }
    return false
  }

  private static func parent(of process: Int32) -> Int32? {
    fields(of: process).flatMap { $0.count > 1 ? Int32($0[1]) : nil }
  }

  /// The fields of the status line from the state on; the one before is in parentheses and may hold anything.
  private static func fields(of process: Int32) -> [Substring]? {
    // `try?`: of a process that is gone or hidden nothing can be told.
    guard let data = try? Data(contentsOf: URL(filePath: "/proc/\(process)/stat")) else {
      return nil
    }
    let text = String(decoding: data, as: UTF8.self)
    guard let end = text.lastIndex(of: ")") else { return nil }
    return text[text.index(after: end)...].split(separator: " ")
  }
}

internal import Glibc
internal import TermindDomain
internal import TermindInfrastructure

/// The agent that one `ssh` of ours asks for signatures: a socket in the attempt's own folder.
///
/// Only processes of this user that descend from that `ssh` are served.
final class AttemptAgent: Sendable {
  private struct State {
    var watch: DescriptorWatch?
    var conversations: [Conversation] = []
    var master: Int32?
  }

  private static let maximumConversations = 8

  private let socket: LocalSocket
  private let loop: EventLoop
  private let keys: AttemptKeys
  private let whenBusy: @Sendable (Bool) -> Void
  private let state = Locked(State())

  /// Opens the socket.
  ///
  /// - Parameters:
  ///   - path: Where.
  ///   - loop: Where it is watched.
  ///   - keys: The keys.
  ///   - whenBusy: Told when a request is begun and when it is answered; a signature may wait for a touch.
  /// - Throws: Why there is no socket.
  init(
    at path: String,
    on loop: EventLoop,
    keys: AttemptKeys,
    whenBusy: @escaping @Sendable (Bool) -> Void
  ) throws {
    socket = try LocalSocket.listen(at: path)
    self.loop = loop
    self.keys = keys
    self.whenBusy = whenBusy
    let watch = try loop.watch(socket.descriptor.number, for: .readable) { [weak self] _ in
      self?.accept()
    }
    state.withLock { $0.watch = watch }
  }

  /// Serves the descendants of a process.
  func admit(descendantsOf process: Int32) { state.withLock { $0.master = process } }

  /// Ends every conversation.
  func close() {
    let conversations = state.withLock { state in
      state.watch?.cancel()
      state.watch = nil
      defer { state.conversations = [] }
      return state.conversations
    }
    for conversation in conversations { conversation.close() }
  }

  private func accept() {
    while let peer = try? socket.accept() {
      // `try?`: a listening socket that fails lets nobody in; `ssh` goes on without keys.
      guard let process = try? peer.checkPeer() else { continue }
      let isAdmitted = state.withLock { state in
        guard let master = state.master,
          state.conversations.count < Self.maximumConversations
        else { return false }
        return ProcessDescent.descends(process, from: master)
      }
      guard isAdmitted else { continue }
      let conversation = Conversation(peer, keys, whenBusy)
      state.withLock { $0.conversations.append(conversation) }
      conversation.start(on: loop) { [weak self] in
        self?.state.withLock { state in state.conversations.removeAll { $0 === conversation } }
      }
    }
  }

  /// One connection of an `ssh` to its agent.
  private final class Conversation: Sendable {
    private struct State {
      var input: [UInt8] = []
      var watch: DescriptorWatch?
      var work: Task<Void, Never>?
      var isBusy = false
      var whenGone: (@Sendable () -> Void)?
    }

    private let socket: LocalSocket
    private let keys: AttemptKeys
    private let whenBusy: @Sendable (Bool) -> Void
    private let state = Locked(State())

    init(
      _ socket: LocalSocket,
      _ keys: AttemptKeys,
      _ whenBusy: @escaping @Sendable (Bool) -> Void
    ) {
      self.socket = socket
      self.keys = keys
      self.whenBusy = whenBusy
    }

    func start(on loop: EventLoop, whenGone: @escaping @Sendable () -> Void) {
      do throws(EventLoopError) {
        let watch = try loop.watch(socket.descriptor.number, for: .readable) { [self] _ in read() }
        state.withLock { state in
          state.watch = watch
          state.whenGone = whenGone
        }
      } catch {
        whenGone()
      }
    }

    func close() {
      let (work, whenGone) = state.withLock { state in
        state.watch?.cancel()
        state.watch = nil
        defer {
          state.work = nil
          state.whenGone = nil
        }
        return (state.work, state.whenGone)
      }
      work?.cancel()
      _ = shutdown(socket.descriptor.number, Int32(SHUT_RDWR))
      whenGone?()
    }

    private func read() {
      let input: LocalSocketInput?
      do throws(LocalSocketError) {
        input = try socket.receive()
      } catch {
        return close()
      }
      guard let input else { return }
      guard !input.bytes.isEmpty else { return close() }
      let isValid = state.withLock { state in
        state.input += input.bytes
        return state.input.count <= AgentMessage.maximumByteCount + 4
      }
      guard isValid else { return close() }
      serve()
    }

    /// Answers the next complete request; `ssh` sends one at a time.
    private func serve() {
      let message = state.withLock { state -> [UInt8]? in
        guard !state.isBusy, state.input.count >= 4 else { return nil }
        var reader = WireReader(state.input)
        guard let content = try? reader.string() else { return nil }
        // `try?`: what is incomplete is looked at again when more has come.
        state.input.removeFirst(reader.position)
        state.isBusy = true
        return content
      }
      guard let message else { return }
      whenBusy(true)
      let work = Task { [keys, whenBusy] in
        let answer = await keys.answer(message)
        whenBusy(false)
        guard !Task.isCancelled else { return }
        self.send(answer)
      }
      state.withLock { $0.work = work }
    }

    private func send(_ answer: [UInt8]) {
      var writer = WireWriter()
      writer.string(answer)
      var rest = writer.bytes[...]
      while !rest.isEmpty {
        // `try?`: an `ssh` that is gone is noticed by its attempt; answers are small against the socket's buffer.
        guard let count = try? socket.send(rest), count > 0 else { return close() }
        rest = rest.dropFirst(count)
      }
      state.withLock { $0.isBusy = false }
      serve()
    }
  }
}

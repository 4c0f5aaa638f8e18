internal import CLinux
internal import Glibc
internal import TermindApplication
internal import TermindDomain

/// A running helper, as the server sees it: one request at a time, from one thread.
final class KeyringHelperProcess: Sendable {
  private let process: SpawnedProcess
  private let socket: SecretSocket

  /// Starts a helper.
  ///
  /// - Parameters:
  ///   - program: The path of the program.
  ///   - arguments: Its arguments, its own name first.
  ///   - environment: Its variables, with the address of the bus.
  /// - Throws: `failed` when the system starts no process.
  init(
    _ program: String,
    _ arguments: [String],
    environment: [String: String]
  ) throws(SecretStoreError) {
    do {
      let (ours, theirs) = try LocalSocket.pair()
      process = try ProgramSpawn(
        program: program,
        arguments: arguments,
        environment: environment,
        directory: "/",
        descriptors: [.copy(theirs.descriptor), .null, .null]
      ).start()
      socket = SecretSocket(descriptor: ours.descriptor)
    } catch {
      throw .failed(diagnostic: "the keyring's helper cannot be started: \(error)")
    }
  }

  /// Sends a request and waits for its reply; nil when the helper ended instead.
  func exchange(_ request: KeyringRequest) -> KeyringReply? {
    guard socket.send(request.encoded), let text = socket.receive() else { return nil }
    return KeyringReply(text)
  }

  /// Ends a call that is under way, from any thread; `exchange` returns nil then.
  func interrupt() {
    // The socket and not the process: its number may be another's by now.
    _ = shutdown(socket.descriptor.number, Int32(SHUT_RDWR))
  }

  /// Ends the helper, and collects it.
  ///
  /// - Returns: How it ended; a helper that was asked nothing more exits with zero.
  @discardableResult
  func end() -> SpawnedProcess.End {
    interrupt()
    // It may hang in a call to the keyring; then it is ended by force.
    if !hasEnded(within: 200) { process.signalGroup(SIGKILL) }
    while true {
      if let end = process.collect() { return end }
      _ = hasEnded(within: -1)
    }
  }

  private func hasEnded(within milliseconds: Int32) -> Bool {
    var wait = pollfd(fd: process.descriptor.number, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&wait, 1, milliseconds) > 0
  }
}

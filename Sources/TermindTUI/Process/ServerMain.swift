import Dispatch
import TermindInfrastructure

extension ServerProcess {
  /// Runs the server of this process on the descriptors that its starter left open.
  ///
  /// - Parameter makeHandler: Makes what clients reach; called once the server listens.
  static func run(
    _ makeHandler: (ServerProcess) throws(EventLoopError) -> any ServerHandling
  ) -> Never {
    // Passwords and keys will be in this memory.
    ProcessSecrecy.forbidReading()
    let first = LocalSocket(OwnedDescriptor(inheriting: ServerReach.firstClientDescriptor))
    let startLock = StartLock(OwnedDescriptor(inheriting: ServerReach.startLockDescriptor))
    ServerSignals.prepare()
    TaskLoops.install()
    let configuration = Configuration(paths: .current()) { ProcessEnvironment.exit(0) }
    do throws(ServerStartError) {
      // A server that is just ending still holds its lock.
      let server = try ServerProcess(configuration, lockWaitingSeconds: 5)
      startLock.release()
      let handler = try Self.made(makeHandler, server)
      let signals = ServerSignals(server, handler)
      server.start(handler, first: first)
      withExtendedLifetime(signals) { dispatchMain() }
    } catch {
      let text = ProcessErrorText.text(of: error)
      // The client may have gone; the log has the text as well.
      _ = try? first.send(ServerMessage.refused(.busy, text: text).frame[...])
      StandardStream.error.write("termind server: \(text)\n")
      ProcessEnvironment.exit(1)
    }
  }
}

extension ServerProcess {
  private static func made(
    _ makeHandler: (ServerProcess) throws(EventLoopError) -> any ServerHandling,
    _ server: ServerProcess
  ) throws(ServerStartError) -> any ServerHandling {
    do throws(EventLoopError) {
      return try makeHandler(server)
    } catch {
      throw .failed(diagnostic: "event loops: \(error)")
    }
  }
}

/// The lock under which this server was started; other clients wait for it.
private final class StartLock {
  private var descriptor: OwnedDescriptor?

  init(_ descriptor: OwnedDescriptor) { self.descriptor = descriptor }

  func release() { descriptor = nil }
}

/// The signals that the server minds.
final class ServerSignals {
  private var sources: [any DispatchSourceSignal] = []

  /// Takes away the effects that signals have by default.
  static func prepare() { ProcessSignals.prepareServer() }

  init(_ server: ServerProcess, _ handler: any ServerHandling) {
    add(ProcessSignals.terminate) { [weak handler] in _ = handler?.endServer(force: true) }
    add(ProcessSignals.listenAgain) { [weak server] in server?.listenAgain() }
  }

  private func add(_ signal: Int32, _ body: @escaping @MainActor () -> Void) {
    let source = DispatchSource.makeSignalSource(signal: signal, queue: .main)
    source.setEventHandler { MainActor.assumeIsolated(body) }
    source.resume()
    sources.append(source)
  }
}

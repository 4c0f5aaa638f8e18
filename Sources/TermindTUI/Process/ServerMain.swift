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
    ProcessSignals.prepareServer()
    let heldSignals = ProcessSignals.descriptor()
    TaskLoops.install()
    let configuration = Configuration(paths: .current()) { ProcessEnvironment.exit(0) }
    do throws(ServerStartError) {
      guard let heldSignals else { throw .failed(diagnostic: "signals cannot be received") }
      // Before anything is watched.
      let loop = try attempt { () throws(EventLoopError) in try MainLoop.install() }
      // A server that is just ending still holds its lock, for as long as it says goodbye.
      let server = try ServerProcess(configuration, lockWaitingSeconds: 9)
      startLock.release()
      let handler = try attempt { () throws(EventLoopError) in try makeHandler(server) }
      let signals = ServerSignals(heldSignals, server, handler)
      server.start(handler, first: first)
      withExtendedLifetime(signals) { loop.run() }
    } catch {
      let text = ProcessErrorText.text(of: error)
      // The client may have gone; the log has the text as well.
      _ = try? first.send(ServerMessage.refused(.busy, text: text).frame[...])
      StandardStream.error.say("termind server: \(text)\n")
      ProcessEnvironment.exit(1)
    }
  }
}

extension ServerProcess {
  private static func attempt<Made>(
    _ make: () throws(EventLoopError) -> Made
  ) throws(ServerStartError) -> Made {
    do throws(EventLoopError) { return try make() } catch {
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

/// Does what the signals ask for that the server minds.
final class ServerSignals {
  private var source: ReadinessSource?

  init(_ descriptor: OwnedDescriptor, _ server: ServerProcess, _ handler: any ServerHandling) {
    source = ReadinessSource(descriptor, .reading) { [weak server, weak handler] in
      while let signal = ProcessSignals.next(from: descriptor) {
        switch signal {
        case ProcessSignals.terminate: _ = handler?.endServer(force: true)
        default: server?.listenAgain()
        }
      }
    }
    source?.setRunning(true)
  }
}

import TermindInfrastructure

/// What happens when the running server is of another build.
enum VersionDialog {
  /// Says so, and asks whether to restart the server.
  static func offersRestart(
    server: String,
    own: String,
    _ terminal: ClientTerminal,
    _ signals: SignalDescriptor
  ) -> Bool {
    StandardStream.output.say(
      """
      The running server is termind \(server), this is termind \(own).
      Restart it? Every session in it ends. [y/N]\u{20}
      """
    )
    let sources = [terminal.input.descriptor, signals.descriptor]
    var ready = DescriptorWait.readable(sources)
    while ready[1], !ready[0] {
      switch signals.next() {
      case .windowChanged, .resumed, .stop, nil: ready = DescriptorWait.readable(sources)
      case .hangUp, .terminate, .interrupt, .quit:
        StandardStream.output.say("\n")
        return false
      }
    }
    // A terminal that has gone says no.
    guard let answer = try? terminal.input.read(limit: 256), let first = answer.first else {
      return false
    }
    return first == UInt8(ascii: "y") || first == UInt8(ascii: "Y")
  }

  /// Ends a server of any build, and waits until it is gone.
  static func endServer(_ paths: TermindPaths, _ build: BuildVersion) -> Bool {
    do {
      var link = ServerLink(try ServerReach.connect(paths))
      try link.send([
        .hello(protocolNumber: build.protocolNumber, build: build.text), .shutDown(force: true),
      ])
      while true {
        switch link.next(milliseconds: 10_000) {
        case .ended: return true
        case .nothing: return false
        case .message: continue
        }
      }
    } catch ServerReachError.noServer {
      return true
    } catch {
      return false
    }
  }
}

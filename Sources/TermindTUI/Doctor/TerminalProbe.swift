import TermindInfrastructure
import TermindScreen

/// Asks this process's own terminal what it can do.
struct TerminalProbe {
  /// What is known of the terminal.
  var capabilities: ScreenCapabilities
  /// Whether the terminal was asked: it was there.
  var wasAsked = false

  /// Asks, within the time; without a terminal only the environment counts.
  ///
  /// The answers end with that to the last question, so a terminal that answers costs no waiting.
  init(environment: [String: String], within time: Duration) {
    capabilities = ScreenCapabilities(environment: environment)
    // No terminal, no questions: the report says so.
    guard let terminal = try? ClientTerminal(), (try? terminal.enterRaw()) != nil else { return }
    wasAsked = true
    let queries = ScreenSession.queries(capabilities)
    var decoder = InputDecoder(capabilities: capabilities)
    let clock = ContinuousClock()
    let end = clock.now.advanced(by: time)
    // `try?`: a terminal that takes no questions gives no answers.
    try? StandardStream.output.write(queries)
    while !capabilities.hasAnswered {
      let left = Int((end - clock.now) / .milliseconds(1))
      guard left > 0,
        DescriptorWait.readable([terminal.input.descriptor], milliseconds: left)[0],
        let bytes = try? terminal.input.read()
      else { break }
      for case .reply(let reply) in decoder.feed(bytes) { capabilities.apply(reply) }
    }
    terminal.restore(writing: [])
  }
}

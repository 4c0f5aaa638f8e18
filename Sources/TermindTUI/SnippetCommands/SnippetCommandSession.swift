import FoundationEssentials
import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindPresentation

/// A run of `termind snippet run` in the server: its hosts, and what its client is told.
///
/// Nobody is asked anything; what only a person can answer fails with that reason, as in a window.
public final class SnippetCommandSession {
  private let request: SnippetCommandRequest
  private weak var link: (any TransferCommandClientLink)?
  private var run: SnippetRun?
  private var isCancelled = false

  /// The pause before a client that has not taken what it was told is looked at again.
  private static let pause = Duration.milliseconds(20)

  /// Makes a session for a client.
  public init(_ request: SnippetCommandRequest, _ link: any TransferCommandClientLink) {
    self.request = request
    self.link = link
  }

  /// Starts the run; it lives until its end, and is cancelled when its client goes.
  ///
  /// - Parameters:
  ///   - services: Where hosts, snippets and connections come from.
  ///   - whenOver: Runs once the client was told the end.
  func start(_ services: Services, whenOver: @escaping () -> Void) {
    Task {
      await services.storeSettled()
      var failure: ControlError?
      do throws(ControlError) { try await carryOut(services) } catch { failure = error }
      link?.finish(MessageJSON.encoded(SnippetCommandMessage.end(failure)))
      whenOver()
    }
  }

  /// Ends what is at work and leaves out the rest; each host is still told.
  public func cancel() {
    isCancelled = true
    run?.cancel()
  }

  private func carryOut(_ services: Services) async throws(ControlError) {
    if let problem = services.storeProblem {
      throw ControlError(problem)
    }
    let text = try filled(services.vault.contents.snippets)
    let hosts = try contents(services)
    let (rows, told) = AsyncStream.makeStream(of: SnippetCommandRow.self)
    let run = SnippetRun(text, on: hosts, services)
    var left = hosts.count
    run.onEnd = { column, bytes in
      told.yield(Self.row(column, bytes))
      left -= 1
      if left == 0 { told.finish() }
    }
    self.run = run
    if isCancelled { run.cancel() } else { run.start() }
    for await row in rows { await tell(.row(row)) }
  }

  /// Tells the client something once it has taken most of what it was told before.
  private func tell(_ message: SnippetCommandMessage) async {
    while let link, !link.takesMore {
      // Never cancelled: a client that goes takes its link along.
      do { try await Task.sleep(for: Self.pause) } catch { return }
    }
    link?.tell(MessageJSON.encoded(message))
  }

  private static func row(_ column: RunScreen.Column, _ bytes: [UInt8]) -> SnippetCommandRow {
    let text = String(validating: bytes, as: UTF8.self)
    var row = SnippetCommandRow(
      host: column.name,
      output: text ?? String(decoding: bytes, as: UTF8.self)
    )
    if text == nil { row.outputBase64 = Data(bytes).base64EncodedString() }
    if column.isCut { row.truncated = true }
    switch column.state {
    case .done(let status): row.status = status
    case .failed(let reason): row.error = reason
    case .waiting, .running, .stopping: row.error = "cancelled"
    }
    return row
  }

  // MARK: What is run, and where

  private func filled(_ snippets: [SnippetRecord]) throws(ControlError) -> String {
    var vault = VaultSnapshot()
    vault.snippets = snippets
    let reference = try vault.reference(.snippet, request.snippet)
    guard let snippet = snippets.first(where: { VaultReference.snippet($0.id) == reference }) else {
      throw ControlError(.notFound, "There is no snippet '\(request.snippet)'.")
    }
    let places = snippet.placeholders
    for name in request.values.keys.sorted() where !places.contains(where: { $0.name == name }) {
      let what = "\(snippet.name) has no place '\(name)'"
      let sentence = NearName.sentence(what, name, among: places.map(\.name))
      throw ControlError(.invalid, sentence.hasSuffix("?") ? sentence : sentence + ".")
    }
    let values = places.map { request.values[$0.name] ?? $0.standard }
    let unfilled = places.filter { $0.standard.isEmpty && request.values[$0.name] == nil }
    guard unfilled.isEmpty else {
      let options = unfilled.map { "--set \($0.name)=…" }.joined(separator: " ")
      throw ControlError(.invalid, "\(snippet.name) has places to fill in: \(options)")
    }
    if let problem = snippet.problem(of: values) { throw ControlError(.invalid, problem) }
    return snippet.filled(inOrder: values)
  }

  private func contents(_ services: Services) throws(ControlError) -> [PaneContent] {
    let routes = services.routeBuilder(directory: request.directory)
    var contents: [PaneContent] = []
    var seen: Set<String> = []
    for word in request.hosts {
      switch HostTarget.parse(word, routes) {
      case .found(let content):
        if seen.insert(content.hostName ?? word).inserted { contents.append(content) }
      case .failure(let reason): throw ControlError(.notFound, "\(word): \(reason.detail)")
      }
    }
    for tag in request.tags {
      let name = tag.hasPrefix("#") ? String(tag.dropFirst()) : tag
      let hosts = services.hosts.filter { $0.tags.contains(name) }
      guard !hosts.isEmpty else { throw ControlError(.notFound, "No host has the tag \(name).") }
      for host in hosts where seen.insert(host.name).inserted {
        contents.append(HostTarget.content(host, routes))
      }
    }
    guard contents.count <= SnippetCommandRequest.maximumHosts else {
      let most = SnippetCommandRequest.maximumHosts
      throw ControlError(.notPossible, "\(contents.count) hosts are more than \(most) at once.")
    }
    return contents
  }
}

/// Runs of snippets need no window, and share the connections of those that there are.
extension WindowServer {
  func begin(_ request: SnippetCommandRequest, for link: any TransferCommandClientLink)
    -> SnippetCommandSession
  {
    let session = SnippetCommandSession(request, link)
    snippetRuns += 1
    session.start(services) { [weak self] in
      self?.snippetRuns -= 1
      self?.endWhenIdle()
    }
    return session
  }
}

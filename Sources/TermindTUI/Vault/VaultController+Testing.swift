import TermindApplication
import TermindDomain
import TermindPresentation

/// A test of a host's connection.
extension VaultController {
  /// Connects to the edited or chosen host, with whatever the person is asked, and tells the outcome.
  func testConnection() {
    if editor == nil { edit() }
    guard case .host(var host) = editor else { return }
    guard host.check() else {
      editor = .host(host)
      return say(.problem, "The host cannot be tested before its fields are right.")
    }
    let record = host.record
    do throws(RouteBuildError) {
      let route = try routeBuilder.route(to: record.named)
      host.setTestResult("connecting …")
      host.form.focus("test")
      editor = .host(host)
      start(route, of: record.id)
    } catch {
      host.setTestResult(ErrorText.explain(error).detail)
      editor = .host(host)
    }
  }

  private func start(_ route: Route, of id: HostID) {
    test?.cancel()
    let attempt = ConnectionTest(window.server.services)
    var sheet: PromptSheet?
    attempt.onStep = { [weak self] text in self?.showTest(text, of: id) }
    attempt.onQuestion = { [weak self, weak attempt] view in
      guard let self else { return }
      if let old = sheet { window.finish(.close, of: old) }
      sheet = view.map { PromptSheet($0) { attempt?.refuse() } }
      if let sheet { window.present(sheet) }
    }
    test = Task { [weak self] in
      let text = await attempt.run(route)
      guard !Task.isCancelled else { return }
      self?.showTest(text, of: id)
    }
  }

  private func showTest(_ text: String, of id: HostID) {
    guard case .host(var host) = editor, host.original.id == id else { return }
    host.setTestResult(text)
    editor = .host(host)
    window.requestFrame()
  }
}

extension HostRecord {
  /// The host with the name that it would be saved with.
  var named: HostRecord {
    guard name.isEmpty else { return self }
    var host = self
    host.name = defaultName
    return host
  }
}

import TermindApplication
import TermindDomain
import TermindPresentation
import TermindRemoteInfrastructure

/// What connects without a pane: a test of a host, the installation of a key.
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
      editor = .host(host)
      start(route, of: record.id)
    } catch {
      host.setTestResult(ErrorText.explain(error).detail)
      editor = .host(host)
    }
  }

  private func start(_ route: Route, of id: HostID) {
    test?.cancel()
    let attempt = WindowAttempt(in: window, remembersTrust: false) { [weak self] text in
      self?.showTest(text, of: id)
    }
    test = Task { [weak self] in
      let start = ContinuousClock.now
      let text: String
      do throws(ConnectionFailure) {
        let transport = try await attempt.open(route)
        let spent = start.duration(to: .now)
        await transport.close()
        text = Self.success(route, spent)
      } catch {
        text = ErrorText.explain(error).detail
      }
      guard !Task.isCancelled else { return }
      self?.showTest(text, of: id)
    }
  }

  private static func success(_ route: Route, _ spent: Duration) -> String {
    let count = route.hops.count
    let way = count == 1 ? "" : " over \(count) hops"
    let milliseconds = Int(spent / .milliseconds(1))
    return "It works: signed in as \(route.destination.credentials.username)\(way) in "
      + "\(milliseconds) ms. Nothing was saved."
  }

  private func showTest(_ text: String, of id: HostID) {
    guard case .host(var host) = editor, host.original.id == id else { return }
    host.setTestResult(text)
    editor = .host(host)
    window.requestFrame()
  }

  // MARK: - Keys on hosts

  /// Asks for a host, connects to it, and adds the public key to what its account accepts.
  func installKey() {
    guard let place = list.selected, place < contents.keys.count else { return }
    let key = contents.keys[place]
    let hosts = contents.hosts.filter { $0.connectionProtocol == .ssh }
    let entries = hosts.map { host in
      let address = contents.address(of: host)
      return ListSheet.Entry(
        text: "\(host.name) \(address)",
        row: ChooserRow(title: host.name, detail: address)
      ) { [weak self] in self?.install(key, on: host) }
    }
    window.present(
      ListSheet(
        WindowOverlay("vault-install"),
        ChooserSheet(
          title: "Install \(key.name) on which host?",
          emptyText: "There is no such host yet."
        ),
        entries: entries
      )
    )
  }

  private func install(_ key: KeyRecord, on host: HostRecord) {
    run { controller in
      let route = try controller.routeBuilder.route(to: host)
      let publicKey = try SSHPublicKey(blob: key.publicKey)
      let attempt = WindowAttempt(in: controller.window, remembersTrust: true) {
        [weak controller] text in controller?.say(.info, "\(host.name): \(text)")
      }
      let transport = try await attempt.open(route)
      let account = "\(route.destination.credentials.username)@\(host.name)"
      do {
        let outcome = try await AuthorizedKeyInstaller.install(
          publicKey,
          comment: key.comment,
          over: transport
        )
        await transport.close()
        switch outcome {
        case .installed: controller.say(.done, "\(account) accepts \(key.name) now.")
        case .alreadyThere(let hasOptions):
          let limits = hasOptions ? ", with limits of its own" : ""
          controller.say(.info, "\(account) accepted \(key.name) already\(limits).")
        }
      } catch {
        await transport.close()
        throw error
      }
    }
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

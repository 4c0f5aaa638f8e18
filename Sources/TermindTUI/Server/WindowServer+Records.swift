import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindPersistence
import TermindPresentation

/// Requests of the command line about records, on the open store of the server.
extension WindowServer {
  func answer(_ request: RecordRequest, _ secrets: [String: SecretBytes])
    async throws(ControlError) -> RecordResult
  {
    await services.storeSettled()
    guard let store = services.store else {
      let text = services.storeProblem.map(ErrorText.text(of:))
      throw ControlError(.store, text ?? "The store is not open.")
    }
    let environment = ProcessEnvironment.all().merging(services.localEnvironment) { $1 }
    let secretStore = services.secrets
    let desk = RecordDesk.local(store, services.paths) {
      () async throws(ControlError) -> any SecretStoring in
      do {
        return try await secretStore.store(environment: environment)
      } catch let error as StoreError {
        throw ControlError(error)
      } catch {
        throw ControlError(.failed, "The secret store cannot be chosen: \(error).")
      }
    }
    let result = try await desk.answer(request, secrets: secrets)
    // A command that follows at once finds what this one has changed.
    if request.isChange { await services.vault.reload(request.changedKinds) }
    return result
  }
}

extension RecordRequest {
  /// The kinds of records that may be others afterwards.
  fileprivate var changedKinds: Set<VaultKind> {
    switch self {
    case .list, .show, .preview, .export: []
    case .add(let kind, _), .edit(let kind, _, _, _), .remove(let kind, _, _):
      // What is gone is no longer named by others either.
      switch kind {
      case .host: [.host, .template]
      case .identity: [.identity, .host]
      case .key: [.key, .identity]
      case .knownHost: [.knownHost]
      case .snippet: [.snippet, .host]
      case .template: [.template]
      }
    case .commit(let job, _):
      job.kind == .knownHosts ? [.knownHost] : [.host, .identity, .key]
    }
  }
}

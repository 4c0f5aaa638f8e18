import TermindApplication
import TermindDomain
import TermindPresentation

/// Requests of the command line about records, on the open store of the server.
extension WindowServer {
  func answer(_ request: RecordRequest, _ secrets: [String: SecretBytes])
    async throws(ControlError) -> RecordResult
  {
    await services.storeSettled()
    guard let store = services.store else {
      let text = services.storeProblem.map { ErrorText.explain($0).detail }
      throw ControlError(.store, text ?? "The store is not open.")
    }
    let desk = RecordDesk.local(store, services.recordSecrets)
    let result = try await desk.answer(request, secrets: secrets)
    if request.isChange { await services.reload() }
    return result
  }
}

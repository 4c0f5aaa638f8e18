public import TermindApplication
internal import TermindDomain

/// Why a saved secret is not there for an attempt.
public enum SecretProblem: Error, Hashable, Sendable {
  /// The store is locked, and nobody may be asked.
  case locked
  /// The person did not unlock it.
  case declined
  /// Anything else.
  case failed(SecretStoreError)
  /// It is not known where secrets are kept.
  case noStore
}

extension SecretProblem {
  /// A short reason; nil when the person knows, since it was their doing.
  var phrase: String? {
    switch self {
    case .locked: "the secret store is locked"
    case .declined: nil
    case .noStore: "there is no secret store"
    case .failed(.wrongPassphrase): "the passphrase does not open the secret store"
    case .failed(.notFound): "it is not in the secret store any more"
    case .failed(.notSetUp): "the secret store is not set up"
    case .failed(.damaged): "the secret store is damaged"
    case .failed(.noKeyring), .failed(.noMessageBus), .failed(.timedOut):
      "the keyring does not answer"
    case .failed: "the secret store cannot be read"
    }
  }
}

/// Reads saved secrets for one attempt at one hop, and has the store unlocked when it must be.
actor AttemptSecrets {
  private static let maximumTries = 3

  private let source: SecretStoreSource?
  private let shared: SharedUnlocking
  private let prompts: any ConnectionPrompting
  private let context: HopContext
  /// What the person was asked for already; it is not asked twice in one attempt.
  private var refusal: SecretProblem?

  init(
    source: SecretStoreSource?,
    shared: SharedUnlocking,
    prompts: any ConnectionPrompting,
    context: HopContext
  ) {
    self.source = source
    self.shared = shared
    self.prompts = prompts
    self.context = context
  }

  /// Reads a secret; the caller lets go of it as soon as it is used.
  func read(_ item: SecretItemID) async throws(SecretProblem) -> SecretBytes {
    guard let source else { throw .noStore }
    // `try?`: why the choice of the store cannot be read is told where it is made.
    guard let store = try? await source() else { throw .noStore }
    do throws(SecretStoreError) {
      return try await store.read(item)
    } catch {
      guard error == .locked else { throw .failed(error) }
    }
    if let refusal { throw refusal }
    guard prompts.isInteractive else { throw .locked }
    switch await unlock(store) {
    case .unlocked: break
    case .failed(let problem):
      refusal = problem
      throw problem
    }
    do throws(SecretStoreError) {
      return try await store.read(item)
    } catch {
      throw .failed(error)
    }
  }

  private func unlock(_ store: any SecretStoring) async -> SecretUnlocking {
    let prompts = prompts
    let context = context
    let outcome = await shared.stores.value(for: .secrets) {
      await Self.ask(store, prompts, context)
    }
    return outcome ?? .failed(.declined)
  }

  /// Asks until the store is open; nil when the attempt ended meanwhile.
  private static func ask(
    _ store: any SecretStoring,
    _ prompts: any ConnectionPrompting,
    _ context: HopContext
  ) async -> SecretUnlocking? {
    switch await store.state() {
    case .unlocked: return .unlocked
    case .notSetUp: return .failed(.failed(.notSetUp))
    case .unusable(let error): return .failed(.failed(error))
    case .locked: break
    }
    let needsPassphrase = store.place == .sealedFile
    for attempt in 0..<maximumTries {
      let answers = await prompts.answer(
        CredentialChallenge(
          context: context,
          kind: .secretStore(store.place),
          prompts: needsPassphrase ? [CredentialPrompt(text: "Passphrase: ", echoes: false)] : [],
          attempt: attempt
        )
      )
      if Task.isCancelled { return nil }
      guard let answers, answers.count == (needsPassphrase ? 1 : 0) else {
        return .failed(.declined)
      }
      if let passphrase = answers.first, passphrase.isEmpty { return .failed(.declined) }
      do throws(SecretStoreError) {
        try await store.unlock(answers.first)
        return .unlocked
      } catch .wrongPassphrase where needsPassphrase {
        if Task.isCancelled { return nil }
      } catch .dismissed {
        return .failed(.declined)
      } catch {
        return Task.isCancelled ? nil : .failed(.failed(error))
      }
    }
    return .failed(.failed(.wrongPassphrase))
  }
}

internal import TermindApplication
internal import TermindDomain

/// What is to be opened before a key can sign.
struct LockedKeySource: Sendable {
  /// Where the private half is.
  enum Content: Sendable {
    /// In a file, which was read.
    case file(LockedKey, path: String)
    /// In the secret store, under a name that people know.
    case stored(SecretItemID, name: String)
  }

  let content: Content
  /// Its passphrase in the secret store; nil when there is none.
  let passphrase: SecretItemID?

  var subject: SharedUnlocking.KeySubject {
    switch content {
    case .file(_, let path): .file(path: path)
    case .stored(let item, _): .stored(item)
    }
  }

  /// Whether it may open without the person, as far as the secret store is open.
  var opensFromStore: Bool {
    if case .stored = content { true } else { passphrase != nil }
  }

  /// What people know it by.
  var name: String {
    switch content {
    case .file(_, let path): path
    case .stored(_, let name): name
    }
  }
}

/// Opens locked keys for one attempt at one hop: with what the secret store has, else with the person.
struct KeyOpener: Sendable {
  let secrets: AttemptSecrets
  let shared: SharedUnlocking
  let prompts: any ConnectionPrompting
  let context: HopContext
  let maximumTries: Int

  /// Opens a key; what was read from the secret store is wiped before this returns.
  func open(_ source: LockedKeySource) async -> KeyOpening {
    let locked: LockedKey
    switch source.content {
    case .file(let key, _): locked = key
    case .stored(let item, _):
      switch await load(item) {
      case .success(.ready(let key)): return .opened(key)
      case .success(.locked(let key)): locked = key
      case .success(.publicOnly): return .failed(.unusable(.notAKey))
      case .failure(let reason): return .failed(reason.reason)
      }
    }
    var known: UnusedKey?
    if let item = source.passphrase {
      do throws(SecretProblem) {
        let passphrase = try await secrets.read(item)
        do throws(KeyFileError) {
          return .opened(try await locked.unlock(passphrase))
        } catch {
          guard error == .wrongPassphrase else { return .failed(.unusable(error)) }
          known = .passphrase(reason: "it does not open the key")
        }
      } catch {
        // The person may know the passphrase that cannot be read.
        guard prompts.isInteractive else { return .failed(.secret(error)) }
        known = error.phrase.map { .passphrase(reason: $0) }
      }
    }
    guard prompts.isInteractive else { return .failed(.needsPassphrase) }
    let unused = known.map { [$0] } ?? []
    let opening = await shared.keys.value(for: source.subject, isShared: { $0.isForEveryone }) {
      await ask(source.name, locked, unused)
    }
    return opening ?? .failed(.passphraseDeclined)
  }

  private struct Refusal: Error { let reason: SkippedKey.Reason }

  private func load(_ item: SecretItemID) async -> Result<LoadedKey, Refusal> {
    let text: SecretBytes
    do throws(SecretProblem) {
      text = try await secrets.read(item)
    } catch {
      return .failure(Refusal(reason: .secret(error)))
    }
    do throws(KeyFileError) {
      return .success(try PrivateKeyFile.parse(text))
    } catch {
      return .failure(Refusal(reason: .unusable(error)))
    }
  }

  /// Asks until the key is open; nil when the attempt ended meanwhile.
  private func ask(
    _ name: String,
    _ locked: LockedKey,
    _ unused: [UnusedKey]
  ) async -> KeyOpening? {
    for attempt in 0..<maximumTries {
      let answers = await prompts.answer(
        CredentialChallenge(
          context: context,
          kind: .passphrase(path: name),
          prompts: [CredentialPrompt(text: "Passphrase: ", echoes: false)],
          attempt: attempt,
          unusedKeys: unused
        )
      )
      if Task.isCancelled { return nil }
      guard let answers, answers.count == 1, !answers[0].isEmpty else {
        return .failed(.passphraseDeclined)
      }
      do throws(KeyFileError) {
        return .opened(try await locked.unlock(answers[0]))
      } catch {
        // Unlocking ends with this error when it is cancelled, too.
        if Task.isCancelled { return nil }
        guard error == .wrongPassphrase else { return .failed(.unusable(error)) }
      }
    }
    return .failed(.unusable(.wrongPassphrase))
  }
}

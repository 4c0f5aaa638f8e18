internal import TermindApplication
internal import TermindDomain

// Public keys: offering, passphrases, signing.
extension AuthenticationPlanner {
  /// Offers the next usable key; `nil` when none is left.
  mutating func offerNextKey() -> AuthenticationStep? {
    while nextKey < keys.count {
      let index = nextKey
      nextKey += 1
      let key = keys[index]
      if let reason = reasonToSkip(key) {
        skipped.append(SkippedKey(label: key.label, reason: reason))
        continue
      }
      keysOffered += 1
      guard let publicKey = key.publicKey else { return askPassphrase(index, isAccepted: false) }
      return offer(index, publicKey)
    }
    return nil
  }

  private mutating func reasonToSkip(_ key: AuthenticationKey) -> SkippedKey.Reason? {
    if let publicKey = key.publicKey {
      guard policy.keyTypes.contains(publicKey.type) else {
        return .unsupportedType(publicKey.algorithm)
      }
      if publicKey.isCertificate && !policy.usesCertificates {
        return .unsupportedType(publicKey.algorithm)
      }
    }
    if key.isLocked && !policy.isInteractive {
      needsPerson = needsPerson ?? "passphrase of \(key.label)"
      return .needsPassphrase
    }
    return keysOffered < policy.maximumKeys ? nil : .overLimit
  }

  private mutating func offer(_ index: Int, _ publicKey: SSHPublicKey) -> AuthenticationStep {
    let algorithm = server.signatureAlgorithm(for: publicKey.type)
    phase = .key(index, algorithm: algorithm)
    note(tried: "publickey \(keys[index].label)")
    return .offerKey(keys[index], algorithm: algorithm)
  }

  private mutating func askPassphrase(
    _ index: Int,
    attempt: Int = 0,
    isAccepted: Bool
  ) -> AuthenticationStep {
    phase = .passphrase(index, attempt: attempt, isAccepted: isAccepted)
    let path =
      switch keys[index].place {
      case .file(let path): path
      case .agent(let comment): comment
      }
    return .ask(
      AuthenticationQuestion(
        kind: .passphrase(path: path),
        prompts: [CredentialPrompt(text: "Passphrase: ", echoes: false)],
        attempt: attempt
      )
    )
  }

  /// Follows an event while a key is being offered, opened or signed with; `nil` when it does not fit.
  mutating func keyStep(after event: AuthenticationEvent) -> AuthenticationStep? {
    switch (phase, event) {
    case (.key(let index, let algorithm), .keyAccepted):
      if keys[index].isLocked { return askPassphrase(index, isAccepted: true) }
      return .sign(keys[index], algorithm: algorithm)
    case (.key(let index, _), .signingFailed(let error)):
      return skip(index, .signingFailed(error))
    case (.passphrase(let index, let attempt, let isAccepted), .answered(let answers)):
      guard let passphrase = answers.first, !passphrase.isEmpty else {
        return skip(index, .passphraseDeclined)
      }
      phase = .unlocking(index, attempt: attempt, isAccepted: isAccepted)
      return .unlock(keys[index], passphrase: passphrase)
    case (.passphrase(let index, _, _), .declined):
      return skip(index, .passphraseDeclined)
    case (.unlocking(let index, let attempt, let isAccepted), .keyUnlockFailed(let error)):
      if error == .wrongPassphrase, attempt + 1 < policy.maximumPassphraseTries {
        return askPassphrase(index, attempt: attempt + 1, isAccepted: isAccepted)
      }
      return skip(index, .unusable(error))
    case (.unlocking(let index, _, let isAccepted), .keyUnlocked(let publicKey)):
      return unlocked(index, publicKey, isAccepted: isAccepted)
    default:
      return nil
    }
  }

  private mutating func unlocked(
    _ index: Int,
    _ publicKey: SSHPublicKey,
    isAccepted: Bool
  ) -> AuthenticationStep {
    if let shown = keys[index].publicKey, shown.blob != publicKey.blob {
      return skip(index, .unusable(.malformed(reason: "public and private half differ")))
    }
    keys[index].isLocked = false
    keys[index].publicKey = publicKey
    if isAccepted {
      let algorithm = server.signatureAlgorithm(for: publicKey.type)
      phase = .key(index, algorithm: algorithm)
      return .sign(keys[index], algorithm: algorithm)
    }
    guard policy.keyTypes.contains(publicKey.type) else {
      return skip(index, .unsupportedType(publicKey.algorithm))
    }
    return offer(index, publicKey)
  }

  private mutating func skip(_ index: Int, _ reason: SkippedKey.Reason) -> AuthenticationStep {
    skipped.append(SkippedKey(label: keys[index].label, reason: reason))
    return advance()
  }
}

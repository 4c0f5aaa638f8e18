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
      guard let publicKey = key.publicKey else { return open(index, isAccepted: false) }
      return offer(index, publicKey)
    }
    guard hasUnlistedKeys, keysOffered < policy.maximumKeys else { return nil }
    hasUnlistedKeys = false
    phase = .listing
    return .listKeys
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
    if key.isLocked && !key.opensFromStore && !policy.isInteractive {
      needsPerson = needsPerson ?? "passphrase of \(key.label)"
      return .needsPassphrase
    }
    return keysOffered < policy.maximumKeys ? nil : .overLimit
  }

  private mutating func offer(_ index: Int, _ publicKey: SSHPublicKey) -> AuthenticationStep {
    let algorithm = server.signatureAlgorithm(for: publicKey.type)
    phase = .key(index, algorithm: algorithm)
    let note =
      keys[index].lacksCertificate
      ? " (without its certificate, which needs the OpenSSH engine)" : ""
    self.note(tried: "publickey \(keys[index].label)\(note)")
    return .offerKey(keys[index], algorithm: algorithm)
  }

  private mutating func open(_ index: Int, isAccepted: Bool) -> AuthenticationStep {
    phase = .opening(index, isAccepted: isAccepted)
    return .open(keys[index])
  }

  /// Follows an event while a key is being offered, opened or signed with; `nil` when it does not fit.
  mutating func keyStep(after event: AuthenticationEvent) -> AuthenticationStep? {
    switch (phase, event) {
    case (.key(let index, let algorithm), .keyAccepted):
      if keys[index].isLocked { return open(index, isAccepted: true) }
      return .sign(keys[index], algorithm: algorithm)
    case (.key(let index, _), .signingFailed(let error)):
      return skip(index, .signingFailed(error))
    case (.opening(let index, let isAccepted), .keyNotOpened(let reason)):
      return notOpened(index, reason, isAccepted: isAccepted)
    case (.opening(let index, let isAccepted), .keyOpened(let publicKey)):
      return opened(index, publicKey, isAccepted: isAccepted)
    default:
      return nil
    }
  }

  private mutating func notOpened(
    _ index: Int,
    _ reason: SkippedKey.Reason,
    isAccepted: Bool
  ) -> AuthenticationStep {
    switch reason {
    case .needsPassphrase: needsPerson = needsPerson ?? "passphrase of \(keys[index].label)"
    case .secret(.locked): needsPerson = needsPerson ?? Self.secretStoreNeed
    default: break
    }
    if isAccepted, unopened == nil {
      unopened = SkippedKey(label: keys[index].name, reason: reason)
    }
    return skip(index, reason)
  }

  private mutating func opened(
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

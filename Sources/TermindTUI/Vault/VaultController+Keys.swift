import FoundationEssentials
import TermindApplication
import TermindDomain
import TermindPresentation
import TermindRemoteInfrastructure

/// Keys: making, importing, their passphrases and certificates.
extension VaultController {
  // MARK: - New keys

  func generateKey() {
    let entries = KeyKind.allCases.map { kind in
      ListSheet.Entry(
        text: "\(kind.title) \(kind.remark)",
        row: ChooserRow(title: kind.title, detail: kind.remark)
      ) { [weak self] in self?.askForKey(kind) }
    }
    window.present(
      ListSheet(
        WindowOverlay("vault-key-kind"),
        ChooserSheet(title: "A new key of which kind?"),
        entries: entries + [agentEntry]
      )
    )
  }

  private func askForKey(_ kind: KeyKind) {
    let form = Form(
      title: "New \(kind.title) key",
      lines: [
        "Its private part is kept in the secret store. A passphrase of its own is asked for at each use."
      ],
      rows: [
        Form.Row("Name", placeholder: kind.title), Form.Row("Comment", placeholder: "user@machine"),
        Form.Row("Passphrase", isSecret: true, placeholder: "none"),
        Form.Row("Once more", isSecret: true, placeholder: "none"),
      ],
      hints: [KeyHint("enter", "make"), KeyHint("esc", "give up")]
    )
    window.withSecrets("The private part of a key is kept there.") { [weak self] store in
      guard let self else { return }
      window.ask(form, "making the key …") { [weak self] answers in
        let texts = answers.prefix(2).map { String(decoding: $0.copyBytes(), as: UTF8.self) }
        guard answers[2] == answers[3] else {
          throw FormProblem("The two passphrases are not the same.")
        }
        let passphrase = answers[2].isEmpty ? nil : answers[2]
        let pair = try await KeyMaker.generate(kind, comment: texts[1], passphrase: passphrase)
        try await self?.keep(pair, name: texts[0], in: store)
      } then: { [weak self] in
        self?.say(.done, "The key is made; name it in an identity to use it.")
      }
    }
  }

  /// Keeps a key: the private part in the secret store, then the record that names it.
  private func keep(
    _ pair: KeyPair,
    name: String,
    in store: any SecretStoring
  ) async throws {
    if let known = contents.keys.first(where: { $0.publicKey == pair.publicKey.blob }) {
      throw FormProblem("This key is there already as \(known.name).")
    }
    var record = KeyRecord(
      name: name,
      algorithm: pair.publicKey.type.rawValue,
      comment: pair.comment,
      fingerprint: pair.publicKey.fingerprint,
      publicKey: pair.publicKey.blob,
      certificate: pair.certificate?.blob,
      location: .agent
    )
    let title = name.isEmpty ? record.defaultName : name
    let label = "the new key \(title)"
    if let text = pair.privateText {
      let secret = NewSecret(text, label: "Termind: private key \(title)")
      try await store.keeping([secret]) { ids in
        if let id = ids.first { record.location = .secret(id) }
        try await self.library.save(VaultBatch(keys: [record]), label: label)
      }
    } else {
      try await library.save(VaultBatch(keys: [record]), label: label)
    }
    show(.keys, selecting: .record(record.id.rawValue))
  }

  // MARK: - Import

  func importKey() {
    let form = Form(
      title: "Import a key",
      lines: [
        "A private key is copied into the secret store; a public key means one of the agent."
      ],
      rows: [
        Form.Row("Path", text: "~/.ssh/"), Form.Row("Name", placeholder: "its kind"),
        Form.Row("Passphrase", isSecret: true, placeholder: "only where it is asked for"),
      ],
      hints: [KeyHint("enter", "import"), KeyHint("esc", "give up")]
    )
    window.withSecrets("The private part of a key is kept there.") { [weak self] store in
      guard let self else { return }
      window.ask(form, "reading …") { [weak self] answers in
        guard let self else { return }
        let texts = answers.prefix(2).map { String(decoding: $0.copyBytes(), as: UTF8.self) }
        guard !texts[0].isEmpty, !texts[0].hasSuffix("/") else {
          throw FormProblem("Type the path of a file.")
        }
        let passphrase = answers[2].isEmpty ? nil : answers[2]
        let pair = try await KeyImport.read(path: absolute(texts[0]), passphrase: passphrase)
        try await keep(pair, name: texts[1], in: store)
      } then: { [weak self] in
        self?.say(.done, "The key is imported; its file stays where it is.")
      }
    }
  }

  // MARK: - The agent

  private var agentEntry: ListSheet.Entry {
    ListSheet.Entry(
      text: "agent security key",
      row: ChooserRow(title: "From the agent", detail: "keys and security keys that it holds")
    ) { [weak self] in self?.chooseAgentKey() }
  }

  private func chooseAgentKey() {
    run { controller in
      let keys = try await controller.window.server.services.agentClient.keys()
      let known = Set(controller.contents.keys.map(\.publicKey))
      let entries = keys.map { key in
        let algorithm = KeyRecord.algorithmName(key.publicKey.type.rawValue)
        let isKnown = known.contains(key.publicKey.blob)
        return ListSheet.Entry(
          text: "\(key.comment) \(algorithm) \(key.publicKey.fingerprint)",
          row: ChooserRow(
            title: key.comment.isEmpty ? algorithm : key.comment,
            detail: "\(algorithm) \(key.publicKey.fingerprint)",
            trailing: isKnown ? "is there" : ""
          )
        ) { [weak controller] in if !isKnown { controller?.keep(key) } }
      }
      controller.window.present(
        ListSheet(
          WindowOverlay("vault-agent"),
          ChooserSheet(title: "Keys of the agent", emptyText: "The agent holds no key."),
          entries: entries
        )
      )
    }
  }

  private func keep(_ key: AgentKey) {
    let record = KeyRecord(
      name: key.comment,
      algorithm: key.publicKey.type.rawValue,
      comment: key.comment,
      fingerprint: key.publicKey.fingerprint,
      publicKey: key.publicKey.blob,
      certificate: key.certificate?.blob,
      location: .agent
    )
    run { controller in
      try await controller.library.save(VaultBatch(keys: [record]), label: "the new key")
      controller.show(.keys, selecting: .record(record.id.rawValue))
      controller.say(.done, "The key stays in the agent; name it in an identity to use it.")
    }
  }

  // MARK: - Passphrases

  func changePassphrase() {
    guard let place = list.selected, place < contents.keys.count else { return }
    let key = contents.keys[place]
    guard case .secret(let id) = key.location else {
      return say(.info, "Only keys that are kept in the secret store get a passphrase here.")
    }
    let form = Form(
      title: "Passphrase of \(key.name)",
      lines: ["Leave the new one empty to have none: the secret store alone guards the key then."],
      rows: [
        Form.Row("Passphrase so far", isSecret: true, placeholder: "none"),
        Form.Row("New passphrase", isSecret: true, placeholder: "none"),
        Form.Row("Once more", isSecret: true, placeholder: "none"),
      ],
      hints: [KeyHint("enter", "change"), KeyHint("esc", "give up")]
    )
    window.withSecrets("The key is kept there.") { [weak self] store in
      self?.window.ask(form, "encrypting …") { answers in
        guard answers[1] == answers[2] else {
          throw FormProblem("The new ones are not the same.")
        }
        let pair = try await KeyMaker.changePassphrase(
          of: try await store.read(id),
          from: answers[0].isEmpty ? nil : answers[0],
          to: answers[1].isEmpty ? nil : answers[1]
        )
        guard let text = pair.privateText else { throw FormProblem("The key has no private part.") }
        try await store.replace(id, with: text)
      } then: { [weak self] in
        self?.say(.done, "The passphrase of \(key.name) is changed.")
      }
    }
  }

  // MARK: - Certificates

  /// What a key's certificate says, for its form.
  func certificateLines(of key: KeyRecord) -> [String] {
    guard let blob = key.certificate else { return [] }
    guard let certificate = try? SSHCertificate(blob: blob) else {
      // What cannot be read is told as that.
      return ["cannot be read"]
    }
    var lines = ["\(certificate.keyID), number \(certificate.serial)"]
    let names =
      certificate.principals.isEmpty ? "any user" : certificate.principals.joined(separator: ", ")
    lines.append("for \(names)")
    if let end = certificate.validBefore {
      let isOver = end <= UInt64(max(WallClock.seconds, 0))
      lines.append("\(isOver ? "ended" : "valid until") \(WallClock.date(Int64(clamping: end)))")
    }
    for option in certificate.criticalOptions {
      lines.append(option.value.isEmpty ? option.name : "\(option.name): \(option.value)")
    }
    lines.append("authority \(certificate.authorityFingerprint)")
    if certificate.publicKey.type == .securityKeyEd25519
      || certificate.publicKey.type == .securityKeyECDSA
    {
      lines.append("Certificates of security keys are used with OpenSSH.")
    }
    return lines
  }

  func storeCertificate() {
    guard let place = list.selected, place < contents.keys.count else { return }
    var key = contents.keys[place]
    let name = key.name
    askForPath("Certificate for \(name)", suggestion: "~/.ssh/") { controller, path in
      let bytes = try await VaultFile.read(path)
      let pair = try await KeyImport.read(SecretBytes(bytes))
      guard let certificate = pair.certificate else {
        throw VaultFileError(sentence: "\(path) holds no certificate.")
      }
      guard certificate.publicKey.blob == key.publicKey else {
        throw VaultFileError(sentence: "The certificate in \(path) is for another key.")
      }
      key.certificate = certificate.blob
      try await controller.library.save(
        VaultBatch(keys: [key]),
        label: "the certificate of \(name)"
      )
      return "The certificate is stored with \(name)."
    }
  }
}

extension KeyKind {
  /// What it is called.
  var title: String {
    switch self {
    case .ed25519: "Ed25519"
    case .ecdsaP256: "ECDSA P-256"
    case .ecdsaP384: "ECDSA P-384"
    case .ecdsaP521: "ECDSA P-521"
    case .rsa4096: "RSA 4096"
    }
  }

  /// When to take it.
  var remark: String {
    switch self {
    case .ed25519: "short and fast; the one to choose"
    case .ecdsaP256, .ecdsaP384, .ecdsaP521: "where policy asks for it"
    case .rsa4096: "for servers that know nothing newer"
    }
  }
}

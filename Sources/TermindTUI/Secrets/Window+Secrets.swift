import TermindApplication
import TermindDomain
import TermindPresentation

/// Unlocking and locking the secret store, and what needs it.
extension Window {
  /// Does something with the secret store once it is open; asks for what opens it.
  ///
  /// - Parameters:
  ///   - reason: What it is needed for, as a sentence.
  ///   - forgets: Whether secrets are only to be removed: where there is no store yet, there are none.
  ///   - work: Runs with the open store.
  func withSecrets(
    _ reason: String,
    forgets: Bool = false,
    _ work: @escaping (any SecretStoring) -> Void
  ) {
    let left = forgets ? "A secret that is no longer named stays behind in the secret store." : ""
    Task {
      do {
        let store = try await secretStore()
        switch await store.state() {
        case .unlocked: work(store)
        case .locked where store.place == .keyring: await unlockKeyring(store, left, work)
        case .locked: askToUnlock(store, reason, left, work)
        case .notSetUp: if !forgets { askToSetUp(store, reason, work) }
        case .unusable(let error):
          show(Notice(.problem, Self.joined(left, ErrorText.explain(error).paragraph)))
        }
      } catch {
        show(Notice(.problem, Self.joined(left, VaultErrorText.text(error))))
      }
    }
  }

  /// The secret store of the server.
  func secretStore() async throws -> any SecretStoring {
    let services = server.services
    let environment = terminal?.request.environment ?? services.localEnvironment
    return try await services.secrets.store(environment: environment)
  }

  /// Locks or unlocks the store, or changes its passphrase.
  func openSecrets() {
    Task {
      do {
        let store = try await secretStore()
        showSecrets(store, await store.state())
      } catch {
        show(Notice(.problem, VaultErrorText.text(error)))
      }
    }
  }

  private func showSecrets(_ store: any SecretStoring, _ state: SecretStoreState) {
    let place =
      store.place == .keyring ? "the desktop's keyring" : "a sealed file with its own passphrase"
    var entries: [ListSheet.Entry] = []
    func entry(_ title: String, _ detail: String, _ work: @escaping () -> Void) {
      let row = ChooserRow(title: title, detail: detail)
      entries.append(ListSheet.Entry(text: title, row: row, choose: work))
    }
    let done = { [weak self] (text: String) -> (any SecretStoring) -> Void in
      { _ in self?.show(Notice(.done, text)) }
    }
    switch state {
    case .unlocked:
      entry("Lock", "passwords and keys cannot be used until it is unlocked") { [weak self] in
        self?.lock(store)
      }
      if store.place == .sealedFile {
        entry("Change the passphrase", "everything is sealed anew") { [weak self] in
          self?.askToChange(store)
        }
      }
    case .locked:
      entry("Unlock", "until it is locked, or the server ends") { [weak self] in
        self?.withSecrets("", done("The secret store is unlocked."))
      }
    case .notSetUp:
      entry("Set up", "choose a passphrase for the sealed file") { [weak self] in
        self?.withSecrets("", done("The secret store is set up."))
      }
    case .unusable(let error):
      return show(Notice(.problem, ErrorText.explain(error).paragraph))
    }
    present(
      ListSheet(
        WindowOverlay("secrets"),
        ChooserSheet(title: "Secrets in \(place)", placeholder: "what to do"),
        entries: entries
      )
    )
  }

  private func lock(_ store: any SecretStoring) {
    Task {
      do throws(SecretStoreError) {
        try await store.lock()
        show(Notice(.done, "The secret store is locked."))
      } catch {
        show(Notice(.problem, ErrorText.explain(error).paragraph))
      }
    }
  }

  // MARK: - Asking

  private func unlockKeyring(
    _ store: any SecretStoring,
    _ left: String,
    _ work: @escaping (any SecretStoring) -> Void
  ) async {
    show(Notice(.info, "The desktop's keyring asks for its password in a window of its own."))
    do throws(SecretStoreError) {
      try await store.unlock(nil)
      work(store)
    } catch {
      show(Notice(.problem, Self.joined(left, ErrorText.explain(error).paragraph)))
    }
  }

  private static func joined(_ sentences: String...) -> String {
    sentences.filter { !$0.isEmpty }.joined(separator: " ")
  }

  private func askToUnlock(
    _ store: any SecretStoring,
    _ reason: String,
    _ left: String,
    _ work: @escaping (any SecretStoring) -> Void
  ) {
    let form = Form(
      title: "Unlock the secrets",
      lines: reason.isEmpty ? [] : [reason],
      rows: [Form.Row("Passphrase", isSecret: true)],
      hints: [
        KeyHint("enter", "unlock"), KeyHint("esc", left.isEmpty ? "give up" : "leave it there"),
      ]
    )
    let givenUp = { [weak self] in
      guard !left.isEmpty else { return }
      self?.show(Notice(.info, left))
    }
    ask(form, "opening …", givenUp: givenUp) { answers in
      try await store.unlock(answers[0])
    } then: {
      work(store)
    }
  }

  private func askToSetUp(
    _ store: any SecretStoring,
    _ reason: String,
    _ work: @escaping (any SecretStoring) -> Void
  ) {
    let form = Form(
      title: "Set up the secrets",
      lines: [
        reason,
        "Passwords and keys are kept in a sealed file. Without its passphrase nobody can open it, "
          + "and nobody can recover it.",
      ].filter { !$0.isEmpty },
      rows: [Form.Row("New passphrase", isSecret: true), Form.Row("Once more", isSecret: true)],
      hints: [KeyHint("enter", "set up"), KeyHint("esc", "give up")]
    )
    ask(form, "sealing …") { answers in
      guard answers[0] == answers[1] else { throw FormProblem("The two are not the same.") }
      try await store.changePassphrase(from: nil, to: answers[0])
    } then: {
      work(store)
    }
  }

  private func askToChange(_ store: any SecretStoring) {
    let form = Form(
      title: "Change the passphrase of the secrets",
      rows: [
        Form.Row("Passphrase so far", isSecret: true), Form.Row("New passphrase", isSecret: true),
        Form.Row("Once more", isSecret: true),
      ],
      hints: [KeyHint("enter", "change"), KeyHint("esc", "give up")]
    )
    ask(form, "sealing anew …") { answers in
      guard answers[1] == answers[2] else { throw FormProblem("The new ones are not the same.") }
      try await store.changePassphrase(
        from: answers[0],
        to: answers[1]
      )
    } then: { [weak self] in
      self?.show(Notice(.done, "The passphrase of the secrets is changed."))
    }
  }

  /// Shows a form until its answers work, or until it is given up.
  func ask(
    _ form: Form,
    _ busyText: String,
    givenUp: (() -> Void)? = nil,
    _ submit: @escaping ([SecretBytes]) async throws -> Void,
    then work: @escaping () -> Void
  ) {
    present(
      AsyncFormSheet(
        form,
        in: self,
        overlay: WindowOverlay("secret-form"),
        busyText: busyText,
        givenUp: givenUp
      ) { answers in
        do {
          try await submit(answers)
        } catch {
          return VaultErrorText.text(error)
        }
        // After the sheet has gone, so that what comes next lies where it lay.
        Task { work() }
        return nil
      }
    )
  }
}

/// What is wrong with the answers of a form.
struct FormProblem: Error, Hashable {
  /// One sentence.
  let sentence: String

  init(_ sentence: String) { self.sentence = sentence }
}

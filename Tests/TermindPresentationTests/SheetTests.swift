@testable import TermindApplication
import TermindDomain
import TermindScreen
import Testing

@testable import TermindPresentation

@Suite("Sheets") struct SheetTests {
  static let known = KnownKeySummary(
    type: "ssh-ed25519",
    fingerprint: "SHA256:Yk3VZ8vTkXn0sQqGmJ1cP2rH5uW9aBdEfLtN7oRiK4s",
    since: 1_740_873_600,
    source: "vault"
  )

  static func question(_ doubt: HostKeyDoubt, hop: Int = 1, of count: Int = 2) -> HostKeyQuestion {
    HostKeyQuestion(
      context: HopContext(
        index: hop,
        count: count,
        hop: Hop(
          endpoint: SSHEndpoint(host: "10.0.0.11"),
          credentials: HopCredentials(username: "deploy")
        )
      ),
      key: HostKey(
        type: "ssh-ed25519",
        blob: [1],
        fingerprint: "SHA256:9faQm2XwYt7bLrC0eHsJvD4kNzUgPiO8xTqA1lB6cE5"
      ),
      doubt: doubt
    )
  }

  private func press(_ sheet: inout HostKeySheet, _ names: [String]) throws -> HostKeyDecision? {
    var decision: HostKeyDecision?
    for name in names where decision == nil {
      decision = sheet.handle(try KeyChord(text: name).event)
    }
    return decision
  }

  @Test("a changed key is trusted only by the whole word")
  func changedKey() throws {
    var sheet = HostKeySheet(Self.question(.changed(known: [Self.known])))
    #expect(try press(&sheet, ["enter"]) == nil)
    #expect(!sheet.isWrong)
    #expect(try press(&sheet, ["y", "e", "s", "enter"]) == nil)
    #expect(sheet.isWrong)
    #expect(try press(&sheet, ["ctrl+u", "R", "e", "p", "l", "a", "c", "e", "enter"]) == nil)
    #expect(try press(&sheet, ["ctrl+u", "r", "e", "p", "l", "a", "c", "enter"]) == nil)
    #expect(try press(&sheet, ["e", "enter"]) == .trust)
    var other = HostKeySheet(Self.question(.changed(known: [Self.known])))
    #expect(try press(&other, ["r", "escape"]) == .reject)
    #expect(other.press(button: 0) == nil)
  }

  @Test(
    "enter out of habit trusts nothing",
    arguments: [
      HostKeyDoubt.unknown, .newType(known: [SheetTests.known]),
      .changed(known: [SheetTests.known]),
    ]
  )
  func enterIsSafe(doubt: HostKeyDoubt) throws {
    var sheet = HostKeySheet(Self.question(doubt))
    let decision = try press(&sheet, ["enter"])
    #expect(decision == nil || decision == .reject)
  }

  @Test("a new host is trusted by a button or its letter")
  func newHost() throws {
    var sheet = HostKeySheet(Self.question(.unknown))
    #expect(try press(&sheet, ["right", "enter"]) == .trust)
    sheet = HostKeySheet(Self.question(.unknown))
    #expect(try press(&sheet, ["tab", "tab", "enter"]) == .trustOnce)
    sheet = HostKeySheet(Self.question(.unknown))
    #expect(try press(&sheet, ["t"]) == .trust)
    sheet = HostKeySheet(Self.question(.newType(known: [Self.known])))
    #expect(try press(&sheet, ["o"]) == .trustOnce)
    sheet = HostKeySheet(Self.question(.unknown))
    #expect(try press(&sheet, ["escape"]) == .reject)
    #expect(sheet.press(button: 1) == .trust)
  }

  @Test("the three screens say three different things")
  func threeScreens() {
    let doubts: [HostKeyDoubt] = [
      .unknown, .newType(known: [Self.known]), .changed(known: [Self.known]),
    ]
    let texts = doubts.map { doubt in
      HostKeySheet(Self.question(doubt)).content(width: 80).map(\.text)
    }
    #expect(Set(texts.map(\.first)).count == 3)
    for text in texts {
      #expect(text.contains { $0.contains("SHA256:9faQm2XwYt7bLrC0eHsJvD4kNzUgPiO8xTqA1lB6cE5") })
    }
    #expect(texts[2].contains("THE HOST KEY HAS CHANGED."))
    #expect(texts[2].contains { $0.contains("since 2025-03-02") })
  }

  @Test("a fingerprint is never cut, however narrow the window", arguments: [20, 30, 40, 60])
  func wholeFingerprint(width: Int) {
    let question = Self.question(.changed(known: [Self.known]))
    let lines = HostKeySheet(question).content(width: width).map(\.text)
    let joined = lines.joined().filter { $0 != " " }
    #expect(joined.contains(question.key.fingerprint))
    #expect(joined.contains(Self.known.fingerprint))
    #expect(lines.allSatisfy { $0.count <= width })
  }

  @Test("a question's first button is safe, and letters never press a dangerous one")
  func confirm() throws {
    let buttons: [ConfirmSheet.Button] = [
      .init(id: "cancel", label: "Cancel", role: .cancel),
      .init(id: "close", label: "Close window", role: .danger),
      .init(id: "detach", label: "Detach instead", role: .plain),
    ]
    var sheet = ConfirmSheet(title: "Close?", lines: [], buttons: buttons)
    func press(_ name: String) throws -> ConfirmSheet.Answer {
      sheet.handle(try KeyChord(text: name).event)
    }
    #expect(try press("enter") == .pressed("cancel"))
    #expect(try press("escape") == .pressed("cancel"))
    #expect(try press("d") == .pressed("detach"))
    #expect(try press("c") == .pressed("cancel"))
    #expect(try press("ctrl+d") == .none)
    #expect(try press("right") == .none)
    #expect(try press("enter") == .pressed("close"))
    #expect(try press("tab") == .none)
    #expect(try press("tab") == .none)
    #expect(try press("space") == .pressed("cancel"))
    #expect(try press("shift+tab") == .none)
    #expect(try press("enter") == .pressed("detach"))
  }

  static func closing() -> CloseWindowQuestion {
    func pane(_ id: UInt32, _ live: Bool, _ program: String? = nil) -> PaneSummary {
      PaneSummary(pane: PaneID(rawValue: id), kind: .ssh, isLive: live, program: program)
    }
    func workspace(_ id: UInt32, _ name: String, _ panes: [PaneSummary]) -> EndingWorkspace {
      EndingWorkspace(
        id: WorkspaceID(rawValue: id),
        name: name,
        window: WindowID(rawValue: 1),
        panes: panes
      )
    }
    return CloseWindowQuestion(
      window: WindowID(rawValue: 1),
      ending: [
        workspace(1, "prod", [pane(1, true, "vim"), pane(2, true), pane(3, true)]),
        workspace(2, "db", [pane(4, true)]), workspace(3, "old\u{1B}", [pane(5, false)]),
      ],
      kept: AppWideWork(transfers: 1, forwardings: 2)
    )
  }

  @Test("closing a window names what ends and what is kept")
  func closeWindow() {
    let sheet = ConfirmSheet.closeWindow(Self.closing())
    #expect(
      sheet.lines == [
        "3 workspaces end: prod (3 sessions, 1 in vim), db (1 session), old␛ (nothing runs)",
        "Kept: 1 transfer, 2 forwardings (they belong to the app)",
      ]
    )
    #expect(sheet.buttons.map(\.id) == ["cancel", "close", "detach"])
    let quit = ConfirmSheet.quit(QuitQuestion(ending: [], work: AppWideWork(monitors: 2)))
    #expect(quit.lines == ["No workspace is open.", "Also: 2 monitors ended"])
    let work = AppWideWork(transfers: 1, names: ["a → b (3%)"], commands: 2, edits: 1)
    let paused = ConfirmSheet.quit(QuitQuestion(ending: [], work: work))
    #expect(
      paused.lines.dropFirst() == [
        "Also: 1 transfer paused until the next start, 2 termind commands stopped, "
          + "1 edit not uploaded (the copies stay)", "  a → b (3%)",
      ]
    )
  }

  static func challenge(
    _ kind: CredentialChallengeKind,
    _ prompts: [CredentialPrompt],
    instruction: String = "",
    attempt: Int = 0
  ) -> CredentialChallenge {
    CredentialChallenge(
      context: question(.unknown).context,
      kind: kind,
      instruction: instruction,
      prompts: prompts,
      attempt: attempt
    )
  }

  @Test("prompts are shown literally and follow their echo flags")
  func prompts() {
    let sheet = CredentialSheet(
      Self.challenge(
        .keyboardInteractive,
        [
          CredentialPrompt(text: "Choose 1) push\u{1B}[2J or 2) code:", echoes: true),
          CredentialPrompt(text: "Code: ", echoes: false),
        ],
        instruction: "Second factor\r\nneeded\u{7}"
      )
    )
    #expect(sheet.form.rows.map(\.field.isSecret) == [false, true])
    #expect(sheet.form.rows[0].label == "Choose 1) push␛[2J or 2) code:")
    #expect(sheet.form.lines == ["Second factor\nneeded␇"])
    #expect(sheet.form.title == "deploy@10.0.0.11 (hop 2 of 2) asks")
    #expect(sheet.form.problem.isEmpty)
  }

  @Test("what is typed where the echo flag is not known is hidden, until the person has it shown")
  func unknownEcho() throws {
    let prompt = CredentialPrompt(text: "Code: ", echoes: false, isEchoKnown: false)
    var sheet = CredentialSheet(Self.challenge(.keyboardInteractive, [prompt]))
    #expect(sheet.form.lines == ["ssh does not tell whether the answer may be shown."])
    #expect(sheet.form.hints.contains(KeyHint("ctrl+r", "show it")))
    for name in ["4", "é", "7"] { _ = sheet.handle(try KeyChord(text: name).event) }
    #expect(sheet.form.rows[0].field.visible(width: 20).text == "•••")
    #expect(sheet.handle(try KeyChord(text: "ctrl+r").event) == .none)
    #expect(sheet.form.rows[0].field.visible(width: 20).text == "4é7")
    // It stays a secret: no text of it anywhere else.
    #expect(sheet.form.rows[0].field.text.isEmpty)
    #expect(sheet.handle(try KeyChord(text: "ctrl+r").event) == .none)
    #expect(sheet.form.rows[0].field.visible(width: 20).text == "•••")
    let answer = sheet.handle(try KeyChord(text: "enter").event)
    #expect(answer == .submitted([SecretBytes("4é7".utf8)]))
    // A prompt of which it is known has no such key.
    var known = CredentialSheet(
      Self.challenge(.password, [CredentialPrompt(text: "Password: ", echoes: false)])
    )
    #expect(!known.form.hints.contains { $0.key == "ctrl+r" })
    _ = known.handle(try KeyChord(text: "a").event)
    _ = known.handle(try KeyChord(text: "ctrl+r").event)
    #expect(known.form.rows[0].field.visible(width: 20).text == "•")
  }

  @Test("a question names the keys that were skipped and the saved passphrase that did not help")
  func skipped() {
    func lines(_ unused: [UnusedKey]) -> [String] {
      CredentialSheet(
        CredentialChallenge(
          context: Self.question(.unknown).context,
          kind: .password,
          prompts: [CredentialPrompt(text: "Password: ", echoes: false)],
          unusedKeys: unused
        )
      ).form.lines
    }
    #expect(
      lines([.key(label: "/k", reason: "its passphrase was not given")])
        == ["Not used: /k: its passphrase was not given."]
    )
    #expect(
      lines([.passphrase(reason: "it does not open the key")])
        == ["The saved passphrase did not help: it does not open the key."]
    )
  }

  @Test("answers are the bytes typed, one a prompt, empty ones too")
  func answers() throws {
    var sheet = CredentialSheet(
      Self.challenge(
        .password,
        [CredentialPrompt(text: "A", echoes: false), CredentialPrompt(text: "B", echoes: true)],
        attempt: 1
      )
    )
    #expect(sheet.form.problem == "That was not accepted.")
    for name in ["é", "q"] { #expect(sheet.handle(try KeyChord(text: name).event) == .none) }
    sheet.paste("x\ny")
    #expect(sheet.handle(try KeyChord(text: "enter").event) == .none)
    let answer = sheet.handle(try KeyChord(text: "enter").event)
    #expect(answer == .submitted([SecretBytes("éqx y".utf8), SecretBytes([])]))
    #expect(sheet.handle(try KeyChord(text: "escape").event) == .cancelled)
  }

  @Test("the secret store is unlocked in a sheet that says for whom, or by the keyring itself")
  func secretStore() {
    let file = CredentialSheet(
      Self.challenge(
        .secretStore(.sealedFile),
        [CredentialPrompt(text: "Passphrase: ", echoes: false)],
        attempt: 1
      )
    )
    #expect(file.form.title == "Unlock the secrets")
    #expect(
      file.form.lines == [
        "What signs deploy in at 10.0.0.11 (hop 2 of 2) is in the secret store, which is locked."
      ]
    )
    #expect(file.form.problem == "That did not open the secrets.")
    #expect(file.form.rows.map(\.field.isSecret) == [true])
    let keyring = CredentialSheet(Self.challenge(.secretStore(.keyring), []))
    #expect(keyring.form.lines.last?.contains("in a window of its own") == true)
  }

  @Test("a certificate authority that is of no use is named in the question about the plain key")
  func unusedAuthority() {
    for doubt in [
      HostKeyDoubt.unknown, .newType(known: [Self.known]), .changed(known: [Self.known]),
    ] {
      let plain = Self.question(doubt)
      let question = HostKeyQuestion(
        context: plain.context,
        key: plain.key,
        doubt: doubt,
        hasUnusedAuthority: true
      )
      func says(_ question: HostKeyQuestion) -> Bool {
        HostKeySheet(question).content(width: 200).contains {
          $0.text.contains("needs the OpenSSH engine")
        }
      }
      #expect(says(question))
      #expect(!says(plain))
    }
  }

  @Test("a round without prompts is acknowledged by enter")
  func noPrompts() throws {
    var sheet = CredentialSheet(
      Self.challenge(.keyboardInteractive, [], instruction: "Approve it.")
    )
    #expect(sheet.handle(try KeyChord(text: "enter").event) == .submitted([]))
  }

  @Test("a form moves between its fields by tab, arrows and enter")
  func form() throws {
    var form = Form(
      title: "Host",
      rows: [.init("Name"), .init("Address"), .init("Port", text: "22")]
    )
    for name in ["a", "tab", "b", "down", "backspace", "up", "up", "c", "shift+tab", "enter"] {
      let answer = form.handle(try KeyChord(text: name).event)
      if name == "enter" { #expect(answer == .submitted) } else { #expect(answer == .none) }
    }
    #expect(form.texts == ["ac", "b", "2"])
    #expect(Form.rename("pane", current: "web").texts == ["web"])
  }

  @Test("a row that is chosen from is turned, and a field that is needed keeps Enter")
  func choices() throws {
    let snippet = SnippetRecord(
      name: "restart",
      text: "{{unit}} {{how:stop|start|status}} {{where=here}}"
    )
    func press(_ form: inout Form, _ names: String...) throws {
      for name in names { #expect(form.handle(try KeyChord(text: name).event) == .none) }
    }
    var form = Form.filling(snippet, verb: "run")
    try press(&form, "enter")
    #expect(form.problem == "unit is to be filled in." && form.focused == 0)
    try press(&form, "x", "enter")
    #expect(form.problem.isEmpty && form.focused == 1)
    for (key, word) in [
      ("right", "start"), ("left", "stop"), ("left", "status"), ("space", "stop"), ("s", "start"),
      ("s", "status"), ("x", "status"), ("backspace", "status"), ("home", "stop"),
      ("end", "status"),
    ] {
      try press(&form, key)
      #expect(form.texts[1] == word, "\(key)")
    }
    form.paste("no such")
    #expect(form.texts[1] == "status")
    form.paste(" start\n")
    try press(&form, "tab", "ctrl+u")
    #expect(form.handle(try KeyChord(text: "enter").event) == .submitted)
    #expect(form.texts == ["x", "start", ""])
    var later = Form.filling(snippet, verb: "run")
    try press(&later, "down", "down", "enter")
    #expect(later.focused == 0 && later.problem == "unit is to be filled in.")
    var free = Form.filling(snippet, mayBeEmpty: true, verb: "insert")
    try press(&free, "enter", "enter")
    #expect(free.handle(try KeyChord(text: "enter").event) == .submitted)
  }

  @Test("choices are drawn in their row", arguments: GoldenScreen.sizes)
  func choicesPicture(rows: Int, columns: Int) throws {
    let snippet = SnippetRecord(
      name: "restart",
      text: "{{unit}} {{how:stop|start|status}} {{where=here}}"
    )
    try GoldenScreen.expect("form-choices", rows: rows, columns: columns) { canvas, window in
      var form = Form.filling(snippet, verb: "run")
      form.focus(1)
      form.draw(on: &canvas, in: form.area(in: window), GoldenScreen.dark)
    }
  }

  @Test("whether the keys can be seen whole is known before they are trusted")
  func fits() {
    let changed = HostKeySheet(Self.question(.changed(known: [Self.known])))
    #expect(changed.fits(in: GoldenScreen.window(12, 40)))
    #expect(!changed.fits(in: GoldenScreen.window(8, 40)))
    #expect(!changed.fits(in: GoldenScreen.window(24, 4)))
    #expect(HostKeySheet(Self.question(.unknown)).fits(in: GoldenScreen.window(10, 60)))
  }
}

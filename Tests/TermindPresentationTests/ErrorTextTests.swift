import TermindApplication
import TermindDomain
import Testing

@testable import TermindPresentation

@Suite("Words for errors") struct ErrorTextTests {
  static let key = HostKey(type: "ssh-ed25519", blob: [1], fingerprint: "SHA256:abc")

  static let causes: [ConnectionFailureCause] = [
    .unknownHost("Name or service not known"), .refused, .unreachable("No route to host"),
    .timedOut(seconds: 15), .notSSH(banner: "HTTP/1.1 400 Bad Request\r\n"), .notSSH(banner: ""),
    .noCommonAlgorithm(
      kind: "key exchange method",
      offered: ["diffie-hellman-group1-sha1"],
      supported: ["curve25519-sha256"]
    ),
    .noCommonAlgorithm(
      kind: "host key type",
      offered: ["ssh-ed25519-cert-v01@openssh.com"],
      supported: ["ssh-ed25519"]
    ),
    .hostKeyRejected(key), .hostKeyChanged(offered: key, known: ["SHA256:old"]),
    .hostKeyRevoked(key), .authenticationFailed(tried: ["publickey"], offered: ["password"]),
    .authenticationFailed(tried: [], offered: []), .disconnected(reason: "Too many sessions."),
    .keyUnusable(path: "/home/me/.ssh/id_rsa", reason: "it is encrypted with an unknown cipher"),
    .channelRefused(request: "pty-req", reason: "administratively prohibited"),
    .oldAlgorithmsOnly(kind: "cipher", offered: ["3des-cbc"]),
    .unsupported(obstacle: "libssh2 cannot do it"),
    .lost(reason: "Connection reset by peer"), .keepaliveTimedOut(seconds: 45),
    .interactionRequired("a password"), .cancelled, .internalError(diagnostic: "-37"),
    .internalError(diagnostic: "libssh2_session_handshake: -5 Unable to exchange keys"),
  ]

  private func failure(
    _ cause: ConnectionFailureCause,
    step: ConnectionStep = .connecting,
    hop: Int = 1,
    of count: Int = 3
  ) -> ConnectionFailure {
    ConnectionFailure(
      hopIndex: hop,
      hopCount: count,
      endpoint: SSHEndpoint(host: "10.0.0.11", port: 2222),
      step: step,
      cause: cause
    )
  }

  private func checkWording(_ text: Explanation, _ about: String) {
    #expect(!text.state.isEmpty && text.state.count <= 40, "\(about)")
    #expect(text.state.contains { $0.isLetter }, "\(about)")
    for part in [text.detail, text.next] {
      #expect(part.hasSuffix("."), "\(about): \(part)")
      #expect(!part.hasSuffix(".."), "\(about): \(part)")
      #expect(part.first?.isLowercase == false, "\(about): \(part)")
      #expect(!part.contains("  "), "\(about): \(part)")
      #expect(part.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F })
    }
  }

  @Test("every cause names the hop and says what to do next", arguments: causes)
  func namesTheHop(cause: ConnectionFailureCause) {
    let text = ErrorText.explain(failure(cause))
    checkWording(text, "\(cause)")
    #expect(text.detail.contains("10.0.0.11:2222 (hop 2 of 3)"))
    #expect(text.next.contains("ress "))
  }

  @Test("a way without jump hosts names only the host", arguments: causes)
  func singleHop(cause: ConnectionFailureCause) {
    let text = ErrorText.explain(failure(cause, hop: 0, of: 1))
    #expect(text.detail.contains("10.0.0.11:2222"))
    #expect(!text.detail.contains("hop"))
  }

  @Test("causes that can come at any step name it", arguments: ConnectionStep.allCases)
  func namesTheStep(step: ConnectionStep) {
    for cause in [ConnectionFailureCause.timedOut(seconds: 3), .cancelled, .refused] {
      let detail = ErrorText.explain(failure(cause, step: step)).detail
      #expect(detail.contains("while \(ErrorText.words(for: step))"))
    }
  }

  @Test("a number from a library is never shown by itself")
  func noBareNumber() {
    let bare = ErrorText.explain(failure(.internalError(diagnostic: "-37"), step: .keyExchange))
    #expect(!bare.paragraph.contains("-37"))
    #expect(bare.detail.contains("while exchanging keys"))
    let wordy = ErrorText.explain(failure(.internalError(diagnostic: "Unable to exchange keys")))
    #expect(wordy.detail.contains("Unable to exchange keys"))
  }

  @Test("what was tried and what the server takes are listed")
  func authentication() {
    let text = ErrorText.explain(
      failure(
        .authenticationFailed(tried: ["agent key me@laptop", "password"], offered: ["publickey"])
      )
    )
    #expect(
      text.detail.contains("did not accept agent key me@laptop, password; it takes publickey")
    )
    let many = (1...9).map { "key\($0)" }
    let long = ErrorText.explain(failure(.authenticationFailed(tried: many, offered: [])))
    #expect(long.detail.contains("key6 and 3 more"))
  }

  @Test("a server that was offered too many keys is answered with how to offer fewer")
  func tooManyKeys() {
    let cause = ConnectionFailureCause.disconnected(reason: "Too many authentication failures")
    let text = ErrorText.explain(failure(cause, step: .authentication))
    checkWording(text, "too many")
    #expect(text.next.contains("-i") && text.next.contains("agent off"))
    #expect(!ErrorText.explain(failure(cause, step: .connected)).next.contains("-i"))
  }

  @Test("a server without a common algorithm is answered with the other engine")
  func otherEngine() {
    let text = ErrorText.explain(
      failure(
        .noCommonAlgorithm(kind: "cipher", offered: ["aes256-gcm"], supported: ["aes256-ctr"])
      )
    )
    checkWording(text, "engine")
    #expect(text.next.contains("engine to Automatic or OpenSSH"))
  }

  @Test("a server with only host certificates gets a clear message")
  func certificates() {
    let text = ErrorText.explain(
      failure(
        .noCommonAlgorithm(
          kind: "host key type",
          offered: ["ssh-ed25519-cert-v01@openssh.com"],
          supported: ["ssh-ed25519"]
        )
      )
    )
    #expect(text.detail.contains("only host certificates"))
    #expect(text.detail.contains("@cert-authority"))
    #expect(text.detail.contains("needs the OpenSSH engine"))
  }

  @Test("what a server sent cannot steer the terminal or reorder text")
  func sanitised() {
    let text = ErrorText.explain(
      failure(.disconnected(reason: "bye\u{1B}]0;x\u{7}\r\n\u{202E}evil\u{9B}31m"))
    )
    checkWording(text, "sanitised")
    #expect(!text.detail.unicodeScalars.contains { (0x202A...0x202E).contains($0.value) })
    #expect(text.detail.contains("bye␛]0;x␇ ⟨202E⟩evil⟨009B⟩31m"), "\(text.detail)")
    let long = ErrorText.explain(failure(.notSSH(banner: String(repeating: "A", count: 100_000))))
    #expect(long.detail.count < 500)
  }

  @Test("the keys to press are those of the place")
  func keys() {
    let keys = ExplanationKeys(retry: "enter", close: "q")
    #expect(ErrorText.explain(failure(.refused), keys: keys).next == "Press enter to try again.")
  }

  @Test(
    "every store error says what happened to the data",
    arguments: [
      StoreError.cannotOpen(path: "/x/store.db", diagnostic: "14"),
      .corrupt(path: "/x/store.db", diagnostic: "file is not a database"),
      .newerSchema(path: "/x/store.db", found: 7, supported: 3), .locked(path: "/x/store.db"),
      .notWritable(path: "/x/store.db", diagnostic: "disk full"), .notFound,
      .conflict("a host named web1 exists"), .conflict(""), .failed(diagnostic: "11"),
      .diskFull(path: "/x/store.db"), .nameTaken(.host, "web1"), .missingReference(.identity),
      .alreadyThere(.key(KeyID())),
    ]
  )
  func store(error: StoreError) {
    let text = ErrorText.explain(error)
    checkWording(text, "\(error)")
    switch error {
    case .cannotOpen(let path, _), .corrupt(let path, _), .newerSchema(let path, _, _),
      .locked(let path), .notWritable(let path, _), .diskFull(let path):
      #expect(text.detail.contains(path))
    case .nameTaken(_, let name): #expect(text.detail.contains(name))
    case .notFound, .conflict, .failed, .missingReference, .alreadyThere: break
    }
    #expect(!text.paragraph.contains(": 14") && !text.paragraph.contains(": 11"))
  }

  @Test(
    "every route error is explained",
    arguments: [
      RouteError.empty, .tooManyHops(count: 9), .cycle(SSHEndpoint(host: "::1", port: 2222)),
    ]
  )
  func routes(error: RouteError) {
    let text = ErrorText.explain(error)
    checkWording(text, "\(error)")
    if case .cycle = error { #expect(text.detail.contains("[::1]:2222")) }
  }

  @Test(
    "the end of a program is told in words",
    arguments: [
      (TerminalChannelEnd.exited(status: 0), "ended", "The shell has ended."),
      (.exited(status: 3), "exited 3", "The shell has ended with status 3."),
      (
        .exited(status: 127), "exited 127",
        "The shell has ended with status 127 (the command was not found)."
      ),
      (.signalled(name: "KILL"), "SIGKILL", "The shell was killed (SIGKILL)."),
      (.signalled(name: "SEGV"), "SIGSEGV", "The shell was ended by a crash (SIGSEGV)."),
      (.signalled(name: "USR1"), "SIGUSR1", "The shell was ended by a signal (SIGUSR1)."),
      (.closed, "closed", "The shell was closed from here."),
    ]
  )
  func ends(end: TerminalChannelEnd, state: String, detail: String) {
    let text = ErrorText.explain(end)
    checkWording(text, "\(end)")
    #expect(text.state == state)
    #expect(text.detail == detail)
  }

  @Test("a program that ended with its connection is told as the connection's end")
  func endedByFailure() {
    let failure = failure(.lost(reason: "reset"))
    #expect(ErrorText.explain(.failed(failure)) == ErrorText.explain(failure))
  }

  @Test(
    "every wrong line of the connect bar is explained, with the word",
    arguments: [
      ("", "No host is named."), ("-Z web1", "The option ‘-Z’ is not known here."),
      ("web1 -p", "The option ‘-p’ needs a value behind it."),
      ("-p 1 -p 2 web1", "The option ‘-p’ may be given only once."),
      ("web1 uptime", "The word ‘uptime’ stands behind the host."),
      ("-l me you@web1", "The option ‘-l’ says ‘me’, but the host says ‘you’."),
      ("-p 70000 web1", "‘70000’ is no port."), ("web1:0", "is no port from 1 to 65535."),
      ("[::1", "‘[::1’ names no host: a bracket is not closed."),
      ("http://web1", "only ssh:// is understood."), ("'web1", "A quote is not closed"),
      ("-J a,b,c,d,e,f,g,h web1", "at most 8 are allowed."),
      ("-J a,,b web1", "A jump host is missing in ‘a,,b’."), ("''", "No host is named."),
    ]
  )
  func connectLines(line: String, part: String) {
    let error = #expect(throws: ConnectCommandError.self) { try ConnectCommand(line: line) }
    guard let error else { return }
    let text = ErrorText.explain(error)
    checkWording(text, line)
    #expect(text.detail.contains(part), "\(text.detail)")
  }

  @Test(
    "a wrong chain of jump hosts is explained",
    arguments: [
      RouteBuildError.invalidJump("a b", .invalidHost("a b")), .cycle(["web1", "bastion", "web1"]),
      .tooManyHops(count: 12),
    ]
  )
  func routeBuilding(error: RouteBuildError) {
    let text = ErrorText.explain(error)
    checkWording(text, "\(error)")
    if case .cycle = error { #expect(text.detail.contains("web1 › bastion › web1")) }
  }
}

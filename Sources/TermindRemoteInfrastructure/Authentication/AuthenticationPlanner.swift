internal import TermindApplication
public import TermindDomain

/// Decides what is tried, in which order, to authenticate at one server: a pure state machine.
///
/// The transport feeds it what happened and does what it answers. The order: `none`, to learn the
/// methods; an explicit or saved password; the keys of the ring; keyboard-interactive; a password that the
/// person is asked for. Each request starts from what the server last said it would accept.
public struct AuthenticationPlanner: Sendable {
  /// What the planner waits for.
  enum Phase: Hashable, Sendable {
    /// Nothing was done yet; `begin` leaves it.
    case idle
    /// A `none` request is out.
    case methods
    /// The key is offered, or signed with; the server's answer leaves it.
    case key(Int, algorithm: String)
    /// The key is being opened, with the person or from the secret store.
    case opening(Int, isAccepted: Bool)
    /// The agent's keys are being listed.
    case listing
    /// The saved password is being read.
    case fetchingPassword
    /// A password is out.
    case password
    /// The person is asked for a password.
    case passwordQuestion
    /// The change of a password is under way; `tries` new ones were sent.
    case passwordChange(tries: Int)
    /// The person is asked for a new password, twice.
    case newPasswordQuestion(instruction: String, tries: Int)
    /// Keyboard-interactive is running; the server's next message leaves it.
    case interactive
    /// The person answers a round, of which `prefilled` answers are already there.
    case roundQuestion(promptCount: Int, prefilled: Int)
    /// The last step was given; it is repeated for any further event.
    case over
  }

  // A server that reports success without end would otherwise be asked without end.
  private static let maximumPartialSuccesses = 8

  let policy: AuthenticationPolicy
  let server: ServerTraits
  var keys: [AuthenticationKey]
  /// Whether there may be more keys, which are not known yet.
  var hasUnlistedKeys: Bool
  /// A password that is not spent yet, or that stands in a round which is being answered.
  var explicitPassword: SecretBytes?
  /// Whether there is a saved password that was not read yet.
  private var isPasswordUnread: Bool
  /// Whether what is out at the server is the saved password.
  var isSavedPasswordOut = false
  var isPasswordSaved = false

  var phase = Phase.idle
  var isPasswordSpent = false
  var nextKey = 0
  var keysOffered = 0
  var personTries = 0
  var interactiveRounds = 0
  var isFirstExchange = true
  var hasSeenPrompts = false
  /// The password that is out; a change needs it again.
  var sentPassword: SecretBytes?
  var isInteractiveDead = false
  private var partialSuccesses = 0
  var needsPerson: String?
  /// A key that the server would have taken and that could not be opened.
  var unopened: SkippedKey?
  static let secretStoreNeed = "secret store"
  private var ending: AuthenticationStep?

  /// What was tried, in order, without repeats: `password`, `keyboard-interactive`, or `publickey`
  /// with the key's label.
  public private(set) var tried: [String] = []
  /// The methods that the server last offered.
  public private(set) var offered: [String] = []
  /// The keys that were not offered.
  public internal(set) var skipped: [SkippedKey]
  /// Why the saved password was of no use; nil as long as it may be of use, or there is none.
  public private(set) var unusedPassword: String?

  /// Makes a planner for one attempt at one hop.
  ///
  /// - Parameters:
  ///   - policy: The limits.
  ///   - server: What the key exchange told about the server.
  ///   - keys: The keys to offer, in order; ids must be their indexes.
  ///   - hasUnlistedKeys: Whether `listKeys` can be answered with more keys behind these.
  ///   - skipped: What the key ring had to leave out.
  ///   - password: A password given for this attempt.
  ///   - hasSavedPassword: Whether `fetchPassword` can be answered; not asked for where a password was given.
  public init(
    policy: AuthenticationPolicy,
    server: ServerTraits = ServerTraits(),
    keys: [AuthenticationKey] = [],
    hasUnlistedKeys: Bool = false,
    skipped: [SkippedKey] = [],
    password: SecretBytes? = nil,
    hasSavedPassword: Bool = false
  ) {
    self.policy = policy
    self.server = server
    self.keys = keys
    self.hasUnlistedKeys = hasUnlistedKeys
    self.skipped = skipped
    explicitPassword = password
    isPasswordUnread = hasSavedPassword && password == nil
  }

  /// Takes what happened and tells what to do next.
  ///
  /// - Parameter event: What happened since the last step.
  /// - Returns: What to do; `finished` and `failed` end the attempt and repeat from then on.
  public mutating func next(after event: AuthenticationEvent) -> AuthenticationStep {
    if let ending { return ending }
    let step = step(after: event)
    switch step {
    case .finished, .failed:
      ending = step
      phase = .over
    default: break
    }
    return step
  }

  private mutating func step(after event: AuthenticationEvent) -> AuthenticationStep {
    switch (phase, event) {
    case (.idle, .begin):
      phase = .methods
      return .requestMethods
    case (.idle, _), (.over, _):
      return unexpected(event)
    case (.methods, .succeeded), (.key, .succeeded), (.password, .succeeded),
      (.passwordChange, .succeeded), (.interactive, .succeeded):
      sentPassword = nil
      return .finished
    case (.methods, .refused(let methods, _)), (.key, .refused(let methods, _)),
      (.password, .refused(let methods, _)), (.passwordChange, .refused(let methods, _)),
      (.interactive, .refused(let methods, _)):
      sentPassword = nil
      return refused(event, methods: methods)
    case (.listing, .keysListed(let all)):
      // What was offered stays where it was.
      keys += all.dropFirst(keys.count)
      return advance()
    case (.key, _), (.opening, _):
      return keyStep(after: event) ?? unexpected(event)
    case (.fetchingPassword, .passwordFetched(let password)):
      explicitPassword = password
      isPasswordSaved = true
      return advance()
    case (.fetchingPassword, .passwordUnavailable(let problem)):
      unusedPassword = problem.phrase
      if problem == .locked { needsPerson = needsPerson ?? Self.secretStoreNeed }
      return advance()
    case (.passwordQuestion, .answered(let answers)) where answers.count == 1:
      return sendPassword(answers[0])
    case (.passwordQuestion, .declined), (.newPasswordQuestion, .declined),
      (.roundQuestion, .declined):
      return .failed(.cancelled)
    case (.password, _), (.passwordChange, _), (.newPasswordQuestion, _):
      return passwordStep(after: event) ?? unexpected(event)
    case (.interactive, _), (.roundQuestion, _):
      return interactiveStep(after: event) ?? unexpected(event)
    default:
      return unexpected(event)
    }
  }

  /// Follows a refusal, or a partial success.
  private mutating func refused(
    _ event: AuthenticationEvent,
    methods: [String]?
  ) -> AuthenticationStep {
    guard case .refused(_, var isPartial) = event else { return unexpected(event) }
    let method = currentMethod
    defer { isSavedPasswordOut = false }
    if let methods {
      // Not every engine passes the flag on: a server that stops offering a method had enough of it.
      if let method, offered.contains(method), !methods.contains(method) { isPartial = true }
      offered = methods.filter { !$0.isEmpty }
    }
    if isSavedPasswordOut, !isPartial { unusedPassword = "the server did not accept it" }
    if isPartial, partialSuccesses < Self.maximumPartialSuccesses {
      partialSuccesses += 1
      personTries = 0
      isInteractiveDead = false
    } else if method == "keyboard-interactive" && !hasSeenPrompts {
      // It refused without a question, as servers do that have nothing behind this method.
      isInteractiveDead = true
      personTries -= 1
    }
    return advance()
  }

  private var currentMethod: String? {
    switch phase {
    case .key: "publickey"
    case .password, .passwordChange: "password"
    case .interactive: "keyboard-interactive"
    default: nil
    }
  }

  /// Chooses the next thing to try from what the server offers.
  mutating func advance() -> AuthenticationStep {
    if isPasswordUnread, offered.contains("password") || isFirstExchange && canBeginInteractive {
      isPasswordUnread = false
      phase = .fetchingPassword
      return .fetchPassword
    }
    let hasPassword = explicitPassword != nil && !isPasswordSpent
    if hasPassword, offered.contains("password"), let explicitPassword {
      return sendPassword(explicitPassword)
    }
    // Only the first exchange may take the password; a later one is the person's.
    let mayAnswer = hasPassword && isFirstExchange
    if mayAnswer, policy.isInteractive, canBeginInteractive { return beginInteractive() }
    if offered.contains("publickey"), let step = offerNextKey() { return step }
    if canBeginInteractive {
      if policy.isInteractive || mayAnswer { return beginInteractive() }
      needsPerson = needsPerson ?? "keyboard-interactive"
    }
    if offered.contains("password"), personTries < policy.maximumPasswordTries {
      guard policy.isInteractive else {
        return .failed(.interactionRequired(needsPerson ?? "password"))
      }
      return askPassword()
    }
    if let needsPerson { return .failed(.interactionRequired(needsPerson)) }
    return .failed(exhausted)
  }

  /// Why nothing is left to try.
  private var exhausted: ConnectionFailureCause {
    if let unopened, tried.allSatisfy({ $0.hasPrefix("publickey ") }) {
      let reason = unopened.reason.phrase ?? "it was not unlocked"
      return .keyUnusable(path: unopened.label, reason: reason)
    }
    if tried.isEmpty, offered.contains("publickey") {
      for key in skipped {
        if case .unusable(let error) = key.reason {
          return .keyUnusable(path: key.label, reason: error.reason)
        }
      }
    }
    return .authenticationFailed(tried: tried, offered: offered)
  }

  // MARK: - Passwords

  private mutating func askPassword() -> AuthenticationStep {
    phase = .passwordQuestion
    return .ask(
      AuthenticationQuestion(
        kind: .password,
        prompts: [CredentialPrompt(text: "Password: ", echoes: false)],
        attempt: personTries
      )
    )
  }

  private mutating func sendPassword(_ password: SecretBytes) -> AuthenticationStep {
    if case .passwordQuestion = phase {
      personTries += 1
    } else {
      isPasswordSpent = true
      explicitPassword = nil
      isSavedPasswordOut = isPasswordSaved
    }
    phase = .password
    sentPassword = password
    note(tried: "password")
    return .sendPassword(password)
  }

  // MARK: - Bookkeeping

  mutating func note(tried entry: String) {
    if !tried.contains(entry) { tried.append(entry) }
  }

  /// An event that does not belong to the phase is a fault of the transport, never of the server.
  private func unexpected(_ event: AuthenticationEvent) -> AuthenticationStep {
    let name = String(describing: event).prefix { $0 != "(" }
    return .failed(.internalError(diagnostic: "authentication: \(name) while \(phase)"))
  }
}

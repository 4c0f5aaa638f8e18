public import TermindApplication
public import TermindDomain

/// What became of a key on a host.
public enum AuthorizedKeyOutcome: Hashable, Sendable {
  /// It was added, and is there now.
  case installed
  /// It was there before, and nothing was changed; `hasOptions` tells that its line limits it.
  case alreadyThere(hasOptions: Bool)
}

/// Why a key was not installed on a host; what the host had authorized is as before.
public enum AuthorizedKeyError: Error, Hashable, Sendable {
  /// A step on the host that failed.
  public enum Step: String, Hashable, Sendable {
    /// The account has no home directory.
    case home
    /// `~/.ssh` could not be made, or is none of the account's own directories.
    case directory
    /// `authorized_keys` could not be read.
    case reading
    /// `authorized_keys` could not be written.
    case writing
    /// The permissions that servers ask for could not be set.
    case permissions
  }

  /// A certificate: its authority is what a host trusts, not the certificate.
  case isCertificate
  /// There is no channel to the host.
  case unreachable(ConnectionFailure)
  /// A step failed; the text is the host's own, not trusted, to be shown sanitised.
  case failed(Step, text: String)
  /// The host does not run a POSIX shell for commands; the text is what it said instead, not trusted.
  case noShell(text: String)
  /// The host did not finish in time; asking again tells whether the key is there.
  case timedOut(seconds: Int)
  /// The task was cancelled; asking again tells whether the key is there.
  case cancelled
}

/// Adds a public key to what an account of a host accepts, once.
public enum AuthorizedKeyInstaller {
  /// Appends a key to `~/.ssh/authorized_keys` of the account that a connection is logged in to.
  ///
  /// Directory and file are made where they are missing, with modes 0700 and 0600, and others' rights to
  /// them are taken away. A key that is there already, under whatever options, is left alone; a line that is
  /// commented out does not count. No secret takes part, and the key is not in the host's list of processes.
  /// - Parameters:
  ///   - key: The public key.
  ///   - comment: What stands behind it in the file.
  ///   - transport: A connection to the host.
  ///   - timeout: How long the host may take.
  /// - Returns: What became of it.
  /// - Throws: Why it is not there.
  public static func install(
    _ key: SSHPublicKey,
    comment: String,
    over transport: any SSHTransport,
    timeout: Duration = .seconds(30)
  ) async throws(AuthorizedKeyError) -> AuthorizedKeyOutcome {
    guard !key.isCertificate else { throw .isCertificate }
    // Whatever the host's start-up files print, they do not print this.
    let mark = "termind-\(UInt64.random(in: 0...UInt64.max))"
    let script = RemoteScript(
      text: AuthorizedKeyScript.text(key, comment: comment, mark: mark),
      timeout: timeout
    )
    let outcome: RemoteScript.Outcome?
    do throws(ConnectionFailure) {
      outcome = try await script.run(over: transport)
    } catch {
      throw Task.isCancelled ? .cancelled : .unreachable(error)
    }
    guard let outcome else { throw .timedOut(seconds: Int(timeout.components.seconds)) }
    let text = String(decoding: outcome.output, as: UTF8.self)
    let errors = String(decoding: outcome.errors, as: UTF8.self)
    if let result = try AuthorizedKeyScript.result(text, errors: errors, mark: mark) {
      return result
    }
    switch outcome.end {
    case .failed(let failure): throw .unreachable(failure)
    case .closed: throw .cancelled
    case .exited, .signalled: throw .noShell(text: String((errors + text).prefix(1000)))
    }
  }
}

import Glibc

/// A child process with files as its standard streams.
///
/// Not Foundation's `Process`: it notices the end of a child by a socket that every other child
/// inherits, so that a long-lived one, such as an agent, makes the wait for a short one endless.
struct ChildProcess {
  struct SpawnFailure: Error {
    let code: Int32
  }

  let identifier: pid_t

  /// Starts a program, searched in the path.
  init(
    _ program: String,
    _ arguments: [String],
    environment: [String: String],
    input: String = "/dev/null",
    output: String = "/dev/null",
    errors: String = "/dev/null"
  ) throws {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe _ = posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
    unsafe posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT, 0o600)
    unsafe posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT, 0o600)
    // The threads that tests run on block every signal, which a child would inherit.
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe _ = posix_spawnattr_destroy(&attributes) }
    var mask = sigset_t()
    unsafe sigemptyset(&mask)
    unsafe posix_spawnattr_setsigmask(&attributes, &mask)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let words = unsafe ([program] + arguments).map { unsafe strdup($0) }
    let variables = unsafe environment.map { unsafe strdup("\($0.key)=\($0.value)") }
    defer { unsafe Self.free(words + variables) }
    var pid: pid_t = 0
    let code = unsafe posix_spawnp(
      &pid,
      program,
      &actions,
      &attributes,
      words + [nil],
      variables + [nil]
    )
    guard code == 0 else { throw SpawnFailure(code: code) }
    identifier = pid
  }

  private static func free(_ texts: [UnsafeMutablePointer<CChar>?]) {
    for place in unsafe texts.indices { unsafe Glibc.free(texts[place]) }
  }

  /// Waits for the end; the exit status, or 128 and the signal's number.
  func wait() -> Int32 {
    var status: Int32 = 0
    while unsafe waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
    return status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f
  }

  /// Asks it to end, and waits.
  func terminate() {
    _ = kill(identifier, SIGTERM)
    _ = wait()
  }
}

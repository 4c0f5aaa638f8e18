internal import CLinux
internal import Glibc

/// Why a program could not be started.
public enum LocalProgramError: Error, Hashable, Sendable {
  /// No such program, or no such interpreter.
  case notFound(program: String)
  /// The file may not be executed.
  case denied(program: String)
  /// No pseudo-terminal is left, or the system refused; the diagnostic names the call and its text.
  case failed(program: String, diagnostic: String)
}

/// A child process, by number and by a descriptor that becomes readable when it ends.
public struct SpawnedProcess: Sendable {
  /// The process number; valid until the end was collected.
  public let number: Int32
  /// Readable once the process ended.
  public let descriptor: OwnedDescriptor

  /// How a process ended.
  public enum End: Hashable, Sendable {
    /// It exited with a status.
    case exited(status: Int)
    /// A signal ended it; the name has no `SIG`.
    case signalled(name: String)
  }

  /// Collects the end without waiting; `nil` while the process runs.
  public func collect() -> End? {
    var status: Int32 = 0
    var signalled: Int32 = 0
    switch unsafe tm_reap(descriptor.number, &status, &signalled) {
    case 0: return nil
    case 1 where signalled == 0: return .exited(status: Int(status))
    case 1:
      guard let name = unsafe tm_signal_name(status) else { return .signalled(name: "\(status)") }
      return .signalled(name: unsafe String(cString: name))
    default:
      // Somebody else collected it, which our own code never does: the status is not known.
      return .exited(status: 0)
    }
  }

  /// Sends a signal to the process and to the group that it leads.
  public func signalGroup(_ signal: Int32) {
    if kill(-number, signal) != 0 { _ = kill(number, signal) }
  }
}

/// What a new process gets, and how it is started; `fork` is never used, so threads do not matter.
public struct ProgramSpawn: Sendable {
  /// Where a descriptor of the new process comes from.
  public enum Source: Sendable {
    /// `/dev/null`.
    case null
    /// A copy of one of ours.
    case copy(OwnedDescriptor)
    /// A file that the new process appends to, created with mode 0600 when absent.
    case appending(path: String)
    /// A terminal opened by path; with a new session it becomes the controlling terminal.
    case terminal(path: String)
  }

  /// The path of the program; without a slash it is looked up in `PATH`.
  public var program: String
  /// The arguments with the program's own name first.
  public var arguments: [String]
  /// The whole environment.
  public var environment: [String: String]
  /// The directory to start in; it must exist.
  public var directory: String?
  /// The descriptors 0, 1, 2 and so on; every other one is closed.
  public var descriptors: [Source]

  /// Describes a new process.
  public init(
    program: String,
    arguments: [String],
    environment: [String: String],
    directory: String?,
    descriptors: [Source]
  ) {
    self.program = program
    self.arguments = arguments
    self.environment = environment
    self.directory = directory
    self.descriptors = descriptors
  }

  /// Starts it in a session of its own, with every signal at its default and none held back.
  public func start() throws(LocalProgramError) -> SpawnedProcess {
    var actions = unsafe posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawnattr_init(&attributes)
    defer {
      unsafe posix_spawn_file_actions_destroy(&actions)
      unsafe posix_spawnattr_destroy(&attributes)
    }
    _ = unsafe tm_spawn_set_own_session(&attributes)
    let sources = try unsafe add(to: &actions)
    var number: pid_t = 0
    let environment = environment.map { "\($0.key)=\($0.value)" }
    let status = withExtendedLifetime(sources) {
      unsafe Self.withStrings(arguments) { arguments in
        unsafe Self.withStrings(environment) { environment in
          unsafe posix_spawnp(&number, program, &actions, &attributes, arguments, environment)
        }
      }
    }
    switch status {
    case 0: break
    case ENOENT, ENOTDIR: throw .notFound(program: program)
    case EACCES, EPERM, ENOEXEC: throw .denied(program: program)
    default: throw .failed(program: program, diagnostic: "start: \(SystemText.text(of: status))")
    }
    let descriptor = pidfd_open(number, 0)
    guard descriptor >= 0 else {
      let diagnostic = "pidfd_open: \(SystemText.last())"
      Self.abandon(number)
      throw .failed(program: program, diagnostic: diagnostic)
    }
    return SpawnedProcess(number: number, descriptor: OwnedDescriptor(adopting: descriptor))
  }

  /// Kills a child that cannot be watched, and collects it.
  static func abandon(_ number: Int32) {
    _ = kill(number, SIGKILL)
    while waitpid(number, nil, 0) < 0, errno == EINTR {}
  }

  /// Copies what is inherited out of the way first, so that no target overwrites a later source.
  private func add(to actions: inout posix_spawn_file_actions_t) throws(LocalProgramError)
    -> [OwnedDescriptor]
  {
    var held: [OwnedDescriptor] = []
    for (target, source) in descriptors.enumerated() {
      let target = Int32(target)
      switch source {
      case .null:
        unsafe posix_spawn_file_actions_addopen(&actions, target, "/dev/null", O_RDWR, 0)
      case .appending(let path):
        let flags = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW
        unsafe posix_spawn_file_actions_addopen(&actions, target, path, flags, 0o600)
      case .terminal(let path):
        unsafe posix_spawn_file_actions_addopen(&actions, target, path, O_RDWR, 0)
      case .copy(let descriptor):
        let copy = tm_duplicate_from(descriptor.number, 64)
        guard copy >= 0 else {
          throw .failed(program: program, diagnostic: "duplicate: \(SystemText.last())")
        }
        held.append(OwnedDescriptor(adopting: copy))
        unsafe posix_spawn_file_actions_adddup2(&actions, copy, target)
      }
    }
    _ = unsafe tm_spawn_close_from(&actions, Int32(descriptors.count))
    if let directory { _ = unsafe tm_spawn_set_directory(&actions, directory) }
    return held
  }

  private static func withStrings<Result>(
    _ strings: [String],
    _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    var pointers = unsafe strings.map { unsafe strdup($0) }
    unsafe pointers.append(nil)
    defer { unsafe pointers.forEach { unsafe free($0) } }
    return unsafe body(pointers)
  }
}

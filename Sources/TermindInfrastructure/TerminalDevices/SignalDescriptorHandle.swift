internal import CLinux
internal import Glibc

/// The signals that a client of the server minds.
public enum ClientSignal: Int32, CaseIterable, Sendable {
  /// The terminal changed its size.
  case windowChanged = 28
  /// The person wants the program stopped (from outside; the key is the server's).
  case stop = 20
  /// The program goes on after a stop.
  case resumed = 18
  /// The terminal has gone.
  case hangUp = 1
  /// Somebody wants the program to end.
  case terminate = 15
  /// Somebody interrupts the program from outside.
  case interrupt = 2
  /// Somebody ends the program and asks for a core file.
  case quit = 3
}

/// Signals as input of a descriptor instead of handlers, for a program with one thread.
public final class SignalDescriptor: Sendable {
  /// Readable when a signal waits.
  public let descriptor: OwnedDescriptor

  /// Holds the signals back from their usual effect and opens the descriptor; `nil` when the system
  /// refuses.
  public init?() {
    var set = Self.set(of: ClientSignal.allCases)
    unsafe sigprocmask(SIG_BLOCK, &set, nil)
    let number = unsafe signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
    guard number >= 0 else { return nil }
    descriptor = OwnedDescriptor(adopting: number)
  }

  /// The next waiting signal, `nil` when none waits.
  public func next() -> ClientSignal? {
    var info = signalfd_siginfo()
    let size = MemoryLayout<signalfd_siginfo>.size
    guard unsafe read(descriptor.number, &info, size) == size else { return nil }
    return ClientSignal(rawValue: Int32(info.ssi_signo))
  }

  /// Stops this job as the stop key would, and returns once it goes on.
  ///
  /// In a group that no shell watches the system ignores the stop, and this returns at once.
  public func stopJob() {
    var set = Self.set(of: [.stop])
    _ = tm_default_signal(SIGTSTP)
    unsafe sigprocmask(SIG_UNBLOCK, &set, nil)
    _ = kill(0, SIGTSTP)
    unsafe sigprocmask(SIG_BLOCK, &set, nil)
  }

  /// Lets the terminal be restored even when this process is in the background by now.
  public static func allowBackgroundTerminalChanges() { _ = tm_ignore_signal(SIGTTOU) }

  private static func set(of signals: [ClientSignal]) -> sigset_t {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for signal in signals { unsafe sigaddset(&set, signal.rawValue) }
    return set
  }
}

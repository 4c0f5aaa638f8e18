internal import CLinux
internal import Glibc

/// The signals of a server process.
public enum ProcessSignals {
  /// Asks the server to end.
  public static let terminate = SIGTERM
  /// Asks the server to listen anew, after the socket's file was removed.
  public static let listenAgain = SIGUSR1

  /// Takes away the effects that these signals, a closed pipe and a hang-up have by default.
  public static func prepareServer() {
    for signal in [SIGTERM, SIGUSR1, SIGPIPE, SIGHUP, SIGINT] { _ = tm_ignore_signal(signal) }
  }

  /// Holds the signals back that the server minds, and opens a descriptor that is readable while one waits.
  ///
  /// Called before the process has a second thread, which inherits what is held back.
  /// - Returns: The descriptor; `nil` when the system refuses.
  public static func descriptor() -> OwnedDescriptor? {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for signal in [terminate, listenAgain] { unsafe sigaddset(&set, signal) }
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    let number = unsafe signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
    return number < 0 ? nil : OwnedDescriptor(adopting: number)
  }

  /// The next signal that waits, `nil` when none does.
  public static func next(from descriptor: OwnedDescriptor) -> Int32? {
    var info = signalfd_siginfo()
    let size = MemoryLayout<signalfd_siginfo>.size
    guard unsafe read(descriptor.number, &info, size) == size else { return nil }
    return Int32(info.ssi_signo)
  }
}

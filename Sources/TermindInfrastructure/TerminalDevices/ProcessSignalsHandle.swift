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
}

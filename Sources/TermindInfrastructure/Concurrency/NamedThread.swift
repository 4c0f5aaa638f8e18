internal import CLinux
internal import Glibc

/// Starts threads that carry a name in `ps -L`, debuggers and profilers.
public enum NamedThread {
  private final class Body: Sendable {
    let name: String
    let main: @Sendable () -> Void

    init(name: String, main: @escaping @Sendable () -> Void) {
      self.name = name
      self.main = main
    }
  }

  /// Starts a detached thread that runs `main` and ends with it.
  ///
  /// Every signal is blocked on it, so that signals meet the main thread only.
  /// - Parameters:
  ///   - name: Shown by the system; cut to 15 bytes.
  ///   - main: What the thread does.
  /// - Throws: `.system` when the system has no thread left.
  public static func start(
    name: String,
    _ main: @escaping @Sendable () -> Void
  ) throws(EventLoopError) {
    let cut = String(decoding: name.utf8.prefix(15), as: UTF8.self)
    let body = unsafe Unmanaged.passRetained(Body(name: cut, main: main))
    var everySignal = sigset_t()
    var before = sigset_t()
    unsafe sigfillset(&everySignal)
    // A new thread inherits the mask of the thread that starts it.
    unsafe pthread_sigmask(SIG_SETMASK, &everySignal, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    var thread = pthread_t()
    let status = unsafe pthread_create(
      &thread,
      nil,
      { raw in
        guard let raw = unsafe raw else { return nil }
        let body = unsafe Unmanaged<Body>.fromOpaque(raw).takeRetainedValue()
        unsafe _ = tm_thread_set_name(body.name)
        body.main()
        return nil
      },
      body.toOpaque()
    )
    guard status == 0 else {
      unsafe body.release()
      throw .system(operation: "pthread_create", code: status)
    }
    _ = pthread_detach(thread)
  }
}

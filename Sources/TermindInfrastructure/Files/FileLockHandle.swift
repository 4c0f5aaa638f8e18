internal import CLinux
internal import Glibc

/// What became of an attempt to lock a file.
public enum FileLockError: Error, Hashable, Sendable {
  /// Another process holds it, or held it until the deadline; the text is what that process wrote into the file.
  case held(note: String)
  /// The system refused; the diagnostic is its text.
  case failed(path: String, diagnostic: String)
}

/// An exclusive lock on a file, held until the last copy of its descriptor is closed.
public final class FileLock: Sendable {
  /// The open file; a child that inherits it shares the lock.
  public let descriptor: OwnedDescriptor

  /// Locks the file, or says who holds it.
  ///
  /// - Parameters:
  ///   - path: The file, created with mode 0600 when absent.
  ///   - note: Written into the file for whoever finds it locked.
  ///   - waitingSeconds: How long to block for it; more than 0 only in a process whose other threads
  ///     have nothing to do yet, since the deadline is an alarm signal.
  /// - Throws: `.held` when another process has it, `.failed` when the file cannot be used.
  public init(path: String, note: String, waitingSeconds: UInt32 = 0) throws(FileLockError) {
    descriptor = try Self.open(path)
    guard Self.lock(descriptor, waitingSeconds) else {
      if errno == EWOULDBLOCK || errno == EINTR { throw .held(note: Self.read(descriptor)) }
      throw .failed(path: path, diagnostic: SystemText.last())
    }
    let bytes = Array(note.utf8)
    _ = ftruncate(descriptor.number, 0)
    unsafe bytes.withUnsafeBytes {
      _ = unsafe pwrite(descriptor.number, $0.baseAddress, $0.count, 0)
    }
  }

  /// Takes over a lock that another process took and passed on.
  public init(inherited descriptor: OwnedDescriptor) { self.descriptor = descriptor }

  /// Gives the lock up at once, for every copy of its descriptor.
  ///
  /// Without this a program that is just being started may hold a copy for a moment longer.
  public func release() { _ = flock(descriptor.number, LOCK_UN) }

  private static func lock(_ descriptor: OwnedDescriptor, _ waitingSeconds: UInt32) -> Bool {
    if flock(descriptor.number, LOCK_EX | LOCK_NB) == 0 { return true }
    guard errno == EWOULDBLOCK, waitingSeconds > 0 else { return false }
    _ = tm_interrupting_signal(SIGALRM)
    _ = alarm(waitingSeconds)
    let isLocked = flock(descriptor.number, LOCK_EX) == 0
    let code = errno
    _ = alarm(0)
    _ = tm_default_signal(SIGALRM)
    errno = code
    return isLocked
  }

  private static func open(_ path: String) throws(FileLockError) -> OwnedDescriptor {
    var number = unsafe tm_open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if number < 0 {
      let refusal = errno
      // A file that is there can be locked also where nothing may be written; it keeps its note then.
      if refusal == EROFS || refusal == EACCES {
        number = unsafe tm_open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW, 0)
      }
      guard number >= 0 else {
        throw .failed(path: path, diagnostic: SystemText.text(of: refusal))
      }
    }
    return OwnedDescriptor(adopting: number)
  }

  private static func read(_ descriptor: OwnedDescriptor) -> String {
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = unsafe bytes.withUnsafeMutableBytes {
      unsafe pread(descriptor.number, $0.baseAddress, $0.count, 0)
    }
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}

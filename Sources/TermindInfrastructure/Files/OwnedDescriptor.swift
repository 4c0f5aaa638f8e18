internal import CLinux
internal import Glibc

/// One open file descriptor, closed when the last reference goes.
///
/// Whoever waits on the number keeps a reference, so the number is never reused under a wait.
public final class OwnedDescriptor: Sendable {
  /// The number, valid as long as this object lives.
  public let number: Int32

  /// Takes over a descriptor that nobody else closes.
  public init(adopting number: Int32) { self.number = number }

  /// Takes over a descriptor that the starter of this process left open, and keeps it from programs
  /// that this process starts.
  public init(inheriting number: Int32) {
    self.number = number
    _ = tm_set_close_on_exec(number, 1)
  }

  deinit { _ = close(number) }
}

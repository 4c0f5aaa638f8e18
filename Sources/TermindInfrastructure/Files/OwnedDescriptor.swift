internal import Glibc

/// One open file descriptor, closed when the last reference goes.
///
/// Whoever waits on the number keeps a reference, so the number is never reused under a wait.
public final class OwnedDescriptor: Sendable {
  /// The number, valid as long as this object lives.
  public let number: Int32

  /// Takes over a descriptor that nobody else closes.
  public init(adopting number: Int32) { self.number = number }

  deinit { _ = close(number) }
}

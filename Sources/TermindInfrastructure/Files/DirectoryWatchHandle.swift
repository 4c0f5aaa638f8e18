internal import CLinux
internal import Glibc

/// Hears that files of one directory were written, or got their names by a rename.
///
/// The directory is watched and not a file, since editors put a new file in the place of the old one.
public final class DirectoryWatch: Sendable {
  /// Readable when something has happened.
  public let descriptor: OwnedDescriptor

  /// Starts to watch; nil when the system refuses, such as for a directory that is gone.
  public init?(_ directory: String) {
    let number = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    guard number >= 0 else { return nil }
    descriptor = OwnedDescriptor(adopting: number)
    let events = UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO)
    guard unsafe inotify_add_watch(number, directory, events) >= 0 else { return nil }
  }

  /// Takes what has happened off the descriptor; which files they are is for the caller to look at.
  public func drain() {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    while unsafe read(descriptor.number, &bytes, bytes.count) > 0 {}
  }
}

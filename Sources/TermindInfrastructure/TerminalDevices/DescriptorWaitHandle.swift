internal import CLinux
internal import Glibc

/// Waits on several descriptors at once, for a program with one thread.
public enum DescriptorWait {
  /// Blocks until one of the descriptors is readable or closed, or the time is over.
  ///
  /// - Parameters:
  ///   - descriptors: What is waited for.
  ///   - milliseconds: The longest wait; `nil` waits without end.
  /// - Returns: For each descriptor whether it is ready; all false when the time is over.
  public static func readable(_ descriptors: [OwnedDescriptor], milliseconds: Int? = nil) -> [Bool]
  {
    wait(descriptors, for: POLLIN, milliseconds)
  }

  /// Blocks until the descriptor takes bytes or is closed, or the time is over; whether it is ready.
  public static func writable(_ descriptor: OwnedDescriptor, milliseconds: Int) -> Bool {
    wait([descriptor], for: POLLOUT, milliseconds)[0]
  }

  /// Blocks until a descriptor that the process holds anyway takes bytes or is closed.
  static func untilWritable(_ number: Int32) {
    var polled = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
    // A wait that a signal ends is begun anew by the caller.
    _ = unsafe poll(&polled, 1, -1)
  }

  private static func wait(_ descriptors: [OwnedDescriptor], for events: Int32, _ limit: Int?)
    -> [Bool]
  {
    var polled = descriptors.map { pollfd(fd: $0.number, events: Int16(events), revents: 0) }
    let count = unsafe poll(&polled, nfds_t(polled.count), Int32(clamping: limit ?? -1))
    return polled.map { count > 0 && $0.revents != 0 }
  }
}

internal import CLinux

/// Keeps what this process has in memory from others.
public enum ProcessSecrecy {
  /// Lets no core file be written and no other process of the user read this one's memory.
  ///
  /// Programs that it starts are not affected. The limit of core files stays as it is: they would
  /// inherit it, and the kernel writes none for a process like this.
  /// - Returns: Whether the system agreed.
  @discardableResult
  public static func forbidReading() -> Bool { tm_set_not_dumpable() == 0 }

  /// Whether others may read this process; false after `forbidReading`.
  public static var isReadable: Bool { tm_get_dumpable() != 0 }
}

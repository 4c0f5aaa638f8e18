internal import CLinux
internal import Glibc

/// Reads what a shell put behind a descriptor of this process.
public enum DescriptorText {
  /// Reads a pipe, or standard input for `-`, to its end; blocks.
  ///
  /// - Parameters:
  ///   - path: The path of the pipe, or `-`.
  ///   - limit: The most bytes that are read.
  /// - Returns: The bytes.
  /// - Throws: `.absent` when it is not there, `.tooLarge`, or what the system says.
  public static func read(path: String, limit: Int) throws(BoundedFileError) -> [UInt8] {
    guard !path.utf8.contains(0) else { throw .absent }
    let descriptor =
      path == "-"
      ? fcntl(0, F_DUPFD_CLOEXEC, 3) : unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else {
      throw errno == ENOENT || errno == EBADF ? .absent : .unreadable(diagnostic: SystemText.last())
    }
    return try read(descriptor, limit: limit)
  }

  /// Reads a descriptor to its end and closes it; blocks.
  ///
  /// - Parameters:
  ///   - number: The descriptor.
  ///   - limit: The most bytes that are read.
  /// - Returns: The bytes.
  /// - Throws: `.absent` when it is not open, `.tooLarge`, or what the system says.
  public static func read(_ number: Int32, limit: Int) throws(BoundedFileError) -> [UInt8] {
    guard fcntl(number, F_GETFD) >= 0 else { throw .absent }
    let descriptor = OwnedDescriptor(inheriting: number)
    // Never moved, so that no copy stays behind.
    var bytes = [UInt8](repeating: 0, count: limit + 1)
    var count = 0
    while count <= limit {
      let start = count
      let got = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe Glibc.read(
          descriptor.number,
          buffer.baseAddress?.advanced(by: start),
          buffer.count - start
        )
      }
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw .unreadable(diagnostic: SystemText.last()) }
      guard got > 0 else {
        bytes.removeLast(bytes.count - count)
        return bytes
      }
      count += got
    }
    throw .tooLarge(byteCount: count)
  }
}

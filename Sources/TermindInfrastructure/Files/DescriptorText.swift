internal import CLinux
internal import Glibc

/// Reads what a shell put behind a descriptor of this process.
public enum DescriptorText {
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

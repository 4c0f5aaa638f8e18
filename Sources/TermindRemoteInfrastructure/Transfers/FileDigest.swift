public import TermindApplication
public import TermindDomain

/// SHA-256 digests of files.
public enum FileDigest {
  /// Reads a file whole and gives its digest.
  ///
  /// - Parameters:
  ///   - location: A regular file; a link is followed.
  ///   - progress: Told how many bytes were read.
  /// - Returns: The 32 bytes of the digest.
  /// - Throws: Why it cannot be read to its end.
  public static func sha256(
    _ location: FileLocation,
    progress: @Sendable (UInt64) -> Void = { _ in }
  ) async throws(FileError) -> [UInt8] {
    try await FileContents.read(location) { reader throws(FileError) in
      guard let digest = ContentDigest() else {
        throw FileError(.failed, text: "no SHA-256 in this system's libcrypto")
      }
      while let bytes = try await reader.next() {
        digest.update(bytes)
        progress(digest.count)
      }
      return digest.value()
    }
  }
}

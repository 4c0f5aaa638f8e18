public import TermindDomain

/// What is in files, read as a stream.
public enum FileContents {
  /// Whether two files hold the same bytes; both are read at once, up to the first difference.
  ///
  /// - Parameters:
  ///   - first: A regular file.
  ///   - second: Another one, of any file system.
  /// - Returns: Whether they are the same.
  /// - Throws: Why one of them cannot be read.
  public static func areSame(
    _ first: FileLocation,
    _ second: FileLocation
  ) async throws(FileError) -> Bool {
    try await read(first) { one throws(FileError) in
      try await read(second) { other throws(FileError) in
        var (left, right): (ArraySlice<UInt8>, ArraySlice<UInt8>) = ([], [])
        while true {
          if left.isEmpty { left = try await one.next() ?? [] }
          if right.isEmpty { right = try await other.next() ?? [] }
          guard !left.isEmpty, !right.isEmpty else { return left.isEmpty && right.isEmpty }
          let count = min(left.count, right.count)
          guard left.prefix(count) == right.prefix(count) else { return false }
          left = left.dropFirst(count)
          right = right.dropFirst(count)
        }
      }
    }
  }

  /// Reads a whole file through a reader, and closes it in every case.
  ///
  /// - Parameters:
  ///   - location: The file.
  ///   - body: Reads.
  /// - Returns: What the body returns.
  /// - Throws: Why the file cannot be opened, or what the body throws.
  public static func read<Value: Sendable>(
    _ location: FileLocation,
    _ body: (any FileReading) async throws(FileError) -> Value
  ) async throws(FileError) -> Value {
    let file = try await location.files.open(location.path, .read)
    let reader = file.reader(from: 0, to: nil)
    let result: Result<Value, FileError>
    do throws(FileError) { result = .success(try await body(reader)) } catch {
      result = .failure(error)
    }
    await reader.stop()
    // Nothing was written: a failure of the close loses nothing.
    try? await file.close()
    return try result.get()
  }
}

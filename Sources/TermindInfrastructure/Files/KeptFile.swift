internal import FoundationEssentials

/// A file with one value that a restart brings back, whole or not at all.
public actor KeptFile<Value: Codable & Hashable & Sendable> {
  /// The most bytes that are read.
  private static var limit: Int { 64 << 20 }

  private let file: WholeFile
  private var last: Value?
  private let executor = QueueExecutor(label: "termind.kept")

  /// A queue of its own: syncing a file waits for the disk.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  /// Names the file; nothing is touched.
  public init(path: String) { file = WholeFile(path: path) }

  /// Reads the value.
  ///
  /// - Returns: The value, nil when there is none; and what is wrong with the file, in a sentence.
  public func read() -> (value: Value?, problem: String?) {
    do throws(WholeFileError) {
      guard let (bytes, _) = try file.read(limit: Self.limit) else { return (nil, nil) }
      do {
        let value = try JSONDecoder().decode(Value.self, from: Data(bytes))
        last = value
        return (value, nil)
      } catch { return (nil, "\(file.path) is damaged, or of another version of Termind.") }
    } catch { return (nil, "\(error)") }
  }

  /// Writes a value unless it is the one that was written last; none leaves no file.
  ///
  /// - Parameter value: What is to be brought back.
  /// - Throws: Why it cannot be written; what was there is there still.
  public func write(_ value: Value?) throws(WholeFileError) {
    guard value != last else { return }
    if let value {
      let data: Data
      do { data = try JSONEncoder().encode(value) } catch {
        throw .notWritable(path: file.path, diagnostic: "\(error)")
      }
      _ = try file.replace(with: Array(data))
    } else {
      file.remove()
    }
    last = value
  }
}

public import Glibc

/// An own folder below the system's temporary one, removed with everything in it at the end.
public final class TemporaryFolder: Sendable {
  /// Its absolute path, without a slash at the end.
  public let path: String

  /// Makes a folder that only this user may enter.
  public init() throws {
    var template = Array("/tmp/termind-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw TestFailure("mkdtemp: \(errno)") }
    path = String(
      decoding: template.dropLast().map { UInt8(bitPattern: $0) },
      as: UTF8.self
    )
  }

  /// The path of a file in it.
  public func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes a file that only this user may read.
  @discardableResult
  public func write(_ name: String, _ text: String, mode: mode_t = 0o600) throws -> String {
    let path = file(name)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw TestFailure("open \(path): \(errno)") }
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      guard count > 0 else { throw TestFailure("write \(path): \(errno)") }
      written += count
    }
    return path
  }

  /// Reads a whole file as text.
  public static func read(_ path: String) throws -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw TestFailure("open \(path): \(errno)") }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The names of what stands in a folder in it, in no order; none when it is absent.
  public func names(_ name: String) -> [String] { Self.names(file(name)) }

  deinit { Self.remove(path) }

  private static func names(_ path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
          String(cString: $0)
        }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }

  private static func remove(_ path: String) {
    for name in names(path) {
      let inner = "\(path)/\(name)"
      if unlink(inner) != 0 { remove(inner) }
    }
    rmdir(path)
  }
}

/// A test's own trouble, told in words.
public struct TestFailure: Error, CustomStringConvertible {
  /// What went wrong.
  public let description: String

  /// Makes a failure.
  public init(_ description: String) { self.description = description }
}

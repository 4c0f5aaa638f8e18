internal import FoundationEssentials
internal import Glibc

/// The program that has a pane's terminal in its foreground, as procfs shows it.
public struct ForegroundProcess: Hashable, Sendable {
  /// The process number.
  public let number: Int32
  /// Its short name, control characters removed.
  public let name: String
  /// Its current directory; `nil` when it may not be seen or was removed.
  public let directory: String?

  /// Looks a process up; `nil` once it has gone.
  public init?(number: Int32) {
    guard let name = Self.contents(of: "/proc/\(number)/comm") else { return nil }
    self.number = number
    let scalars = String(decoding: name, as: UTF8.self).unicodeScalars
    self.name = String(
      String.UnicodeScalarView(scalars.filter { $0.value >= 0x20 && $0.value != 0x7F })
    )
    directory = Self.target(of: "/proc/\(number)/cwd")
  }

  private static func contents(of path: String) -> [UInt8]? {
    // Gone processes are usual here: the caller gets nil.
    guard let data = try? Data(contentsOf: URL(filePath: path)) else { return nil }
    return Array(data)
  }

  private static func target(of link: String) -> String? {
    var bytes = [CChar](repeating: 0, count: 4096)
    let count = unsafe readlink(link, &bytes, bytes.count)
    guard count > 0, count < bytes.count else { return nil }
    let path = String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return path.hasPrefix("/") && !path.hasSuffix(" (deleted)") ? path : nil
  }
}

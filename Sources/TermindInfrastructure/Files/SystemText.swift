internal import Glibc

/// The system's words for an error number, for diagnostics.
enum SystemText {
  /// Describes the last failed call of this thread.
  static func last() -> String { text(of: errno) }

  /// Describes an error number.
  static func text(of code: Int32) -> String {
    guard let words = unsafe strerror(code) else { return "error \(code)" }
    return unsafe String(cString: words)
  }
}

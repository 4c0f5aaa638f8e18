internal import Glibc

/// Why a standard stream did not take everything.
public enum StandardStreamError: Error, Hashable, Sendable {
  /// Whoever read it has gone, and wants no more.
  case closed
  /// The system refused; the diagnostic is its text.
  case failed(diagnostic: String)
}

/// The standard output and error of this process.
public enum StandardStream: Int32, Sendable {
  /// Standard output.
  case output = 1
  /// Standard error.
  case error = 2

  /// Writes text whole, blocking.
  ///
  /// - Parameter text: What to write.
  /// - Throws: Why some of it is missing.
  public func write(_ text: String) throws(StandardStreamError) { try write(Array(text.utf8)) }

  /// Writes bytes whole, blocking, also where the stream itself would not block.
  ///
  /// - Parameter bytes: What to write.
  /// - Throws: Why some of them are missing.
  public func write(_ bytes: [UInt8]) throws(StandardStreamError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.write(rawValue, $0.baseAddress, $0.count)
      }
      if count >= 0 {
        rest = rest.dropFirst(count)
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN: DescriptorWait.untilWritable(rawValue)
      case EPIPE: throw .closed
      default: throw .failed(diagnostic: SystemText.last())
      }
    }
  }

  /// Says something that nothing depends on, such as an error; what the stream does not take is lost.
  public func say(_ text: String) {
    // `try?`: there is nowhere left to tell it.
    try? write(text)
  }

  /// Whether the stream is a terminal.
  public var isTerminal: Bool { isatty(rawValue) == 1 }
}

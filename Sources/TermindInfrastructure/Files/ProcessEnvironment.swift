internal import Glibc

/// The variables and the directory of this process.
public enum ProcessEnvironment {
  /// This machine's name, as shells put it into OSC 7; empty when it has none.
  public static var hostName: String {
    var name = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&name, name.count - 1) == 0 else { return "" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The value of one variable, `nil` when it is not set.
  public static func value(of name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  /// Every variable; of a name that is set twice the first counts.
  public static func all() -> [String: String] {
    var variables: [String: String] = [:]
    var entry = unsafe environ
    while let text = unsafe entry.pointee {
      let pair = unsafe String(cString: text)
      let bytes = pair.utf8
      if let equals = bytes.firstIndex(of: UInt8(ascii: "=")), equals != pair.startIndex {
        let name = String(pair[..<equals])
        if variables[name] == nil { variables[name] = String(pair[bytes.index(after: equals)...]) }
      }
      unsafe entry += 1
    }
    return variables
  }

  /// Sets a variable for this process and those that it starts.
  public static func set(_ name: String, to value: String) { unsafe _ = setenv(name, value, 1) }

  /// The number of this process.
  public static var processNumber: Int32 { getpid() }

  /// The path of this program's own file; a file that was replaced since is still found.
  public static func executablePath() -> String {
    let link = "/proc/self/exe"
    var bytes = [CChar](repeating: 0, count: 4096)
    let count = unsafe readlink(link, &bytes, bytes.count)
    guard count > 0, count < bytes.count else { return link }
    let path = String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return path.hasSuffix(" (deleted)") ? link : path
  }

  /// Ends this process with an exit status.
  public static func exit(_ status: UInt8) -> Never { Glibc.exit(Int32(status)) }

  /// The words that this process was started with, by their bytes, with the program's name first.
  public static func arguments() -> [[UInt8]] {
    (0..<Int(CommandLine.argc)).map { index in
      guard let word = unsafe CommandLine.unsafeArgv[index] else { return [] }
      return unsafe Array(UnsafeRawBufferPointer(start: word, count: strlen(word)))
    }
  }

  /// The bytes of the current directory, `nil` when it was removed.
  public static func currentDirectoryBytes() -> [UInt8]? {
    guard let path = unsafe getcwd(nil, 0) else { return nil }
    defer { unsafe free(path) }
    return unsafe Array(UnsafeRawBufferPointer(start: path, count: strlen(path)))
  }

  /// The current directory, `nil` when it was removed.
  public static func currentDirectory() -> String? {
    guard let path = unsafe getcwd(nil, 0) else { return nil }
    defer { unsafe free(path) }
    return unsafe String(cString: path)
  }
}

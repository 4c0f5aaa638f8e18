internal import Glibc

/// The variables and the directory of this process.
public enum ProcessEnvironment {
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
      if let equals = pair.firstIndex(of: "="), equals != pair.startIndex {
        let name = String(pair[..<equals])
        if variables[name] == nil { variables[name] = String(pair[pair.index(after: equals)...]) }
      }
      unsafe entry += 1
    }
    return variables
  }

  /// The current directory, `nil` when it was removed.
  public static func currentDirectory() -> String? {
    guard let path = unsafe getcwd(nil, 0) else { return nil }
    defer { unsafe free(path) }
    return unsafe String(cString: path)
  }
}

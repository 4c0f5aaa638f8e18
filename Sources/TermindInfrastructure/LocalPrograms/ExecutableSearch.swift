internal import Glibc

/// Finds programs by name.
public enum ExecutableSearch {
  /// The path of the first file of that name in a `PATH` that can be run.
  public static func find(_ name: String, in path: String) -> String? {
    for directory in path.split(separator: ":") where directory.hasPrefix("/") {
      let candidate = "\(directory)/\(name)"
      if unsafe access(candidate, X_OK) == 0 { return candidate }
    }
    return nil
  }
}

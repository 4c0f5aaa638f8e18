/// A name that a configuration defines.
public struct SSHConfigAlias: Hashable, Sendable {
  /// The name.
  public let name: String
  /// The first line that names it.
  public let place: SourcePlace
}

extension SSHConfig {
  /// The names that Host lines, and `Match originalhost` lines, write out without any pattern.
  ///
  /// - Returns: Each name once, in the order of the text. A name inside a block that does not apply
  ///   to it is among them; resolving it says so.
  public func aliases() -> [SSHConfigAlias] {
    var aliases: [SSHConfigAlias] = []
    var seen: Set<String> = []
    func add(_ name: String, _ place: SourcePlace) {
      guard !name.isEmpty, !SSHPattern.isPattern(name), seen.insert(name).inserted else { return }
      aliases.append(SSHConfigAlias(name: name, place: place))
    }
    func collect(_ files: [File]) {
      for statement in files.lazy.flatMap(\.statements) {
        switch statement.body {
        case .host(let patterns):
          for pattern in patterns where !pattern.isException { add(pattern.text, statement.place) }
        case .match(let criteria):
          for criterion in criteria where !criterion.isNegated {
            guard case .originalHost(let list) = criterion.kind else { continue }
            for name in list.split(separator: ",") { add(String(name), statement.place) }
          }
        case .include(let files): collect(files)
        case .option, .unreadable, .unused, .unknown: break
        }
      }
    }
    collect(files)
    return aliases
  }
}

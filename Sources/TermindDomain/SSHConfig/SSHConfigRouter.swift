/// Why a configuration leads to no route.
public enum SSHConfigRouteError: Error, Hashable, Sendable {
  /// `ssh` would refuse the file.
  case refused(SSHConfigProblem)
  /// The way leads through a program, which this program does not run.
  case proxyCommand(alias: String, SourcePlace)
  /// The jump hosts of a host cannot be expanded.
  case invalidJump(alias: String, SourcePlace, SSHExpansionError)
  /// A host is its own jump, directly or through others; the names on the way.
  case cycle([String])
  /// More hops than `Route.maximumHops`.
  case tooManyHops(count: Int)
}

/// Follows the jump hosts of a configuration, each with what the file says about it.
public struct SSHConfigRouter: Sendable {
  private let resolver: SSHConfigResolver
  private let allowsPrograms: Bool

  /// Makes a router.
  ///
  /// - Parameters:
  ///   - resolver: Knows the configuration.
  ///   - allowsPrograms: Whether a host may be reached through its own program; such a way begins there.
  public init(resolver: SSHConfigResolver, allowsPrograms: Bool = false) {
    self.resolver = resolver
    self.allowsPrograms = allowsPrograms
  }

  /// The hosts on the way to an alias, itself last.
  ///
  /// Of several jumps the last is the one next to the host. It is reached by those before it, or,
  /// when it is the only one, by its own jumps; the first is always reached by its own.
  /// - Parameters:
  ///   - target: The alias, with an account and a port that win over the file.
  ///   - jumps: Replaces the jumps that the file gives to the alias; nil keeps those.
  /// - Returns: Every host of the way, resolved.
  /// - Throws: Why there is no way.
  public func hosts(
    to target: SSHJump,
    jumps: [SSHJump]? = nil
  ) throws(SSHConfigRouteError) -> [SSHResolvedHost] {
    try hosts(to: target, jumps: jumps, way: [])
  }

  private func hosts(
    to target: SSHJump,
    jumps: [SSHJump]?,
    way: [String]
  ) throws(SSHConfigRouteError) -> [SSHResolvedHost] {
    let name = target.description
    let way = way + [name]
    // A host may stand on the way again only with other jumps; a repeated state never ends.
    guard jumps != nil || !way.dropLast().contains(name) else { throw .cycle(way) }
    guard way.count <= Route.maximumHops else { throw .tooManyHops(count: way.count) }
    let host = resolver.resolve(alias: target.host, user: target.user, port: target.port)
    if let problem = host.problems.first { throw .refused(problem) }
    let before: [SSHJump]
    if let jumps {
      before = jumps
    } else {
      if let command = host.value(of: .proxyCommand) {
        guard !allowsPrograms else { return [host] }
        throw .proxyCommand(alias: target.host, command.place)
      }
      do throws(SSHExpansionError) {
        before = try host.expandedJumps()
      } catch {
        let place = host.value(of: .proxyJump)?.place ?? SourcePlace(path: "", line: 0)
        throw .invalidJump(alias: target.host, place, error)
      }
    }
    guard let last = before.last else { return [host] }
    let earlier = Array(before.dropLast())
    let hops = try hosts(to: last, jumps: earlier.isEmpty ? nil : earlier, way: way) + [host]
    guard hops.count <= Route.maximumHops else { throw .tooManyHops(count: hops.count) }
    return hops
  }
}

import TermindDomain
import TermindPresentation

/// Turns words that name a host into something that a pane can connect to.
enum HostTarget {
  /// A line of the connect bar, a saved name, or `[user@]host[:port]`.
  static func parse(_ line: String, _ builder: RouteBuilder) -> ConnectResult {
    do throws(ConnectCommandError) {
      return target(try ConnectCommand(line: line, isSavedHost: builder.isSaved), builder)
    } catch {
      return .failure(ErrorText.explain(error))
    }
  }

  /// The arguments of `termind ssh`.
  static func parse(_ arguments: [String], _ builder: RouteBuilder) -> ConnectResult {
    do throws(ConnectCommandError) {
      return target(try ConnectCommand(arguments: arguments, isSavedHost: builder.isSaved), builder)
    } catch {
      return .failure(ErrorText.explain(error))
    }
  }

  /// What a pane of a saved host holds; without a route it says why there is none.
  static func content(_ host: HostRecord, _ builder: RouteBuilder) -> PaneContent {
    do throws(RouteBuildError) {
      let access = try builder.access(to: host)
      return .ssh(
        PaneContent.SSHTarget(
          route: access.route,
          name: host.name,
          host: host.id,
          line: host.name,
          shell: access.shell
        )
      )
    } catch {
      return .noRoute(PaneContent.NoRoute(name: host.name, host: host.id, error: error))
    }
  }

  private static func target(_ command: ConnectCommand, _ builder: RouteBuilder) -> ConnectResult {
    let saved = builder.savedHost(of: command)
    do throws(RouteBuildError) {
      let access = try builder.access(for: command)
      return .found(
        .ssh(
          PaneContent.SSHTarget(
            route: access.route,
            name: saved?.name ?? command.target.host,
            host: saved?.id,
            line: command.line,
            shell: access.shell
          )
        )
      )
    } catch {
      guard let saved else { return .failure(ErrorText.explain(error)) }
      return .found(.noRoute(PaneContent.NoRoute(name: saved.name, host: saved.id, error: error)))
    }
  }
}

/// What words lead to.
enum ConnectResult {
  /// A host, also a saved one that no route leads to.
  case found(PaneContent)
  /// They name no host, for this reason.
  case failure(Explanation)
}

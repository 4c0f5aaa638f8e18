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

  /// A saved host.
  static func target(_ host: HostRecord, _ builder: RouteBuilder) -> ConnectResult {
    do throws(RouteBuildError) {
      let route = try builder.route(to: host)
      return .success(
        PaneContent.SSHTarget(route: route, name: host.name, host: host.id, line: host.name)
      )
    } catch {
      return .failure(ErrorText.explain(error))
    }
  }

  private static func target(_ command: ConnectCommand, _ builder: RouteBuilder) -> ConnectResult {
    do throws(RouteBuildError) {
      let route = try builder.route(for: command)
      let saved = builder.savedHost(of: command)
      let name = saved?.name ?? command.target.host
      return .success(
        PaneContent.SSHTarget(route: route, name: name, host: saved?.id, line: command.line)
      )
    } catch {
      return .failure(ErrorText.explain(error))
    }
  }
}

/// A host to connect to, or why the words do not name one.
enum ConnectResult {
  case success(PaneContent.SSHTarget)
  case failure(Explanation)
}

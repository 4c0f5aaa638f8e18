/// How the shell of a host is started, as its record or `ssh`'s configuration says.
public struct ShellStart: Hashable, Sendable {
  /// Variables that the server is asked to give to it, in order; `TERM` names the terminal instead.
  public var environment: [EnvironmentVariable]
  /// Where it starts; empty means where the server puts it.
  public var directory: String
  /// A snippet that it is sent once it is there.
  public var snippet: SnippetID?
  /// Whether it is given prompt marks.
  public var integration: ShellIntegrationChoice
  /// A command in its place; then the directory does not count.
  public var command: String?

  /// Makes a start; without arguments it is the plain login shell.
  public init(
    environment: [EnvironmentVariable] = [],
    directory: String = "",
    snippet: SnippetID? = nil,
    integration: ShellIntegrationChoice = .standard,
    command: String? = nil
  ) {
    self.environment = environment
    self.directory = directory
    self.snippet = snippet
    self.integration = integration
    self.command = command
  }

  /// What a saved host says.
  public init(of host: HostRecord) {
    self.init(
      environment: host.environment,
      directory: host.startDirectory,
      snippet: host.startupSnippet,
      integration: host.shellIntegration
    )
  }
}

/// The way to a host, and how its shell is started there.
public struct HostAccess: Hashable, Sendable {
  /// The hops.
  public var route: Route
  /// How the shell is started.
  public var shell: ShellStart

  /// Makes an access.
  public init(route: Route, shell: ShellStart = ShellStart()) {
    self.route = route
    self.shell = shell
  }
}

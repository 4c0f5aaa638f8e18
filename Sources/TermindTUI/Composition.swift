import TermindInfrastructure
import TermindPersistence
import TermindRemoteInfrastructure
import TermindScreen
import TermindTerminal

extension TermindProgram {
  /// Runs the program with everything that it is made of.
  ///
  /// - Parameter arguments: The command line, with the program's name first.
  public static func run(_ arguments: [String]) -> Never {
    run(
      arguments,
      libraries: {
        [
          LinkedLibrary(name: "libssh2", version: SSHLibrary.libssh2),
          LinkedLibrary(name: "libcrypto", version: SSHLibrary.libcrypto),
          LinkedLibrary(name: "libsodium", version: SecretLibrary.libsodium),
          LinkedLibrary(name: "libvterm", version: TerminalLibrary.libvterm),
          LinkedLibrary(name: "PCRE2", version: FindLibrary.pcre2),
          LinkedLibrary(name: "ncursesw", version: ScreenLibrary.ncurses),
          LinkedLibrary(name: "SQLite", version: StoreLibrary.sqlite),
        ]
      },
      makeHandler: { server throws(EventLoopError) in try WindowServer(server) }
    )
  }
}

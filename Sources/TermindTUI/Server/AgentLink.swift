import FoundationEssentials
import TermindInfrastructure

/// A fixed path that leads to the agent of the person's newest login.
///
/// The socket of an agent goes away with the login that made it. Shells and connections use this link
/// instead, and it follows each client that attaches.
final class AgentLink {
  /// The path to give to programs as `SSH_AUTH_SOCK`.
  let path: String
  private var target: String?

  init(paths: TermindPaths) {
    path = "\(paths.runtime)/agent"
    // What an earlier server left leads to an agent that nobody named now; there mostly is nothing.
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Whether there is an agent behind the link.
  var isSet: Bool { target != nil }

  /// Points to another agent; an empty or relative path changes nothing.
  ///
  /// - Parameter socket: The agent's socket, as a client's environment names it.
  /// - Returns: Why the link could not be made.
  func follow(_ socket: String?) -> String? {
    guard let socket, socket.hasPrefix("/"), socket != path, socket != target else { return nil }
    do {
      // Made beside and moved over, so that it is never absent.
      let made = "\(path).new"
      if FileManager.default.fileExists(atPath: made) {
        try FileManager.default.removeItem(atPath: made)
      }
      try FileManager.default.createSymbolicLink(atPath: made, withDestinationPath: socket)
      if (try? FileManager.default.attributesOfItem(atPath: path)) != nil {
        try FileManager.default.removeItem(atPath: path)
      }
      try FileManager.default.moveItem(atPath: made, toPath: path)
      target = socket
      return nil
    } catch {
      return "the link to the agent was not made: \(error)"
    }
  }
}

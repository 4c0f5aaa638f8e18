internal import TermindApplication
internal import TermindDomain

/// The process that talks to the desktop's keyring on behalf of the server.
///
/// libsecret brings GLib with it, which ends the process on what it takes for a fault, starts threads, and
/// waits in calls that cannot be bounded. None of that may happen to a server with live sessions, so it
/// happens here, for as long as the server has something to ask.
public enum KeyringHelper {
  /// The first argument of the program that makes it this helper; the second is the store's scope.
  public static let word = "keyring-helper"

  /// Serves requests on descriptor 0, a socket, until the other side closes it.
  public static func run(_ arguments: [String]) -> Never {
    ProcessSecrecy.forbidReading()
    let socket = SecretSocket(descriptor: OwnedDescriptor(inheriting: 0))
    let scope = arguments.first ?? ""
    var session: KeyringSession?
    while let text = socket.receive(), let request = KeyringRequest(text) {
      let reply: KeyringReply
      do throws(SecretStoreError) {
        let open =
          if let session { session } else {
            try KeyringSession(LibSecretHandle.open(), scope: scope)
          }
        session = open
        reply = try answer(request, open)
      } catch {
        reply = .failed(error)
      }
      guard socket.send(reply.encoded) else { break }
    }
    ProcessEnvironment.exit(0)
  }

  private static func answer(
    _ request: KeyringRequest,
    _ session: KeyringSession
  ) throws(SecretStoreError) -> KeyringReply {
    switch request {
    case .state: return .state(isLocked: try session.isLocked())
    case .unlock: try session.setLocked(false)
    case .lock: try session.setLocked(true)
    case .store(let id, let bytes, let label): try session.store(id, bytes, label: label)
    case .read(let id): return .secret(try session.read(id))
    case .replace(let id, let bytes): try session.replace(id, bytes)
    case .delete(let id): try session.delete(id)
    case .entries: return .entries(try session.entries())
    }
    return .done
  }
}

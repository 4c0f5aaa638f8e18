internal import CSSH2

/// One place at which the server listens for a session.
///
/// Lives no longer than its session, which it keeps; freed with the session when it was not freed before.
@safe
final class SSH2ListenerHandle {
  private let pointer: OpaquePointer
  private let session: SSH2SessionHandle
  private let raw: OpaquePointer
  private(set) var isFreed = false

  init(pointer: OpaquePointer, session: SSH2SessionHandle, raw: OpaquePointer) {
    unsafe self.pointer = pointer
    self.session = session
    unsafe self.raw = raw
  }

  /// Takes a connection that the server has accepted; nil when there is none, or after an error.
  func accept() -> SSH2ChannelHandle? {
    guard !isFreed, let channel = unsafe libssh2_channel_forward_accept(pointer) else { return nil }
    return unsafe SSH2ChannelHandle(pointer: channel, session: session, raw: raw, isOurs: false)
  }

  /// Asks the server to listen no more, and frees it with the connections that were not taken.
  func free() -> SSH2Result {
    guard !isFreed else { return .done }
    let code = unsafe libssh2_channel_forward_cancel(pointer)
    if code != LIBSSH2_ERROR_EAGAIN { isFreed = true }
    return code == LIBSSH2_ERROR_EAGAIN ? .again : .done
  }
}

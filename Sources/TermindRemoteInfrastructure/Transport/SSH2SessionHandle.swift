internal import CSSH2
internal import Glibc
internal import TermindDomain
internal import TermindInfrastructure

/// The answer of a libssh2 call that may have to wait for the peer.
enum SSH2Result: Hashable {
  /// It is done.
  case done
  /// It needs more bytes from the peer; call it again, the same way, when they have come.
  case again
  /// It failed; `code` and `text` are the library's.
  case failed(code: Int32, text: String)
}

/// One libssh2 session over the queues of a mailbox.
///
/// Owned by one connection on one loop. While keyboard-interactive is under way the connection lends it to
/// one helper thread and keeps off until the thread hands it back.
@safe
final class SSH2SessionHandle {
  private let pointer: OpaquePointer
  let mailbox: SessionMailbox
  private let mailboxReference: Unmanaged<SessionMailbox>

  /// The version that is linked, such as `1.10.0`.
  static var libraryVersion: String {
    guard let text = unsafe libssh2_version(0) else { return "unknown" }
    return unsafe String(cString: text)
  }

  /// Whether the library chooses the signature algorithm of an RSA key itself, as it does from 1.11 on.
  static var choosesSignatureAlgorithm: Bool { unsafe libssh2_version(0x01_0B_00) != nil }

  /// libssh2's global start, once; a descriptor that is never read or written stands for the socket, since
  /// libssh2 sets it non-blocking and would refuse -1.
  private static let stage: (isReady: Bool, descriptor: Int32) = {
    // libssh2 starts libcrypto, if nobody has.
    let isReady = CryptoLibraryHandle.isReady && libssh2_init(0) == 0
    let descriptor = unsafe open("/dev/null", O_RDWR | O_CLOEXEC | O_NONBLOCK)
    return (isReady && descriptor >= 0, descriptor)
  }()

  /// Makes a session; nil when the library cannot start or is out of memory.
  init?(mailbox: SessionMailbox) {
    guard Self.stage.isReady else { return nil }
    let reference = unsafe Unmanaged.passRetained(mailbox)
    guard
      let pointer = unsafe libssh2_session_init_ex(
        allocate,
        release,
        reallocate,
        reference.toOpaque()
      )
    else {
      unsafe reference.release()
      return nil
    }
    unsafe self.pointer = pointer
    self.mailbox = mailbox
    unsafe mailboxReference = reference
    unsafe libssh2_session_set_blocking(pointer, 0)
    unsafe tm_ssh2_set_callbacks(pointer, send, receive, disconnected)
  }

  /// Frees the session with every channel in it.
  ///
  /// The mailbox must have ended: freeing then waits for nothing.
  deinit {
    mailbox.hasEnded = true
    mailbox.packets.stop()
    var tries = 0
    while unsafe libssh2_session_free(pointer) == LIBSSH2_ERROR_EAGAIN, tries < 1_000 { tries += 1 }
    unsafe mailboxReference.release()
  }

  /// The library's last error on this session.
  var lastError: (code: Int32, text: String) {
    var text: UnsafeMutablePointer<CChar>?
    var length: Int32 = 0
    let code = unsafe libssh2_session_last_error(pointer, &text, &length, 0)
    guard let text = unsafe text else { return (code, "") }
    return (code, unsafe String(cString: text))
  }

  private func result(_ code: Int32) -> SSH2Result {
    switch code {
    case 0: .done
    case LIBSSH2_ERROR_EAGAIN: .again
    default: .failed(code: code, text: lastError.text)
    }
  }

  // MARK: Key exchange

  /// Prefers algorithms of one method type, in order; those that the library lacks are skipped by it.
  func prefer(_ list: [String], for method: SSH2Method) {
    guard !list.isEmpty else { return }
    _ = unsafe libssh2_session_method_pref(pointer, method.number, list.joined(separator: ","))
  }

  /// What the library supports of one method type.
  func supported(_ method: SSH2Method) -> [String] {
    var names: UnsafeMutablePointer<UnsafePointer<CChar>?>?
    let count = unsafe libssh2_session_supported_algs(pointer, method.number, &names)
    guard count > 0, let list = unsafe names else { return [] }
    defer { unsafe libssh2_free(pointer, list) }
    return (0..<Int(count)).compactMap { index in
      guard let name = unsafe list[index] else { return nil }
      return unsafe String(cString: name)
    }
  }

  /// Exchanges versions and keys.
  func handshake() -> SSH2Result {
    result(unsafe libssh2_session_handshake(pointer, Self.stage.descriptor))
  }

  /// The server's key in wire format, with the SHA-256 digest of it.
  func hostKey() -> (blob: [UInt8], digest: [UInt8])? {
    var length = 0
    var type: Int32 = 0
    guard let key = unsafe libssh2_session_hostkey(pointer, &length, &type), length > 0,
      let digest = unsafe libssh2_hostkey_hash(pointer, LIBSSH2_HOSTKEY_HASH_SHA256)
    else { return nil }
    return (
      unsafe [UInt8](UnsafeRawBufferPointer(start: key, count: length)),
      unsafe [UInt8](UnsafeRawBufferPointer(start: digest, count: 32))
    )
  }

  // MARK: Authentication

  var isAuthenticated: Bool { unsafe libssh2_userauth_authenticated(pointer) != 0 }

  /// Sends `none` and learns the methods; `done` with nil means that the server let us in.
  func requestMethods(user: String) -> (SSH2Result, [String]?) {
    let list = unsafe libssh2_userauth_list(pointer, user, UInt32(user.utf8.count))
    guard let list = unsafe list else {
      if isAuthenticated { return (.done, nil) }
      return (result(unsafe libssh2_session_last_errno(pointer)), nil)
    }
    let methods = unsafe String(cString: list).split(separator: ",").map(String.init)
    return (.done, methods)
  }

  func sendPassword(user: String, password: UnsafeRawBufferPointer) -> SSH2Result {
    result(
      unsafe libssh2_userauth_password_ex(
        pointer,
        user,
        UInt32(user.utf8.count),
        password.baseAddress?.assumingMemoryBound(to: CChar.self),
        UInt32(password.count),
        nil
      )
    )
  }

  /// Sends a password whose change the server asks for, and a new one from `mailbox.answerRound`, which is
  /// asked again when the server does not take it.
  ///
  /// An empty answer gives up; then the session can only be ended, since libssh2 1.10 keeps half a request.
  func changePassword(user: String, password: UnsafeRawBufferPointer) -> SSH2Result {
    result(
      unsafe libssh2_userauth_password_ex(
        pointer,
        user,
        UInt32(user.utf8.count),
        password.baseAddress?.assumingMemoryBound(to: CChar.self),
        UInt32(password.count),
        renew
      )
    )
  }

  /// Offers a key, and sends the signature once `mailbox.signing` has one.
  ///
  /// The blob's leading name is the algorithm that the request carries.
  func offerKey(user: String, blob: [UInt8]) -> SSH2Result {
    var context: UnsafeMutableRawPointer? = unsafe mailboxReference.toOpaque()
    return result(
      unsafe libssh2_userauth_publickey(pointer, user, blob, blob.count, sign, &context)
    )
  }

  func keyboardInteractive(user: String) -> SSH2Result {
    result(
      unsafe libssh2_userauth_keyboard_interactive_ex(
        pointer,
        user,
        UInt32(user.utf8.count),
        respond
      )
    )
  }

  /// Looks for banners that have arrived.
  func scanForBanners() {
    unsafe mailbox.packets.scan { address in
      guard let memory = unsafe UnsafeMutableRawPointer(bitPattern: address) else {
        return unsafe UnsafeRawBufferPointer(start: nil, count: 0)
      }
      return unsafe UnsafeRawBufferPointer(start: memory, count: malloc_usable_size(memory))
    }
  }

  // MARK: Channels

  /// Opens a channel; call it again with the same arguments while it says `again`, and no other open meanwhile.
  func openChannel(
    type: String,
    window: UInt32,
    message: [UInt8]
  ) -> (SSH2Result, SSH2ChannelHandle?) {
    let channel = unsafe message.withUnsafeBytes { bytes in
      unsafe libssh2_channel_open_ex(
        pointer,
        type,
        UInt32(type.utf8.count),
        window,
        UInt32(LIBSSH2_CHANNEL_PACKET_DEFAULT),
        bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
        UInt32(bytes.count)
      )
    }
    if let channel = unsafe channel {
      return (.done, unsafe SSH2ChannelHandle(pointer: channel, session: self, raw: pointer))
    }
    let code = unsafe libssh2_session_last_errno(pointer)
    return (result(code == 0 ? LIBSSH2_ERROR_CHANNEL_FAILURE : code), nil)
  }

  /// Asks the server to listen at a TCP port; call it again with the same arguments while it says `again`, and no
  /// other listen meanwhile.
  ///
  /// - Parameters:
  ///   - host: The address as the server understands it; empty means all.
  ///   - port: The port; zero lets the server choose.
  ///   - bound: How many connections may wait to be taken.
  /// - Returns: The listener, with its port.
  func listen(
    host: String,
    port: Int,
    bound: Int
  ) -> (SSH2Result, (handle: SSH2ListenerHandle, port: Int)?) {
    var chosen = Int32(clamping: port)
    let listener = unsafe libssh2_channel_forward_listen_ex(
      pointer,
      host,
      Int32(clamping: port),
      &chosen,
      Int32(clamping: bound)
    )
    if let listener = unsafe listener {
      let handle = unsafe SSH2ListenerHandle(pointer: listener, session: self, raw: pointer)
      return (.done, (handle, Int(chosen)))
    }
    let code = unsafe libssh2_session_last_errno(pointer)
    return (result(code == 0 ? LIBSSH2_ERROR_REQUEST_DENIED : code), nil)
  }

  /// Writes the disconnect message into the outbound queue.
  func disconnect() {
    _ = unsafe libssh2_session_disconnect_ex(pointer, SSH_DISCONNECT_BY_APPLICATION, "bye", "")
  }
}

// MARK: - Callbacks

private func mailbox(
  _ abstract: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> SessionMailbox? {
  guard let raw = unsafe abstract?.pointee else { return nil }
  return unsafe Unmanaged<SessionMailbox>.fromOpaque(raw).takeUnretainedValue()
}

private func send(
  _ socket: libssh2_socket_t,
  _ bytes: UnsafeRawPointer?,
  _ count: Int,
  _ flags: Int32,
  _ abstract: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> Int {
  guard let box = unsafe mailbox(abstract), let bytes = unsafe bytes else { return -Int(EIO) }
  guard !box.hasEnded else { return -Int(EPIPE) }
  unsafe box.outbound.append(UnsafeRawBufferPointer(start: bytes, count: count))
  return count
}

private func receive(
  _ socket: libssh2_socket_t,
  _ bytes: UnsafeMutableRawPointer?,
  _ count: Int,
  _ flags: Int32,
  _ abstract: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> Int {
  guard let box = unsafe mailbox(abstract), let bytes = unsafe bytes else { return -Int(EIO) }
  if box.inbound.isEmpty { return box.hasEnded ? 0 : -Int(EAGAIN) }
  return unsafe box.inbound.take(into: UnsafeMutableRawBufferPointer(start: bytes, count: count))
}

private func disconnected(
  _ session: OpaquePointer?,
  _ reason: Int32,
  _ message: UnsafePointer<CChar>?,
  _ messageLength: Int32,
  _ language: UnsafePointer<CChar>?,
  _ languageLength: Int32,
  _ abstract: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) {
  guard let box = unsafe mailbox(abstract) else { return }
  box.disconnectReason = unsafe text(message, messageLength, limit: 1_024)
}

private func sign(
  _ session: OpaquePointer?,
  _ signature: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?,
  _ signatureLength: UnsafeMutablePointer<Int>?,
  _ data: UnsafePointer<UInt8>?,
  _ dataLength: Int,
  _ abstract: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> Int32 {
  guard let box = unsafe mailbox(abstract), !box.signing.isAborted else { return -1 }
  guard let bytes = box.signing.signature else {
    box.signing.dataToSign = unsafe [UInt8](UnsafeRawBufferPointer(start: data, count: dataLength))
    return LIBSSH2_ERROR_EAGAIN
  }
  guard let copy = unsafe malloc(max(bytes.count, 1)) else { return -1 }
  unsafe bytes.withUnsafeBytes { source in
    if let base = source.baseAddress { unsafe copy.copyMemory(from: base, byteCount: source.count) }
  }
  unsafe signature?.pointee = copy.assumingMemoryBound(to: UInt8.self)
  unsafe signatureLength?.pointee = bytes.count
  return 0
}

private func respond(
  _ name: UnsafePointer<CChar>?,
  _ nameLength: Int32,
  _ instruction: UnsafePointer<CChar>?,
  _ instructionLength: Int32,
  _ promptCount: Int32,
  _ prompts: UnsafePointer<LIBSSH2_USERAUTH_KBDINT_PROMPT>?,
  _ responses: UnsafeMutablePointer<LIBSSH2_USERAUTH_KBDINT_RESPONSE>?,
  _ abstract: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) {
  guard let box = unsafe mailbox(abstract), let answer = box.answerRound else { return }
  var challenge = InteractiveChallenge(
    title: unsafe text(name, nameLength, limit: 4_096),
    instruction: unsafe text(instruction, instructionLength, limit: 16_384),
    prompts: []
  )
  for index in 0..<max(0, Int(promptCount)) {
    guard let prompt = unsafe prompts?[index] else { break }
    let length = unsafe Int32(clamping: prompt.length)
    let shown = unsafe text(prompt.text, length, limit: 4_096)
    challenge.prompts.append((shown, unsafe prompt.echo != 0))
  }
  let answers = answer(challenge)
  for (index, secret) in answers.enumerated() where index < Int(promptCount) {
    guard let copy = unsafe copied(secret) else { break }
    unsafe responses?[index].text = copy
    unsafe responses?[index].length = UInt32(secret.count)
  }
}

private func renew(
  _ session: OpaquePointer?,
  _ password: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
  _ length: UnsafeMutablePointer<Int32>?,
  _ abstract: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) {
  guard let box = unsafe mailbox(abstract), let answer = box.answerRound else { return }
  let challenge = InteractiveChallenge(
    title: "",
    instruction: box.packets.takePasswordChange() ?? "",
    prompts: [("", false)]
  )
  guard let secret = answer(challenge).first, let copy = unsafe copied(secret) else { return }
  unsafe password?.pointee = copy
  unsafe length?.pointee = Int32(clamping: secret.count)
}

/// A copy for libssh2, which gives it back to `release`, where it is wiped.
private func copied(_ secret: SecretBytes) -> UnsafeMutablePointer<CChar>? {
  guard let copy = unsafe malloc(max(secret.count, 1)) else { return nil }
  unsafe secret.withUnsafeBytes { source in
    if let base = source.baseAddress {
      unsafe copy.copyMemory(from: base, byteCount: source.count)
    }
  }
  return unsafe copy.assumingMemoryBound(to: CChar.self)
}

private func text(_ start: UnsafePointer<CChar>?, _ length: Int32, limit: Int) -> String {
  guard let start = unsafe start, length > 0 else { return "" }
  let bytes = unsafe UnsafeRawBufferPointer(start: start, count: min(Int(length), limit))
  return unsafe String(decoding: bytes, as: UTF8.self)
}

// libssh2 takes all memory from here, so that packets can be looked at before they go and so that
// nothing of the authentication phase stays in freed memory.

private func allocate(
  _ count: Int,
  _ abstract: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> UnsafeMutableRawPointer? {
  guard let box = unsafe mailbox(abstract), box.packets.isActive else {
    return unsafe malloc(count)
  }
  guard let memory = unsafe calloc(1, max(count, 1)) else { return nil }
  box.packets.allocated(UInt(bitPattern: memory))
  return unsafe memory
}

private func release(
  _ memory: UnsafeMutableRawPointer?,
  _ abstract: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) {
  guard let memory = unsafe memory else { return }
  let size = unsafe malloc_usable_size(memory)
  let bytes = unsafe UnsafeRawBufferPointer(start: memory, count: size)
  if let box = unsafe mailbox(abstract) {
    switch unsafe bytes.first {
    case 98: unsafe box.packets.releasingRequest(bytes)  // SSH_MSG_CHANNEL_REQUEST
    case 90: unsafe box.packets.releasingOpen(bytes)  // SSH_MSG_CHANNEL_OPEN
    default: break
    }
  }
  if let box = unsafe mailbox(abstract), box.packets.isActive {
    unsafe box.packets.releasing(UInt(bitPattern: memory), bytes)
    unsafe tm_wipe(memory, size)
  }
  unsafe free(memory)
}

private func reallocate(
  _ memory: UnsafeMutableRawPointer?,
  _ count: Int,
  _ abstract: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> UnsafeMutableRawPointer? {
  guard let box = unsafe mailbox(abstract), box.packets.isActive else {
    return unsafe realloc(memory, count)
  }
  guard let old = unsafe memory else { return unsafe allocate(count, abstract) }
  guard let new = unsafe allocate(count, abstract) else { return nil }
  unsafe new.copyMemory(from: old, byteCount: min(count, malloc_usable_size(old)))
  unsafe release(old, abstract)
  return unsafe new
}

internal import CSSH2

/// One libssh2 channel.
///
/// Lives no longer than its session, which it keeps; freed with the session when it was not freed before.
@safe
final class SSH2ChannelHandle {
  private let pointer: OpaquePointer
  private let session: SSH2SessionHandle
  private let raw: OpaquePointer
  /// Our number of the channel, when the server's confirmation was seen.
  private let number: UInt32?
  private var hasProgramEnd = false
  private(set) var isFreed = false

  /// Takes over a channel that was just opened from this side, or by the server.
  init(
    pointer: OpaquePointer,
    session: SSH2SessionHandle,
    raw: OpaquePointer,
    isOurs: Bool = true
  ) {
    number = isOurs ? session.mailbox.packets.takeOpenedChannel() : nil
    unsafe self.pointer = pointer
    self.session = session
    unsafe self.raw = raw
  }

  private func result(_ code: Int32) -> SSH2Result {
    switch code {
    case 0: .done
    case LIBSSH2_ERROR_EAGAIN: .again
    default: .failed(code: code, text: session.lastError.text)
    }
  }

  func setEnvironment(_ name: String, _ value: String) -> SSH2Result {
    result(
      unsafe libssh2_channel_setenv_ex(
        pointer,
        name,
        UInt32(name.utf8.count),
        value,
        UInt32(value.utf8.count)
      )
    )
  }

  func requestPTY(
    type: String,
    modes: [UInt8],
    columns: Int,
    rows: Int,
    pixelWidth: Int,
    pixelHeight: Int
  ) -> SSH2Result {
    unsafe modes.withUnsafeBytes { bytes in
      result(
        unsafe libssh2_channel_request_pty_ex(
          pointer,
          type,
          UInt32(type.utf8.count),
          bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
          UInt32(bytes.count),
          Int32(columns),
          Int32(rows),
          Int32(pixelWidth),
          Int32(pixelHeight)
        )
      )
    }
  }

  func resizePTY(columns: Int, rows: Int, pixelWidth: Int, pixelHeight: Int) -> SSH2Result {
    result(
      unsafe libssh2_channel_request_pty_size_ex(
        pointer,
        Int32(columns),
        Int32(rows),
        Int32(pixelWidth),
        Int32(pixelHeight)
      )
    )
  }

  /// Starts `shell`, `exec` or `subsystem`.
  func start(_ request: String, message: String?) -> SSH2Result {
    result(
      unsafe libssh2_channel_process_startup(
        pointer,
        request,
        UInt32(request.utf8.count),
        message,
        UInt32(message?.utf8.count ?? 0)
      )
    )
  }

  /// Merges standard error into the output.
  func mergeStandardError() {
    _ = unsafe libssh2_channel_handle_extended_data2(
      pointer,
      Int32(LIBSSH2_CHANNEL_EXTENDED_DATA_MERGE)
    )
  }

  /// Drops what comes beside the output, and gives its room in the window back.
  func ignoreStandardError() {
    _ = unsafe libssh2_channel_handle_extended_data2(
      pointer,
      Int32(LIBSSH2_CHANNEL_EXTENDED_DATA_IGNORE)
    )
  }

  /// Whether the library can send a signal at all.
  static var canSignal: Bool { tm_ssh2_can_signal() != 0 }

  /// Sends a signal by its name without `SIG`.
  func signal(_ name: String) -> SSH2Result {
    result(unsafe tm_ssh2_signal(pointer, name, name.utf8.count))
  }

  /// Lets libssh2 take what has arrived for any channel, without reading from this one; false after an error.
  func takeArrived() -> Bool {
    var nothing: CChar = 0
    let count = unsafe libssh2_channel_read_ex(pointer, 0, &nothing, 0)
    return count >= 0 || count == Int(LIBSSH2_ERROR_EAGAIN)
  }

  /// Reads into `buffer`; more than zero is a count, zero means nothing now, nil an error.
  ///
  /// - Parameters:
  ///   - buffer: Where to.
  ///   - isError: Whether from standard error, when it is apart.
  /// - Returns: How much.
  func read(into buffer: UnsafeMutableRawBufferPointer, isError: Bool = false) -> Int? {
    let count = unsafe libssh2_channel_read_ex(
      pointer,
      isError ? SSH_EXTENDED_DATA_STDERR : 0,
      buffer.baseAddress?.assumingMemoryBound(to: CChar.self),
      buffer.count
    )
    if count >= 0 { return count }
    return count == Int(LIBSSH2_ERROR_EAGAIN) ? 0 : nil
  }

  /// Writes from the front of `bytes`; zero means that the peer's window is full, nil an error.
  ///
  /// After zero the next call must begin with the same bytes.
  func write(_ bytes: UnsafeRawBufferPointer) -> Int? {
    let count = unsafe libssh2_channel_write_ex(
      pointer,
      0,
      bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
      bytes.count
    )
    if count >= 0 { return count }
    return count == Int(LIBSSH2_ERROR_EAGAIN) ? 0 : nil
  }

  /// Whether the peer has sent its end and everything before it was read.
  var isAtEnd: Bool { unsafe libssh2_channel_eof(pointer) != 0 }

  func sendEnd() -> SSH2Result { result(unsafe libssh2_channel_send_eof(pointer)) }

  /// Waits for the peer's close; only after its end was seen.
  func waitClosed() -> SSH2Result { result(unsafe libssh2_channel_wait_closed(pointer)) }

  /// Closes this side, waits for the peer's close, and frees the channel.
  func free() -> SSH2Result {
    guard !isFreed else { return .done }
    let code = unsafe libssh2_channel_free(pointer)
    if code != LIBSSH2_ERROR_EAGAIN { isFreed = true }
    return code == LIBSSH2_ERROR_EAGAIN ? .again : .done
  }

  /// Whether the server told how the program ended, by a status or a signal.
  var knowsProgramEnd: Bool {
    if !hasProgramEnd, let number {
      hasProgramEnd = session.mailbox.packets.takeProgramEnd(of: number)
    }
    return hasProgramEnd
  }

  /// The status that was told; zero when none was.
  var exitStatus: Int { unsafe Int(libssh2_channel_get_exit_status(pointer)) }

  /// The name of the signal that ended the program, without `SIG`.
  var exitSignal: String? {
    var name: UnsafeMutablePointer<CChar>?
    var length = 0
    let code = unsafe libssh2_channel_get_exit_signal(pointer, &name, &length, nil, nil, nil, nil)
    guard code == 0, let name = unsafe name else { return nil }
    defer { unsafe libssh2_free(raw, name) }
    guard length > 0 else { return nil }
    let bytes = unsafe UnsafeRawBufferPointer(start: name, count: min(length, 64))
    return unsafe String(decoding: bytes, as: UTF8.self)
  }
}

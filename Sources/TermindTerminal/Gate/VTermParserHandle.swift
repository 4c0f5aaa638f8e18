internal import CVTerm

/// libvterm's parser, whose callbacks go to one terminal.
///
/// Only input that `Terminal`'s gate has checked may be written: the parser of libvterm 0.1.4 and 0.3.3 writes
/// past its memory at the 17th parameter of a control sequence, and loses parts of long strings.
@safe struct VTermParserHandle: ~Copyable {
  private let parser: OpaquePointer
  private let callbacks: UnsafeMutableRawPointer

  /// Makes a parser; it must be attached before use.
  init() {
    let made = unsafe tm_vterm_callbacks(
      // The gate hands over whole sequences only: text never comes here.
      { _, length, _ in Int32(truncatingIfNeeded: length) },
      { control, user in
        unsafe VTermParserHandle.withTerminal(user) { $0.state.control(control) }
        return 1
      },
      { bytes, length, user in
        guard let bytes = unsafe bytes, length > 0 else { return 0 }
        let span = unsafe RawSpan(_unsafeStart: UnsafeRawPointer(bytes), byteCount: length)
        let final = unsafe span.unsafeLoad(fromByteOffset: length - 1, as: UInt8.self)
        let intermediate: UInt8
        switch length {
        case 1: intermediate = 0
        case 2: intermediate = unsafe span.unsafeLoad(fromByteOffset: 0, as: UInt8.self)
        default: intermediate = 0xFF
        }
        unsafe VTermParserHandle.withTerminal(user) {
          $0.state.escape(intermediate: intermediate, final: final)
        }
        return Int32(length)
      },
      { leader, arguments, count, intermediates, command, user in
        let parameters = unsafe VTermParserHandle.parameters(arguments, Int(count))
        let head = unsafe leader.map { UInt8(bitPattern: unsafe $0[0]) } ?? 0
        var intermediate: UInt8 = 0
        if let bytes = unsafe intermediates, unsafe bytes[0] != 0 {
          intermediate = unsafe bytes[1] == 0 ? UInt8(bitPattern: unsafe bytes[0]) : 0xFF
        }
        let final = UInt8(bitPattern: command)
        let sequence = ControlSequence(
          leader: head,
          intermediate: intermediate,
          final: final,
          parameters: parameters
        )
        unsafe VTermParserHandle.withTerminal(user) { $0.state.perform(sequence) }
        return 1
      }
    )
    guard let made = unsafe made, let parser = unsafe vterm_new(2, 2) else {
      preconditionFailure("no memory for a parser")
    }
    unsafe self.parser = parser
    unsafe callbacks = made
    unsafe vterm_set_utf8(parser, 1)
  }

  deinit {
    unsafe vterm_free(parser)
    unsafe free(callbacks)
  }

  /// Sends the callbacks to `terminal`, which owns this handle and so outlives it.
  func attach(_ terminal: Terminal) {
    unsafe tm_vterm_attach(parser, callbacks, Unmanaged.passUnretained(terminal).toOpaque())
  }

  /// Parses checked input; the callbacks run before this returns.
  func write(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress, bytes.count > 0 else { return }
    _ = unsafe vterm_input_write(parser, start.assumingMemoryBound(to: CChar.self), bytes.count)
  }

  private static func parameters(
    _ arguments: UnsafePointer<Int>?,
    _ count: Int
  ) -> SequenceParameters {
    var parameters = SequenceParameters()
    guard let arguments = unsafe arguments else { return parameters }
    for index in 0..<count {
      let argument = unsafe arguments[index]
      parameters.append(
        Int32(truncatingIfNeeded: tm_vterm_argument(argument)),
        joined: tm_vterm_argument_has_more(argument) != 0
      )
    }
    return parameters
  }

  @inline(__always)
  private static func withTerminal<Result>(
    _ user: UnsafeMutableRawPointer?,
    _ body: (Terminal) -> Result
  ) -> Result {
    guard let user = unsafe user else { preconditionFailure("the parser is not attached") }
    return unsafe Unmanaged<Terminal>.fromOpaque(user)._withUnsafeGuaranteedRef { body($0) }
  }
}

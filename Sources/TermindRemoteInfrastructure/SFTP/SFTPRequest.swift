internal import TermindDomain

/// One request, built where it was wanted; the connection gives it its number.
struct SFTPRequest: Sendable {
  /// The message with its length; the number is still zero.
  private(set) var message: [UInt8]
  /// Whether the answer is a handle that has to be closed when nobody wants it any more.
  let opensHandle: Bool
  /// Whether it is sent even for a task that was cancelled, without waiting for the answer then.
  let isCleanup: Bool
  /// Whether the time of its answer grows with the data: the server copies, or waits for its disk.
  private(set) var isSlow = false

  init(
    _ kind: SFTPKind,
    capacity: Int = 96,
    _ fill: (inout SFTPEncoder) -> Void
  ) {
    var encoder = SFTPEncoder(kind, number: 0, capacity: capacity)
    fill(&encoder)
    message = encoder.finished()
    opensHandle = kind == .open || kind == .openDirectory
    isCleanup = kind == .close
  }

  /// An extension's request.
  static func extended(_ name: String, _ fill: (inout SFTPEncoder) -> Void) -> SFTPRequest {
    SFTPRequest(.extended) {
      $0.add(string: name.utf8)
      fill(&$0)
    }
  }

  static func close(_ handle: [UInt8]) -> SFTPRequest {
    SFTPRequest(.close) { $0.add(string: handle) }
  }

  static func read(_ handle: [UInt8], at offset: UInt64, count: Int) -> SFTPRequest {
    SFTPRequest(.read) {
      $0.add(string: handle)
      $0.add(offset)
      $0.add(UInt32(count))
    }
  }

  static func write(
    _ handle: [UInt8],
    at offset: UInt64,
    _ bytes: ArraySlice<UInt8>
  ) -> SFTPRequest {
    SFTPRequest(.write, capacity: bytes.count + 64 + handle.count) {
      $0.add(string: handle)
      $0.add(offset)
      $0.add(string: bytes)
    }
  }

  static func handleStatus(_ handle: [UInt8]) -> SFTPRequest {
    SFTPRequest(.handleStatus) { $0.add(string: handle) }
  }

  static func setHandleStatus(_ handle: [UInt8], _ change: FileAttributeChange) -> SFTPRequest {
    SFTPRequest(.setHandleStatus) {
      $0.add(string: handle)
      $0.add(change)
    }
  }

  static func sync(_ handle: [UInt8]) -> SFTPRequest {
    extended(SFTPExtension.sync) { $0.add(string: handle) }.slowly()
  }

  /// The same request as one that may take long.
  consuming func slowly() -> SFTPRequest {
    isSlow = true
    return self
  }

  static func open(
    _ path: RemotePath,
    _ flags: SFTPOpenFlags,
    _ attributes: FileAttributeChange = FileAttributeChange()
  ) -> SFTPRequest {
    SFTPRequest(.open) {
      $0.add(path)
      $0.add(flags.rawValue)
      $0.add(attributes)
    }
  }

  /// The finished message under a number.
  consuming func numbered(_ number: UInt32) -> [UInt8] {
    message[5] = UInt8(truncatingIfNeeded: number >> 24)
    message[6] = UInt8(truncatingIfNeeded: number >> 16)
    message[7] = UInt8(truncatingIfNeeded: number >> 8)
    message[8] = UInt8(truncatingIfNeeded: number)
    return message
  }
}

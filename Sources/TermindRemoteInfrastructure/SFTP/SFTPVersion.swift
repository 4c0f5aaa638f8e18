internal import TermindDomain

/// What a server announces when SFTP starts.
struct SFTPVersion: Hashable, Sendable {
  /// The protocol version; we ask for 3.
  let number: UInt32
  /// The extensions by name, with what the server says of each.
  let extensions: [String: [UInt8]]

  /// Reads the first message of a server, without its length.
  static func decode(_ message: ArraySlice<UInt8>) throws(SFTPFormatError) -> SFTPVersion {
    var decoder = SFTPDecoder(message)
    guard try decoder.byte() == SFTPKind.version.rawValue else {
      throw SFTPFormatError(text: "the server does not start with its version")
    }
    let number = try decoder.number()
    var extensions: [String: [UInt8]] = [:]
    while decoder.count > 0 {
      let name = String(decoding: try decoder.string(), as: UTF8.self)
      extensions[name] = Array(try decoder.string())
    }
    return SFTPVersion(number: number, extensions: extensions)
  }

  func has(_ name: String) -> Bool { extensions[name] != nil }

  var abilities: FileSystemAbilities {
    var result: FileSystemAbilities = []
    if has(SFTPExtension.posixRename) { result.insert(.replacingRename) }
    if has(SFTPExtension.space) { result.insert(.space) }
    if has(SFTPExtension.sync) { result.insert(.sync) }
    if has(SFTPExtension.hardLink) { result.insert(.hardLinks) }
    if has(SFTPExtension.linkSetStatus) { result.insert(.linkAttributes) }
    if has(SFTPExtension.copyData) { result.insert(.copyData) }
    if has(SFTPExtension.ownerNames) { result.insert(.ownerNames) }
    if has(SFTPExtension.expandPath) { result.insert(.homePaths) }
    return result
  }
}

/// How much a server takes at once.
struct SFTPLimits: Hashable, Sendable {
  /// Most bytes of one read.
  var readLength = SFTPLimits.safeLength
  /// Most bytes of one write.
  var writeLength = SFTPLimits.safeLength
  /// Most files and directories that are open at once; nil when the server does not tell.
  var openHandles: Int?

  /// What every server takes (the draft's section 3).
  static let safeLength = 32_768
  /// What we ask for at most: OpenSSH's own limit.
  static let mostLength = 261_120

  init() {}

  /// Reads a server's limits; 0 means that it has none.
  init(reply: ArraySlice<UInt8>) throws(SFTPFormatError) {
    var decoder = SFTPDecoder(reply)
    _ = try decoder.longNumber()
    readLength = Self.length(try decoder.longNumber())
    writeLength = Self.length(try decoder.longNumber())
    let handles = try decoder.longNumber()
    if handles > 0 { openHandles = Int(clamping: min(handles, 1 << 20)) }
  }

  private static func length(_ told: UInt64) -> Int {
    told == 0 ? mostLength : max(1, Int(min(told, UInt64(mostLength))))
  }
}

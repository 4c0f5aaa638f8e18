internal import TermindDomain

/// Attributes on the wire (draft-ietf-secsh-filexfer-02, section 5).
enum SFTPAttributes {
  static let size: UInt32 = 1
  static let owner: UInt32 = 2
  static let permissions: UInt32 = 4
  static let times: UInt32 = 8
  static let extended: UInt32 = 0x8000_0000

  /// Times as version 3 has them, without a sign: up to the year 2106; nil for what does not fit.
  static func wireTimes(_ times: FileTimes) -> (accessed: UInt32, modified: UInt32)? {
    guard let modified = UInt32(exactly: times.modified.seconds) else { return nil }
    // The time of the last reading is worth less: it follows when it does not fit.
    return (UInt32(exactly: times.accessed.seconds) ?? modified, modified)
  }
}

extension SFTPDecoder {
  /// Attributes with whatever the server tells.
  mutating func attributes() throws(SFTPFormatError) -> FileAttributes {
    var result = FileAttributes()
    let flags = try number()
    if flags & SFTPAttributes.size != 0 { result.size = try longNumber() }
    if flags & SFTPAttributes.owner != 0 {
      result.userID = try number()
      result.groupID = try number()
    }
    if flags & SFTPAttributes.permissions != 0 {
      let mode = try number()
      result.kind = FileKind(mode: mode)
      result.permissions = mode & 0o7777
    }
    if flags & SFTPAttributes.times != 0 {
      result.accessed = FileTime(seconds: Int64(try number()))
      result.modified = FileTime(seconds: Int64(try number()))
    }
    if flags & SFTPAttributes.extended != 0 {
      var pairs = try number()
      while pairs > 0 {
        // Each pair takes eight bytes at least, so a large count ends with the message.
        _ = try string()
        _ = try string()
        pairs -= 1
      }
    }
    return result
  }
}

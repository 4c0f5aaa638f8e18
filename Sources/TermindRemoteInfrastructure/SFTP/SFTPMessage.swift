/// The kinds of message of SFTP version 3 (draft-ietf-secsh-filexfer-02, section 3).
enum SFTPKind: UInt8 {
  case initialize = 1
  case version = 2
  case open = 3
  case close = 4
  case read = 5
  case write = 6
  case linkStatus = 7
  case handleStatus = 8
  case setStatus = 9
  case setHandleStatus = 10
  case openDirectory = 11
  case readDirectory = 12
  case remove = 13
  case makeDirectory = 14
  case removeDirectory = 15
  case realPath = 16
  case status = 17
  case rename = 18
  case readLink = 19
  case symbolicLink = 20
  case replyStatus = 101
  case replyHandle = 102
  case replyData = 103
  case replyNames = 104
  case replyAttributes = 105
  case extended = 200
  case replyExtended = 201
}

/// The extensions that are used, by the names that servers announce (OpenSSH's PROTOCOL file).
enum SFTPExtension {
  static let posixRename = "posix-rename@openssh.com"
  static let space = "statvfs@openssh.com"
  static let handleSpace = "fstatvfs@openssh.com"
  static let hardLink = "hardlink@openssh.com"
  static let sync = "fsync@openssh.com"
  static let linkSetStatus = "lsetstat@openssh.com"
  static let limits = "limits@openssh.com"
  static let expandPath = "expand-path@openssh.com"
  static let copyData = "copy-data"
  static let ownerNames = "users-groups-by-id@openssh.com"
}

/// What a file is opened for on the wire; bits combine.
struct SFTPOpenFlags: OptionSet {
  let rawValue: UInt32
  static let read = SFTPOpenFlags(rawValue: 1)
  static let write = SFTPOpenFlags(rawValue: 2)
  static let append = SFTPOpenFlags(rawValue: 4)
  static let create = SFTPOpenFlags(rawValue: 8)
  static let truncate = SFTPOpenFlags(rawValue: 16)
  static let exclusive = SFTPOpenFlags(rawValue: 32)
}

/// Bytes that are not what the protocol says.
struct SFTPFormatError: Error, Hashable, Sendable {
  /// What was wrong, for people.
  let text: String
}

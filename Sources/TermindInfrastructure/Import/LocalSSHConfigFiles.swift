internal import Glibc
public import TermindDomain

/// Reads the configuration files of this machine.
public struct LocalSSHConfigFiles: SSHConfigReading {
  private let home: String

  /// Makes a reader.
  ///
  /// - Parameter home: What `~` in Include patterns stands for, absolute.
  public init(home: String) { self.home = home }

  /// Reads a whole file of bounded size.
  public func read(_ path: String, isChecked: Bool) throws(SSHConfigFileError) -> [UInt8] {
    let file: BoundedFile
    do throws(BoundedFileError) {
      file = try BoundedFile.read(path, limit: SSHConfigLimits.fileBytes)
    } catch {
      throw .init(error)
    }
    guard file.isPrivate || !isChecked else { throw .insecure }
    return file.bytes
  }

  /// The files that an Include pattern names, ordered by their bytes.
  public func paths(matching pattern: String) throws(SSHConfigFileError) -> [String] {
    guard !pattern.utf8.contains(0) else { return [] }
    var pattern = pattern
    if pattern == "~" || pattern.hasPrefix("~/") { pattern = home + pattern.dropFirst() }
    var found = unsafe glob_t()
    defer { unsafe globfree(&found) }
    let status = unsafe glob(pattern, GLOB_TILDE, nil, &found)
    guard status != GLOB_NOMATCH else { return [] }
    guard status == 0, unsafe found.gl_pathc <= SSHConfigLimits.files,
      let paths = unsafe found.gl_pathv
    else { throw .patternFailed }
    let names = (0..<Int(unsafe found.gl_pathc)).compactMap { index in
      unsafe paths[index].map { unsafe String(cString: $0) }
    }
    // The system sorts as the language does; `ssh` sorts by bytes.
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The TCP port of a service, nil when the system knows none of that name.
  public func port(ofService name: String) -> UInt16? {
    guard !name.isEmpty, !name.utf8.contains(0) else { return nil }
    var entry = unsafe servent()
    var found: UnsafeMutablePointer<servent>?
    var storage = [CChar](repeating: 0, count: 4096)
    let size = storage.count
    return unsafe storage.withUnsafeMutableBufferPointer { buffer -> UInt16? in
      guard let start = buffer.baseAddress else { return nil }
      let status = unsafe getservbyname_r(name, "tcp", &entry, start, size, &found)
      guard status == 0, unsafe found != nil else { return nil }
      return UInt16(truncatingIfNeeded: unsafe entry.s_port).byteSwapped
    }
  }
}

extension SSHConfigFileError {
  /// What the failure means for a file of hosts.
  public init(_ error: BoundedFileError) {
    self =
      switch error {
      case .absent: .absent
      case .notRegular: .notRegular
      case .tooLarge(let byteCount): .tooLarge(byteCount: byteCount)
      case .unreadable(let diagnostic): .unreadable(diagnostic: diagnostic)
      }
  }
}

extension SSHLocalMachine {
  /// This machine and the account that runs the process; nil when the system does not know it.
  public static func current(workingDirectory: String? = nil) -> SSHLocalMachine? {
    guard let account = UserAccount.current() else { return nil }
    return SSHLocalMachine(
      userName: account.name,
      userNumber: account.user,
      home: account.home,
      workingDirectory: workingDirectory,
      hostName: ProcessEnvironment.hostName,
      variables: ProcessEnvironment.all()
    )
  }
}

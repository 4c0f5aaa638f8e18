public import TermindApplication
public import TermindDomain

/// Why a file cannot be imported.
public enum ImportFileError: Error, Hashable, Sendable {
  /// The file cannot be read.
  case file(path: String, SSHConfigFileError)
  /// It can be read, and is not what it should be.
  case text(path: String, ImportTextError)
}

/// Reads files of this machine for an import; every call blocks.
public enum LocalImports {
  /// The hosts of a configuration of `ssh`.
  ///
  /// - Parameters:
  ///   - path: The file; nil means those that `ssh` reads.
  ///   - machine: The machine and the account.
  /// - Returns: The hosts.
  /// - Throws: The file that cannot be read; with nil an absent one is as good as an empty one.
  public static func sshConfig(
    path: String? = nil,
    machine: SSHLocalMachine
  ) throws(ImportFileError) -> HostImportSource {
    let sources =
      path.map { [SSHConfigSource(path: $0)] } ?? SSHConfigSource.standard(home: machine.home)
    var loader = SSHConfigLoader(
      machine: machine,
      reading: LocalSSHConfigFiles(home: machine.home)
    )
    do throws(SSHConfigProblem) {
      let config = try loader.load(sources)
      let resolver = SSHConfigResolver(config: config, machine: machine)
      return SSHConfigImport(
        path: path ?? sources[0].path,
        resolver: resolver,
        fileExists: BoundedFile.exists
      ).source()
    } catch {
      guard case .includeUnreadable(let path, let reason) = error.reason else {
        throw .file(path: error.place.path, .unreadable(diagnostic: ImportWords.text(error.reason)))
      }
      throw .file(path: path, reason)
    }
  }

  /// The sessions of a PuTTY registry export.
  public static func putty(path: String) throws(ImportFileError) -> HostImportSource {
    let bytes = try read(path)
    do throws(ImportTextError) {
      return try PuTTYSessions.read(bytes, path: path)
    } catch {
      throw .text(path: path, error)
    }
  }

  /// The hosts of a table with named columns.
  public static func csv(path: String, home: String) throws(ImportFileError) -> HostImportSource {
    let bytes = try read(path)
    do throws(ImportTextError) {
      return try CSVHosts.read(bytes, path: path, home: home)
    } catch {
      throw .text(path: path, error)
    }
  }

  /// The bytes of a known_hosts file, for `KnownHostsText`.
  public static func knownHosts(path: String) throws(ImportFileError) -> [UInt8] {
    try read(path, limit: 64 << 20)
  }

  private static func read(
    _ path: String,
    limit: Int = 16 << 20
  ) throws(ImportFileError) -> [UInt8] {
    do throws(BoundedFileError) {
      return try BoundedFile.read(path, limit: limit).bytes
    } catch {
      throw .file(path: path, SSHConfigFileError(error))
    }
  }
}

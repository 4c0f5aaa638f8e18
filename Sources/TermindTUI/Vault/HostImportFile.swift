import FoundationEssentials
import TermindApplication
import TermindDomain
import TermindInfrastructure

/// A file with hosts of other programs, read away from the main actor.
nonisolated enum HostImportFile {
  private static let limit = 16 << 20

  /// Reads a file by what its name says: `.csv`, `.reg`, anything else a configuration of `ssh`.
  @concurrent static func read(
    _ path: String,
    home: String
  ) async throws(VaultFileError) -> HostImportSource {
    let name = path.lowercased()
    if name.hasSuffix(".csv") || name.hasSuffix(".reg") {
      let bytes = try bytes(path)
      do throws(ImportTextError) {
        return name.hasSuffix(".csv")
          ? try CSVHosts.read(bytes, path: path, home: home)
          : try PuTTYSessions.read(bytes, path: path)
      } catch {
        throw VaultFileError(sentence: "\(path) cannot be imported: \(ImportWords.text(error)).")
      }
    }
    guard let machine = SSHLocalMachine.current() else {
      throw VaultFileError(sentence: "The account of this machine is not known.")
    }
    var loader = SSHConfigLoader(machine: machine, reading: LocalSSHConfigFiles(home: home))
    do throws(SSHConfigProblem) {
      let config = try loader.load([SSHConfigSource(path: path)])
      let resolver = SSHConfigResolver(config: config, machine: machine)
      return SSHConfigImport(path: path, resolver: resolver) {
        FileManager.default.fileExists(atPath: $0)
      }.source()
    } catch {
      throw VaultFileError(
        sentence: "\(path) cannot be imported: \(ImportWords.text(error.reason))."
      )
    }
  }

  /// Reads a whole file.
  static func bytes(_ path: String) throws(VaultFileError) -> [UInt8] {
    do throws(BoundedFileError) {
      return try BoundedFile.read(path, limit: limit).bytes
    } catch {
      let reason =
        switch error {
        case .absent: "there is no such file"
        case .notRegular: "it is no regular file"
        case .tooLarge: "it is larger than \(limit >> 20) MiB"
        case .unreadable(let diagnostic): diagnostic
        }
      throw VaultFileError(sentence: "\(path) cannot be read: \(reason).")
    }
  }
}

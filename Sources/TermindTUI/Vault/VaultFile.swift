import FoundationEssentials

/// Files that the person names; read and written away from the main actor.
nonisolated enum VaultFile {
  /// The most bytes that are read.
  static let limit = 16 << 20

  /// Writes a new file.
  @concurrent static func write(_ bytes: [UInt8], to path: String) async throws(VaultFileError) {
    do {
      try Data(bytes).write(to: URL(filePath: path), options: .withoutOverwriting)
    } catch {
      throw VaultFileError(path: path, verb: "written", error)
    }
  }

  /// Reads a file.
  @concurrent static func read(_ path: String) async throws(VaultFileError) -> [UInt8] {
    let bytes: Data
    do {
      let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
      bytes = size > limit ? Data() : try Data(contentsOf: URL(filePath: path))
      if size > limit { throw CocoaError(.fileReadTooLarge) }
    } catch {
      throw VaultFileError(path: path, verb: "read", error)
    }
    return Array(bytes)
  }
}

extension VaultFileError {
  /// The reason that the system gave, in words.
  nonisolated init(path: String, verb: String, _ error: any Error) {
    let reason =
      switch (error as? CocoaError)?.code {
      case .fileWriteFileExists: "it is there already, and nothing is overwritten"
      case .fileNoSuchFile, .fileReadNoSuchFile: "there is no such file or folder"
      case .fileReadNoPermission, .fileWriteNoPermission: "its permissions do not allow it"
      case .fileWriteOutOfSpace: "there is no room left"
      case .fileWriteVolumeReadOnly: "the file system is read-only"
      case .fileReadTooLarge: "it is larger than \(VaultFile.limit >> 20) MiB"
      default: "the system refused"
      }
    self.init(sentence: "\(path) cannot be \(verb): \(reason).")
  }
}

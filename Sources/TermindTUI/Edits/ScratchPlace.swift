import TermindApplication
import TermindDomain
import TermindInfrastructure

/// A private directory for files of one purpose; it goes as a whole.
nonisolated struct ScratchPlace: Hashable, Sendable {
  /// The directory.
  let directory: RemotePath

  /// The files of this machine.
  var files: LocalFileSystem { LocalFileSystem(home: directory) }

  /// The place of a directory.
  init(of directory: RemotePath) { self.directory = directory }

  /// A file in it; one whose name cannot be told to a program gets a plain one.
  func file(_ name: FileName?) -> RemotePath {
    let bytes = name?.bytes ?? []
    let isUsable = PathText.isPlain(bytes) && bytes.first != 0x2D
    return RemotePath(directory.bytes + [0x2F] + (isUsable ? bytes : Array("file".utf8)))
      ?? directory
  }

  /// Writes a file in it.
  ///
  /// - Parameters:
  ///   - bytes: What it holds.
  ///   - name: What it is called.
  /// - Returns: The file, as programs are told.
  /// - Throws: Why it is not there.
  func write(_ bytes: [UInt8], as name: String) async throws(CopyFailure) -> String {
    let file = file(try? FileName(name))
    do throws(FileError) {
      _ = try await files.writeSmallFile(file, SmallFileContents(bytes: bytes[...]))
      guard let text = String(validating: file.bytes, as: UTF8.self) else {
        throw FileError(.badName, path: file)
      }
      return text
    } catch { throw CopyFailure(.operation(.writing, error)) }
  }

  /// Removes the directory with everything in it.
  func remove() async {
    guard let parent = directory.parent, let name = directory.name else { return }
    let entry = FileEntry(name: name, attributes: FileAttributes(kind: .directory))
    // What stays lies in a private directory, and goes at the next start.
    _ = await FileTreeWalk.remove([entry], in: parent, of: files) { _ in }
  }
}

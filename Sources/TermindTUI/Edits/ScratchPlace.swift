import TermindApplication
import TermindDomain
import TermindInfrastructure

/// A private directory for copies of one purpose; it lies with those of all others and goes as a whole.
nonisolated struct ScratchPlace: Sendable {
  /// The directory.
  let directory: RemotePath

  /// The files of this machine.
  var files: LocalFileSystem { LocalFileSystem(home: directory) }

  /// Makes a directory below the one of all of them.
  ///
  /// - Parameter root: Where they lie.
  /// - Throws: Why there is none.
  @MainActor
  init(_ root: String) throws(CopyFailure) {
    let text = "\(root)/\(String(UInt64.random(in: 0 ... .max), radix: 36))"
    do throws(DirectoryError) {
      try PrivateDirectory.ensure(root, .owned)
      try PrivateDirectory.ensure(text, .owned)
    } catch {
      let reason = FileError(.failed, text: ProcessErrorText.text(of: error))
      throw CopyFailure(.operation(.writing, reason))
    }
    directory = RemotePath(text) ?? .root
  }

  /// The place of a directory that was made before.
  init(of directory: RemotePath) { self.directory = directory }

  /// A file in it; one whose name cannot be told to a program gets a plain one.
  func file(_ name: FileName?) -> RemotePath {
    let bytes = name?.bytes ?? []
    let isUsable = PathText.isPlain(bytes) && bytes.first != 0x2D
    return RemotePath(directory.bytes + [0x2F] + (isUsable ? bytes : Array("file".utf8)))
      ?? directory
  }

  /// Removes the directory with everything in it.
  func remove() async {
    guard let parent = directory.parent, let name = directory.name else { return }
    let entry = FileEntry(name: name, attributes: FileAttributes(kind: .directory))
    // What stays lies in a private directory, and does no harm.
    _ = await FileTreeWalk.remove([entry], in: parent, of: files) { _ in }
  }
}

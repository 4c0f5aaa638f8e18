import TermindApplication
import TermindDomain
import TermindInfrastructure

/// The private directories of copies and texts that programs of this machine work on, one for each purpose.
///
/// Each goes with what it was made for; what a server left that ended otherwise goes at the start of the next one.
final class ScratchFiles {
  private let root: String
  /// The same, to be told of.
  var path: RemotePath { RemotePath(root) ?? .root }
  /// Where copies are moved that a person keeps.
  private let kept: String
  /// What was made by this server, and is no leftover.
  private var made: Set<FileName> = []

  /// Names the directories; nothing is made.
  init(_ paths: TermindPaths) {
    root = paths.state + "/edits"
    kept = paths.state + "/kept"
  }

  /// Makes a directory.
  ///
  /// - Returns: The directory.
  /// - Throws: Why there is none.
  func make() async throws(CopyFailure) -> ScratchPlace {
    let (place, text) = try newPlace(in: root)
    try await Self.ensure([root, text])
    return place
  }

  private func newPlace(in root: String) throws(CopyFailure) -> (place: ScratchPlace, text: String)
  {
    let text = "\(root)/\(String(UInt64.random(in: 0 ... .max), radix: 36))"
    guard let directory = RemotePath(text), let name = directory.name else {
      throw CopyFailure(.operation(.writing, FileError(.badName, text: root)))
    }
    made.insert(name)
    return (ScratchPlace(of: directory), text)
  }

  private static func ensure(_ directories: [String]) async throws(CopyFailure) {
    let result: Result<Void, DirectoryError> = await LocalFileSystem.sharedWorkers.run {
      do throws(DirectoryError) {
        for directory in directories { try PrivateDirectory.ensure(directory, .owned) }
        return .success(())
      } catch { return .failure(error) }
    }
    do throws(DirectoryError) { try result.get() } catch {
      let reason = FileError(.failed, text: ProcessErrorText.text(of: error))
      throw CopyFailure(.operation(.writing, reason))
    }
  }

  /// Moves a directory to where nothing is taken away.
  ///
  /// - Parameter place: The directory.
  /// - Returns: Where it is now.
  /// - Throws: Why it is where it was.
  func keep(_ place: ScratchPlace) async throws(CopyFailure) -> ScratchPlace {
    let (new, _) = try newPlace(in: kept)
    try await Self.ensure([kept])
    do throws(FileError) {
      try await place.files.rename(place.directory, to: new.directory, replacing: false)
    } catch { throw CopyFailure(.operation(.renaming, error)) }
    return new
  }

  /// Takes away what an earlier server left.
  ///
  /// - Parameter places: What is still needed.
  func sweep(except places: [ScratchPlace]) async {
    let needed = Set(places.compactMap(\.directory.name))
    for place in await leftovers where place.directory.name.map({ !needed.contains($0) }) ?? true {
      await place.remove()
    }
  }

  /// Moves all that an earlier server left to where nothing is taken away.
  ///
  /// - Returns: Where it is now, as far as it could be moved.
  func keepAll() async -> [ScratchPlace] {
    var moved: [ScratchPlace] = []
    for place in await leftovers {
      // What cannot be moved stays where it is, which is as safe for now.
      if let new = try? await keep(place) { moved.append(new) }
    }
    return moved
  }

  private var leftovers: [ScratchPlace] {
    get async {
      let path = path
      // Without a directory nothing was left in it.
      let names = try? await FileTreeWalk.list(path, LocalFileSystem(home: path))
      return (names ?? []).map(\.name).filter { !made.contains($0) }
        .map { ScratchPlace(of: path.appending($0)) }
    }
  }
}

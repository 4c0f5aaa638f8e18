import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindRemoteInfrastructure

/// An edit as its file has it.
nonisolated struct KeptEdit: Codable, Hashable, Sendable {
  /// Whose file it is, as a restart finds it again.
  let target: SavedPaneContent
  /// The file.
  let path: RemotePath
  /// The copy.
  let file: RemotePath
  /// What the original was last.
  let original: EditOriginal
}

/// Edits that outlive the server of Termind.
extension ExternalEdits {
  /// Writes down what is edited.
  func keep() {
    guard let file, hasRead else { return }
    let left = edits.map { edit in
      KeptEdit(
        target: edit.target.saved,
        path: edit.path,
        file: edit.file,
        original: edit.original
      )
    }
    let before = writing
    writing = Task { [log = services.log] in
      await before?.value
      do throws(WholeFileError) {
        try await file.write(left.isEmpty ? nil : left)
      } catch { log.write(.warning, "the list of edits was not kept: \(error)") }
    }
  }

  /// Brings back what was edited with an earlier server; copies that are gone are forgotten.
  ///
  /// - Parameter routes: Finds the way to hosts that were only typed.
  /// - Returns: What is to be told of it.
  func bringBack(_ routes: RouteBuilder) async -> [String] {
    guard let file else { return [] }
    let (value, problem) = await file.read()
    var problems = problem.map { [$0] } ?? []
    for each in value ?? [] {
      let local = LocalFileSystem(home: .root)
      // A copy that cannot be looked at is none that could be uploaded.
      guard (try? await local.attributes(of: each.file, followingLinks: false)) != nil else {
        continue
      }
      guard let target = each.target.filesTarget(services, routes) else {
        problems.append(
          "The host of \(each.path.text) is gone; what was edited of it is kept: \(each.file.text)"
        )
        continue
      }
      guard edit(of: each.path, at: target.place) == nil else { continue }
      guard let edit = add(target, each.path, each.file, each.original) else {
        problems.append("\(each.file.text) cannot be watched; it is kept.")
        continue
      }
      look(edit.number)
    }
    hasRead = true
    keep()
    return problems
  }
}

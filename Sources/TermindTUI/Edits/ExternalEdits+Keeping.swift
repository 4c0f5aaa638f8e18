import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindRemoteInfrastructure

/// An edit as the next server of Termind finds it.
nonisolated struct KeptEdit: Codable, Hashable, Sendable {
  /// Whose file it is.
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
  /// What became of the edits of the last server.
  struct Returned {
    /// How many are not on the server.
    var unsaved = 0
    /// What went wrong, a sentence each.
    var problems: [String] = []
  }

  /// Writes down what is edited.
  func keep() {
    guard let journal, hasRead else { return }
    let left =
      edits.map {
        KeptEdit(target: $0.target.saved, path: $0.path, file: $0.file, original: $0.original)
      } + orphans
    let before = writing
    writing = Task { [log = services.log] in
      await before?.value
      do throws(WholeFileError) { try await journal.write(left) } catch {
        log.write(.warning, "the list of edits was not kept: \(error)")
      }
    }
  }

  /// Brings back what was edited with the last server, and takes away what else it left.
  ///
  /// Nothing is uploaded, whatever is configured: a restart opens no connection by itself.
  /// - Parameter routes: Finds the way to hosts that were only typed.
  /// - Returns: What the person has to know.
  func bringBack(_ routes: RouteBuilder) async -> Returned {
    guard let journal else { return Returned() }
    let task = Task { [weak self, services] in
      let (kept, problem) = await journal.read()
      var found = Returned()
      guard let self else { return found }
      if let kept {
        for each in kept { await takeUp(each, routes, &found) }
        let needed = edits.map(\.directory) + orphans.compactMap(\.file.parent)
        await services.scratch.sweep(except: needed.map { ScratchPlace(of: $0) })
      } else {
        // Nobody knows what the copies are; none is lost.
        let moved = await services.scratch.keepAll()
        if let problem { services.log.write(.warning, "edits: \(problem)") }
        if moved.isEmpty {
          found.problems += problem.map { [$0] } ?? []
        } else if let first = moved.first {
          found.problems.append(
            "What was edited before is in \(PathText.safe(first.directory.parent?.bytes[...] ?? []))."
          )
        }
      }
      hasRead = true
      // Where nothing was ever edited there is nothing to write down.
      if kept != nil || problem != nil { keep() }
      return found
    }
    reading = task
    return await task.value
  }

  /// Suspends until those of the last server are back.
  func settled() async { _ = await reading?.value }

  private func takeUp(_ kept: KeptEdit, _ routes: RouteBuilder, _ found: inout Returned) async {
    let save: ExternalEdit.Save?
    do throws(FileError) { save = try await Self.save(in: kept.file) } catch {
      // A copy that is gone is none; of one that cannot be read the next look tells.
      guard error.reason != .notFound else { return }
      save = nil
    }
    let target = kept.target.filesTarget(services, routes)
    guard let target, let edit = add(kept.path, of: target, in: kept.file, kept.original) else {
      // Without its host nothing can be uploaded, but what was written is not lost.
      let directory = kept.file.parent ?? kept.file
      let moved = try? await services.scratch.keep(ScratchPlace(of: directory))
      // What cannot be moved stays written down, so that it is not taken for a leftover.
      if moved == nil { orphans.append(kept) }
      let copy = PathText.safe((moved?.directory ?? directory).bytes[...])
      found.problems.append("\(kept.path.text) cannot be edited any more; its copy is in \(copy).")
      return
    }
    edit.lastSave = save
    if save?.digest != kept.original.digest {
      edit.state = .changed
      found.unsaved += 1
    } else {
      // It is as on the server, and its editor went with the last server.
      end(edit)
    }
  }
}

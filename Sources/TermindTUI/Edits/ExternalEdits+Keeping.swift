import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindPresentation
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
  /// What was found of the last server.
  private struct Found {
    var unsaved = 0
    /// What is to be told, a sentence each.
    var problems: [String] = []
  }

  /// Writes down what is edited.
  func keep() {
    guard let journal, reading == nil else { return }
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
  /// - Parameter tell: Takes what the person has to know.
  func bringBack(_ tell: @escaping (Notice) -> Void) {
    guard let journal else { return }
    reading = Task { [weak self, services] in
      // Hosts have to be known, and the ways to them.
      await services.storeSettled()
      let (kept, problem) = await journal.read()
      guard let self else { return }
      var found = Found()
      if let kept {
        for each in kept { await takeUp(each, &found) }
        let needed = edits.map(\.directory) + orphans.compactMap(\.file.parent)
        await services.scratch.sweep(except: needed.map { ScratchPlace(of: $0) })
      } else {
        // Nobody knows what the copies are; none is lost.
        let moved = await services.scratch.keepAll()
        if let problem { found.problems.append(problem) }
        if let first = moved.first {
          found.problems.append(
            "What was edited before is in \(PathText.safe(first.directory.parent?.bytes[...] ?? []))."
          )
        }
      }
      reading = nil
      keep()
      for problem in found.problems { services.log.write(.warning, "edits: \(problem)") }
      if !found.problems.isEmpty {
        tell(Notice(.problem, found.problems.joined(separator: " ")))
      } else if found.unsaved > 0 {
        let edits = FileText.count(UInt64(found.unsaved), "edit")
        let verb = found.unsaved == 1 ? "is" : "are"
        tell(
          Notice(.info, "\(edits) of the last time \(verb) not on the server; E in a file pane shows.")
        )
      }
    }
  }

  /// Suspends until those of the last server are back.
  func settled() async { await reading?.value }

  private func takeUp(_ kept: KeptEdit, _ found: inout Found) async {
    let save: ExternalEdit.Save?
    do throws(FileError) { save = try await Self.save(in: kept.file) } catch {
      // A copy that is gone is none; of one that cannot be read the next look tells.
      guard error.reason != .notFound else { return }
      save = nil
    }
    let target = kept.target.filesTarget(services, services.routeBuilder(directory: ""))
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

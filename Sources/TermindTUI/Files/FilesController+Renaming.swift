import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindPresentation

/// Renaming many entries in the person's editor, and owners.
extension FilesController {
  /// The most bytes of a list of names.
  private static let listLimit = 261_120

  /// Opens an editor on the names of what is marked, or of all that is in sight.
  func renameInEditor(_ window: Window) {
    guard let directory = model.directory else { return }
    let names = (model.marks.isEmpty ? model.visible : model.chosen).map(\.name)
    guard !names.isEmpty else { return problem = "There is nothing to rename." }
    guard names.reduce(0, { $0 + $1.bytes.count + 1 }) <= Self.listLimit / 2 else {
      return problem = "Those are too many names for one list; mark some of them."
    }
    if let odd = names.first(where: { $0.bytes.contains(0x0A) }) {
      return problem = "\(odd.text) has a line break in its name; R renames it alone."
    }
    let scratch = services.scratch
    run("writing the list") { [weak self, weak window] in
      do throws(CopyFailure) {
        let place = try await scratch.make()
        let file: String
        do throws(CopyFailure) {
          file = try await place.write(names.flatMap { $0.bytes + [0x0A] }, as: "names")
        } catch {
          await place.remove()
          throw error
        }
        guard let self, let window else { return await place.remove() }
        edit(names, file, place, in: directory, window)
      } catch { self?.problem = ErrorText.sentence(error, copying: directory) }
    }
  }

  private func edit(
    _ names: [FileName],
    _ file: String,
    _ place: ScratchPlace,
    in directory: RemotePath,
    _ window: Window
  ) {
    let pane = window.openHelper(
      services.editorWords(for: file),
      in: nil,
      titled: "names in \(directory.name?.text ?? directory.text)"
    ) { [weak self, weak window] _ in
      Task {
        let path = RemotePath(file) ?? directory
        // What cannot be read is told.
        let edited = try? await place.files.readSmallFile(path, limit: Self.listLimit)
        await place.remove()
        guard let self, let window else { return }
        // A list that is too long was not read to its end.
        let bytes = edited.flatMap { $0.isCut ? nil : Array($0.bytes) }
        self.preview(names, bytes, in: directory, window)
      }
    }
    if pane == nil { Task { await place.remove() } }
  }

  private func preview(
    _ names: [FileName],
    _ edited: [UInt8]?,
    in directory: RemotePath,
    _ window: Window
  ) {
    guard let edited else { return problem = "The list cannot be read; nothing was renamed." }
    guard model.directory == directory else {
      return problem = "Another directory is in front; nothing was renamed."
    }
    let plan: BatchRename
    do throws(BatchRenameProblem) {
      plan = try BatchRename(
        names,
        edited: edited,
        others: Set(model.entries.map(\.name)).subtracting(names),
        key: .random(in: 0 ... .max)
      )
    } catch {
      problem = "Nothing was renamed: \(ErrorText.words(for: error))."
      return changed()
    }
    guard !plan.changes.isEmpty else {
      return window.show(Notice(.info, "No name was changed."))
    }
    let shown = plan.changes.prefix(12).map {
      "\(FileText.exact($0.from)) → \(FileText.exact($0.to))"
    }
    let more = plan.changes.count - shown.count
    window.present(
      QuestionSheet(
        ConfirmSheet(
          title: "Rename \(FileText.count(UInt64(plan.changes.count), "entry", "entries"))?",
          lines: shown + (more > 0 ? ["and \(more) more"] : []),
          buttons: [
            ConfirmSheet.Button(id: "cancel", label: "Cancel", role: .cancel),
            ConfirmSheet.Button(id: "rename", label: "Rename", role: .plain),
          ]
        )
      ) { [weak self, weak window] answer in
        if answer == "rename", let window { self?.carryOut(plan, in: directory, window) }
      }
    )
  }

  private func carryOut(_ plan: BatchRename, in directory: RemotePath, _ window: Window) {
    guard let files else { return problem = "There is no connection." }
    run("renaming") { [weak self, weak window] in
      var done: [(from: RemotePath, to: RemotePath)] = []
      do throws(FileError) {
        for step in plan.steps {
          let (from, to) = (directory.appending(step.from), directory.appending(step.to))
          try await files.rename(from, to: to, replacing: false)
          done.append((from, to))
          self?.progress("renaming \(done.count) of \(plan.steps.count)")
        }
        window?.show(Notice(.done, "Renamed \(plan.changes.count); u takes it back."))
      } catch {
        self?.tell(error)
        if !done.isEmpty { self?.problem += " \(done.count) steps were done; u takes them back." }
      }
      guard let self else { return }
      if !done.isEmpty { undos.append(.moved(done)) }
      refresh(selecting: plan.changes.first?.to)
    }
  }

  // MARK: Owners

  /// Asks for another owner and group; what is not edited stays as each entry has it.
  func askOwner(in window: Window) {
    let chosen = model.chosen
    guard !chosen.isEmpty else { return problem = "There is nothing under the cursor." }
    let users = Set(chosen.map { ownerText($0.entry) })
    let groups = Set(chosen.map { groupText($0.entry) })
    let before = [users, groups].map { $0.count == 1 ? $0.first ?? "" : "" }
    let form = Form(
      title: "Owner of \(FileText.names(chosen.map(\.name)))",
      lines: ["Names that are in sight here, or numbers."],
      rows: [
        Form.Row("Owner", text: before[0], placeholder: users.count > 1 ? "as they are" : ""),
        Form.Row("Group", text: before[1], placeholder: groups.count > 1 ? "as they are" : ""),
      ]
    )
    window.present(
      FormSheet(form) { [weak self] texts in
        guard let self, texts.count == 2 else { return nil }
        let (user, group) = (texts[0], texts[1])
        var change = OwnerChange()
        if user != before[0], !user.isEmpty {
          change.userID = number(of: user, \.ownerName, \.userID, owners.users)
          guard change.userID != nil else {
            return "No owner here is called ‘\(user)’; type a number."
          }
        }
        if group != before[1], !group.isEmpty {
          change.groupID = number(of: group, \.groupName, \.groupID, owners.groups)
          guard change.groupID != nil else {
            return "No group here is called ‘\(group)’; type a number."
          }
        }
        if change != OwnerChange() { setOwner(change, of: chosen) }
        return nil
      }
    )
  }

  /// What a form has changed.
  private struct OwnerChange: Hashable {
    var userID: UInt32?
    var groupID: UInt32?
  }

  private func ownerText(_ entry: FileEntry) -> String {
    entry.ownerName ?? entry.attributes.userID.map { owners.users[$0] ?? String($0) } ?? ""
  }

  private func groupText(_ entry: FileEntry) -> String {
    entry.groupName ?? entry.attributes.groupID.map { owners.groups[$0] ?? String($0) } ?? ""
  }

  private func number(
    of text: String,
    _ name: KeyPath<FileEntry, String?>,
    _ number: KeyPath<FileAttributes, UInt32?>,
    _ known: [UInt32: String]
  ) -> UInt32? {
    if let number = UInt32(text) { return number }
    if let found = known.first(where: { $0.value == text }) { return found.key }
    return model.entries.first { $0[keyPath: name] == text }?.attributes[keyPath: number]
  }

  private func setOwner(_ change: OwnerChange, of rows: [FileRow]) {
    guard let files, let directory = model.directory else { return }
    run("changing owners") { [weak self] in
      var failures: [FileError] = []
      for row in rows {
        let path = directory.appending(row.name)
        do throws(FileError) {
          // A link itself, where that can be done; what it leads to was not chosen.
          let isLink = row.entry.attributes.kind == .symbolicLink
          try await files.change(
            path,
            FileAttributeChange(owner: try await Self.owner(change, at: path, of: files)),
            followingLinks: !isLink
          )
        } catch {
          failures.append(error.about(path))
          if error.isCancellation || error.endsConnection { break }
        }
      }
      self?.refresh()
      self?.tell(failures, "entries keep their owner")
    }
  }

  /// Both numbers, which go together: what is to stay is what the entry has now.
  private static func owner(
    _ change: OwnerChange,
    at path: RemotePath,
    of files: any RemoteFileSystem
  ) async throws(FileError) -> FileOwner {
    if let user = change.userID, let group = change.groupID {
      return FileOwner(userID: user, groupID: group)
    }
    let now = try await files.attributes(of: path, followingLinks: false)
    guard let user = change.userID ?? now.userID, let group = change.groupID ?? now.groupID else {
      throw FileError(.unsupported, text: "the server does not tell the owner")
    }
    return FileOwner(userID: user, groupID: group)
  }
}

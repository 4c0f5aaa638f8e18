import TermindApplication
import TermindDomain
import TermindPresentation

/// Making, renaming, changing and removing.
extension FilesController {
  // MARK: Making

  func askNewDirectory(in window: Window) {
    askName(Form(title: "New directory", rows: [Form.Row("Name")]), in: window) { [weak self] in
      self?.makeDirectory($0)
    }
  }

  func askNewFile(in window: Window) {
    askName(Form(title: "New file", rows: [Form.Row("Name")]), in: window) { [weak self] in
      self?.makeFile($0)
    }
  }

  /// Shows a form whose one line is a name, until it is one.
  private func askName(
    _ form: Form,
    in window: Window,
    _ done: @escaping (FileName) -> Void
  ) {
    window.present(
      FormSheet(form) { texts in
        do throws(FileNameProblem) {
          done(try FileName(texts.first ?? ""))
          return nil
        } catch { return Self.words(for: error) }
      }
    )
  }

  private static func words(for problem: FileNameProblem) -> String {
    switch problem {
    case .empty: "A name needs a character."
    case .reserved: "‘.’ and ‘..’ are taken."
    case .separator: "A name holds no slash."
    case .zeroByte: "A name holds no zero byte."
    }
  }

  private func makeDirectory(_ name: FileName) {
    guard let files, let path = model.path(of: name) else { return }
    run("making \(name.text)") { [weak self] in
      do throws(FileError) {
        try await files.makeDirectory(path, permissions: nil)
        self?.undos.append(.madeDirectory(path))
        self?.refresh(selecting: name)
      } catch { self?.tell(error) }
    }
  }

  private func makeFile(_ name: FileName) {
    guard let files, let path = model.path(of: name) else { return }
    run("making \(name.text)") { [weak self] in
      do throws(FileError) {
        let file = try await files.open(path, .create(permissions: nil))
        try await file.close()
        self?.refresh(selecting: name)
      } catch { self?.tell(error) }
    }
  }

  /// Makes a symbolic link to the entry under the cursor.
  func askLink(in window: Window) {
    guard let row = model.selected else { return problem = "There is nothing under the cursor." }
    let form = Form(
      title: "Link to \(row.name.text)",
      lines: ["A symbolic link beside it, by its name alone."],
      rows: [Form.Row("Name of the link")]
    )
    askName(form, in: window) { [weak self] in self?.makeLink($0, to: row.name) }
  }

  private func makeLink(_ name: FileName, to target: FileName) {
    guard let files, let path = model.path(of: name) else { return }
    run("linking") { [weak self] in
      do throws(FileError) {
        try await files.makeSymbolicLink(path, to: target.bytes)
        self?.refresh(selecting: name)
      } catch { self?.tell(error) }
    }
  }

  // MARK: Renaming

  func askName(in window: Window) {
    guard let row = model.selected else { return problem = "There is nothing under the cursor." }
    // What is no text cannot be edited as one: a new name is typed from the start.
    let isPlain = PathText.isPlain(row.name.bytes)
    let form = Form(
      title: "Rename",
      lines: isPlain ? [] : ["Now: \(row.name.text)"],
      rows: [Form.Row("Name", text: isPlain ? row.name.text : "")]
    )
    askName(form, in: window) { [weak self] in self?.rename(row.name, to: $0) }
  }

  private func rename(_ old: FileName, to new: FileName) {
    guard old != new, let files, let from = model.path(of: old), let to = model.path(of: new)
    else { return }
    run("renaming") { [weak self] in
      do throws(FileError) {
        try await files.rename(from, to: to, replacing: false)
        self?.undos.append(.moved([(from, to)]))
        self?.model.renamed(old, to: new)
        self?.refresh(selecting: new)
      } catch { self?.tell(error) }
    }
  }

  // MARK: Permissions

  func askPermissions(in window: Window) {
    let chosen = model.chosen
    guard let first = chosen.first else { return problem = "There is nothing under the cursor." }
    let attributes = first.entry.attributes
    let now = attributes.permissions ?? 0
    let names = chosen.map(\.name)
    let form = Form(
      title: "Permissions of \(FileText.names(names))",
      lines: chosen.count == 1
        ? ["Now: \(FileModeText.letters(attributes.kind, attributes.permissions))"] : [],
      rows: [
        Form.Row(
          "Mode",
          text: chosen.count == 1 ? FileModeText.octal(now) : "",
          placeholder: "644, rw-r--r-- or u+x,go-w"
        )
      ]
    )
    window.present(
      FormSheet(form) { [weak self] texts in
        let text = texts.first ?? ""
        guard FileModeText.parse(text, current: now) != nil else {
          return "Type a mode: 644, rw-r--r-- or u+x,go-w."
        }
        self?.setPermissions(text, of: chosen)
        return nil
      }
    )
  }

  private func setPermissions(_ text: String, of rows: [FileRow]) {
    guard let files, let directory = model.directory else { return }
    run("changing permissions") { [weak self] in
      var failures: [FileError] = []
      for row in rows {
        let path = directory.appending(row.name)
        do throws(FileError) {
          // A link has none of its own, and what it leads to was not chosen.
          guard row.entry.attributes.kind != .symbolicLink else {
            throw FileError(.unsupported, path: path, text: "a link has no permissions of its own")
          }
          let now: UInt32
          if let known = row.entry.attributes.permissions {
            now = known
          } else {
            now = try await files.attributes(of: path, followingLinks: false).permissions ?? 0
          }
          guard let bits = FileModeText.parse(text, current: now, isDirectory: row.isDirectory)
          else { continue }
          try await files.change(
            path,
            FileAttributeChange(permissions: bits),
            followingLinks: true
          )
        } catch {
          failures.append(error.about(path))
          if error.isCancellation || error.endsConnection { break }
        }
      }
      self?.refresh()
      self?.tell(failures, "entries keep their permissions")
    }
  }

  // MARK: Removing

  /// Asks before a removal: at once for files, after a count for directories.
  func askDeletion(in window: Window) {
    let chosen = model.chosen
    guard let files, let directory = model.directory, !chosen.isEmpty else {
      return problem = "There is nothing under the cursor."
    }
    let entries = chosen.map(\.entry)
    guard chosen.contains(where: { $0.isDirectory || $0.entry.attributes.kind == .unknown }) else {
      return confirmDeletion(entries, nil, in: window)
    }
    run("counting") { [weak self, weak window] in
      do throws(FileError) {
        let totals = try await FileTreeWalk.count(entries, in: directory, of: files) {
          [weak self] totals in
          await self?.progress("counting: \(FileText.count(totals.entries, "entry", "entries"))")
        }
        guard let self, let window, model.directory == directory else { return }
        confirmDeletion(entries, totals, in: window)
      } catch { self?.tell(error) }
    }
  }

  private func confirmDeletion(_ entries: [FileEntry], _ totals: FileTreeTotals?, in window: Window)
  {
    guard let directory = model.directory else { return }
    let names = entries.map(\.name)
    var lines: [String] = []
    if let totals {
      var counts: [String] = []
      if totals.files > 0 { counts.append(FileText.count(totals.files, "file")) }
      if totals.directories > 0 {
        counts.append(FileText.count(totals.directories, "directory", "directories"))
      }
      lines.append("\(counts.joined(separator: " in ")), \(FileText.exactSize(totals.bytes)).")
      if !totals.failures.isEmpty {
        lines.append(
          "\(totals.failures.count) could not be looked into, so there may be more: "
            + ErrorText.sentence(totals.failures[0])
        )
      }
    } else if names.count > 1 {
      lines.append(
        names.prefix(5).map(\.text).joined(separator: ", ") + (names.count > 5 ? " …" : "")
      )
    }
    lines.append("In \(directory.text) on \(target.name). Nothing brings it back.")
    if entries.contains(where: { $0.attributes.kind == .symbolicLink }) || totals != nil {
      lines.append("Links are removed themselves, never what they lead to.")
    }
    window.present(
      QuestionSheet(
        ConfirmSheet(
          title: "Delete \(FileText.names(names))?",
          lines: lines,
          buttons: [
            ConfirmSheet.Button(id: "cancel", label: "Cancel", role: .cancel),
            ConfirmSheet.Button(id: "delete", label: "Delete", role: .danger),
          ]
        )
      ) { [weak self] answer in
        if answer == "delete" { self?.delete(entries, in: directory, of: totals?.entries) }
      }
    )
  }

  private func delete(_ entries: [FileEntry], in directory: RemotePath, of count: UInt64?) {
    guard let files else { return }
    let all = count.map { " of \(FileText.grouped($0))" } ?? ""
    run("deleting") { [weak self] in
      let report = await FileTreeWalk.remove(entries, in: directory, of: files) {
        [weak self] done in
        await self?.progress("deleting \(FileText.grouped(done))\(all)")
      }
      guard let self else { return }
      if model.directory == directory { refresh() }
      if report.isStopped, report.failures.isEmpty {
        problem =
          "Stopped after \(FileText.count(report.removed, "entry", "entries")); the rest is there."
      }
      tell(report.failures, "could not be deleted")
    }
  }

  // MARK: Taking back

  func undo(in window: Window) {
    guard let files, let last = undos.popLast() else {
      return problem = "There is nothing to take back."
    }
    run("taking back") { [weak self, weak window] in
      var failures: [FileError] = []
      var text = ""
      switch last {
      case .madeDirectory(let path):
        do throws(FileError) {
          try await files.removeDirectory(path)
          text = "\(path.name?.text ?? path.text) is gone again."
        } catch { failures.append(error) }
      case .moved(let moves):
        for (from, to) in moves.reversed() {
          do throws(FileError) { try await files.rename(to, to: from, replacing: false) } catch {
            failures.append(error.about(to))
          }
        }
        text = "\(FileText.names(moves.compactMap { $0.from.name })) is back."
      }
      if case .moved(let moves) = last, let from = moves.first?.from, let self,
        from.parent == model.directory
      {
        refresh(selecting: from.name)
      } else {
        self?.refresh()
      }
      if failures.isEmpty { window?.show(Notice(.done, text)) }
      self?.tell(failures, "could not be taken back")
    }
  }
}

import TermindApplication
import TermindDomain
import TermindPresentation
import TermindRemoteInfrastructure

/// Files on their way into a directory, before anything is decided.
struct FileDrop {
  let held: HeldFiles
  let target: PaneContent.FilesTarget
  let directory: RemotePath
  let isMove: Bool
  /// What stands there under the same names.
  var taken: [FileEntry] = []
  /// How full the disk there is.
  var space: FileSystemSpace?

  /// What is carried, in a few words: `index.html (8.1 K)`.
  var what: String {
    let names = FileText.names(held.entries.map(\.name))
    let directories = held.entries.count { $0.attributes.kind == .directory }
    let size = held.size > 0 || directories == 0 ? FileText.size(held.size) : ""
    let more =
      directories == 0 ? "" : FileText.count(UInt64(directories), "directory", "directories")
    let parts = [size, more].filter { !$0.isEmpty }.joined(separator: " and ")
    return "\(names) (\(parts))"
  }

  /// Where it goes.
  var place: String { "\(target.name):\(directory.text)" }

  /// What has to be said before it begins; none when nothing is in the way.
  var warnings: [String] {
    var lines: [String] = []
    if !taken.isEmpty {
      let names = taken.prefix(5).map(\.name.text).joined(separator: ", ")
      lines.append(
        "There already: \(names)\(taken.count > 5 ? " and \(taken.count - 5) more" : "")."
      )
      lines.append("Directories of one name are merged, unless both are kept.")
    }
    if let space, held.size > space.available {
      lines.append(
        "\(FileText.size(held.size)) are to go where \(FileText.size(space.available)) are free."
      )
    }
    return lines
  }
}

/// Dropping files, with the questions that have to be asked first.
extension Window {
  /// Starts a drop; where names are taken, or the disk seems too small, the person decides first.
  func carry(_ drop: FileDrop) {
    if let refusal = FileDropCheck.refusal(drop.held, into: drop.directory, at: drop.target.place) {
      return show(Notice(.problem, refusal))
    }
    let warnings = drop.warnings
    guard !warnings.isEmpty else { return begin(drop, DropChoice(isMove: drop.isMove)) }
    var buttons = [ConfirmSheet.Button(id: "cancel", label: "Cancel", role: .cancel)]
    if drop.taken.isEmpty {
      buttons.append(ConfirmSheet.Button(id: "skip", label: "Try all the same", role: .plain))
    } else {
      buttons += [
        ConfirmSheet.Button(id: "skip", label: "Skip those", role: .plain),
        ConfirmSheet.Button(id: "keepBoth", label: "Keep both", role: .plain),
        ConfirmSheet.Button(id: "each", label: "One by one", role: .plain),
        ConfirmSheet.Button(
          id: "overwriteIfNewerOrSizeDiffers",
          label: "Newer or other size",
          role: .danger
        ),
        ConfirmSheet.Button(id: "overwrite", label: "Overwrite", role: .danger),
      ]
    }
    let question = ConfirmSheet(
      title: "\(drop.isMove ? "Move" : "Copy") \(drop.what) to \(drop.place)?",
      lines: warnings,
      buttons: buttons
    )
    present(
      QuestionSheet(question) { [weak self] answer in
        guard let self else { return }
        var choice = DropChoice(isMove: drop.isMove)
        if answer == "each" { return decide(drop, 0, choice) }
        guard let policy = ConflictPolicy(rawValue: answer) else { return }
        choice.policy = policy
        begin(drop, choice)
      }
    )
  }

  /// Asks about one taken name after the other.
  private func decide(_ drop: FileDrop, _ place: Int, _ choice: DropChoice) {
    guard drop.taken.indices.contains(place) else { return begin(drop, choice) }
    let there = drop.taken[place]
    let here = drop.held.entries.first { $0.name == there.name }
    let isMerge = there.attributes.kind == .directory && here?.attributes.kind == .directory
    var lines = ["There: \(Self.words(there))."]
    if let here { lines.append("Here: \(Self.words(here)).") }
    var buttons = [
      ConfirmSheet.Button(id: "cancel", label: "Cancel", role: .cancel),
      ConfirmSheet.Button(id: "leave", label: isMerge ? "Leave out" : "Skip", role: .plain),
      ConfirmSheet.Button(id: "keepBoth", label: "Keep both", role: .plain),
      ConfirmSheet.Button(id: "rename", label: "Rename", role: .plain),
    ]
    if isMerge { buttons.append(ConfirmSheet.Button(id: "skip", label: "Merge", role: .plain)) }
    buttons += [
      ConfirmSheet.Button(
        id: "overwriteIfNewerOrSizeDiffers",
        label: "Newer or other size",
        role: .danger
      ),
      ConfirmSheet.Button(
        id: "overwrite",
        label: isMerge ? "Merge, overwrite" : "Overwrite",
        role: .danger
      ),
    ]
    let question = ConfirmSheet(
      title: "\(there.name.text) is there already (\(place + 1) of \(drop.taken.count))",
      lines: lines,
      buttons: buttons
    )
    present(
      QuestionSheet(question) { [weak self] answer in
        guard let self else { return }
        var choice = choice
        switch answer {
        case "leave": choice.leftOut.insert(there.name)
        case "rename": return askNewName(drop, place, choice)
        default:
          guard let policy = ConflictPolicy(rawValue: answer) else { return }
          choice.policies[there.name] = policy
        }
        decide(drop, place + 1, choice)
      }
    )
  }

  private func askNewName(_ drop: FileDrop, _ place: Int, _ choice: DropChoice) {
    let name = drop.taken[place].name
    let form = Form(
      title: "Another name for \(name.text)",
      rows: [Form.Row("Name", text: name.text)]
    )
    present(
      FormSheet(form) { [weak self] texts in
        guard let new = try? FileName(texts.first ?? ""), new != name,
          !drop.held.entries.contains(where: { $0.name == new })
        else { return "Type a name that is free." }
        var choice = choice
        choice.newNames[name] = new
        let decided = choice
        // The form goes away before the next question comes.
        Task { self?.decide(drop, place + 1, decided) }
        return nil
      }
    )
  }

  private static func words(_ entry: FileEntry) -> String {
    let attributes = entry.attributes
    guard attributes.kind != .directory else { return "a directory" }
    let size = attributes.size.map { FileText.exactSize($0) } ?? FileText.kind(attributes.kind)
    return attributes.modified.map { "\(size), \(WallClock.fileTime($0))" } ?? size
  }

  private func begin(_ drop: FileDrop, _ choice: DropChoice) {
    guard drop.held.entries.contains(where: { !choice.leftOut.contains($0.name) }) else {
      return show(Notice(.info, "Nothing is left to be copied."))
    }
    server.transfers.start(drop.held, to: drop.target, drop.directory, choice)
    if let held = server.held, held.isSame(as: drop.held) { server.putDown() }
    show(Notice(.info, "\(drop.isMove ? "Moving" : "Copying") \(drop.what) to \(drop.place)."))
  }

  /// Starts a drop into a directory that no pane lists, once it was looked at.
  func look(_ drop: FileDrop) {
    show(Notice(.info, "Looking at \(drop.place) …"))
    let services = server.services
    Task { [weak self] in
      do throws(FileError) {
        let found = try await DropLook.run(drop, services)
        self?.carry(found)
      } catch {
        self?.show(Notice(.problem, ErrorText.sentence(error)))
      }
    }
  }
}

/// What stands in the way of a drop.
enum DropLook {
  /// Looks at the directory, the names that are taken in it, and its disk.
  ///
  /// - Returns: The drop with its directory resolved and what was found.
  static func run(_ drop: FileDrop, _ services: Services) async throws(FileError) -> FileDrop {
    let files: any RemoteFileSystem
    do throws(TransferOpenFailure) {
      files = try await services.openTransferEnd(drop.target)
    } catch { throw error.error }
    do throws(FileError) {
      let found = try await look(drop, files)
      await files.close()
      return found
    } catch {
      await files.close()
      throw error
    }
  }

  private static func look(
    _ drop: FileDrop,
    _ files: any RemoteFileSystem
  ) async throws(FileError) -> FileDrop {
    let directory = try await files.resolve(drop.directory)
    let attributes = try await files.attributes(of: directory, followingLinks: true)
    guard attributes.kind == .directory || attributes.kind == .unknown else {
      throw FileError(.notDirectory, path: directory)
    }
    var found = FileDrop(
      held: drop.held,
      target: drop.target,
      directory: directory,
      isMove: drop.isMove
    )
    found.taken = await taken(drop.held.entries.map(\.name), in: directory, of: files)
    // A server that does not tell leaves the question about room out.
    if files.abilities.contains(.space) { found.space = try? await files.space(at: directory) }
    return found
  }

  @concurrent
  private static func taken(
    _ names: [FileName],
    in directory: RemotePath,
    of files: any RemoteFileSystem
  ) async -> [FileEntry] {
    await withTaskGroup(of: FileEntry?.self) { group in
      for name in names {
        group.addTask {
          // What cannot be looked at shows when it is written.
          let attributes = try? await files.attributes(
            of: directory.appending(name),
            followingLinks: false
          )
          return attributes.map { FileEntry(name: name, attributes: $0) }
        }
      }
      var found: [FileName: FileEntry] = [:]
      for await case let entry? in group { found[entry.name] = entry }
      return names.compactMap { found[$0] }
    }
  }
}

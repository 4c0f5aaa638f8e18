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
  /// Entries that are to be called otherwise there.
  var newNames: [FileName: FileName] = [:]
  /// What stands there under their names, by the entries' own.
  var taken: [FileEntry] = []
  /// How full the disk there is.
  var space: FileSystemSpace?
  /// How much it is, directories looked into; nil while that is not known.
  var totals: FileTreeTotals?
  /// Whether there is more than was counted.
  var isMore = false

  /// How many bytes it is, as far as that is known.
  var size: UInt64 { totals?.bytes ?? held.size }

  /// What is carried, in a few words: `index.html (8.1 K)`, `site (1,204 files, 3.1 M)`.
  var what: String {
    let names = FileText.names(held.entries.map(\.name))
    guard let totals, totals.directories > 0 else {
      return "\(names) (\(FileText.amount(size)))"
    }
    let least = isMore ? "at least " : ""
    return "\(names) (\(least)\(FileText.count(totals.files, "file")), \(FileText.amount(size)))"
  }

  /// How much room there is, in words; nothing where the server does not tell.
  var room: String { space.map { "; \(FileText.size($0.available)) free there" } ?? "" }

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
      if taken.contains(where: { $0.attributes.kind == .directory }) {
        lines.append("Directories of one name are merged, unless both are kept.")
      }
    }
    if let space, size > space.available {
      lines.append(
        "\(FileText.size(size)) are to go where \(FileText.size(space.available)) are free."
      )
    }
    return lines
  }
}

/// Dropping files, with the questions that have to be asked first.
extension Window {
  /// Starts a drop that was looked at; where names are taken, or the disk seems too small, the person decides first.
  ///
  /// - Parameters:
  ///   - drop: What goes where.
  ///   - within: Moves within one file system, once it is decided; nil copies, and removes afterwards.
  func carry(_ drop: FileDrop, within: ((FileDrop, DropChoice) -> Void)? = nil) {
    if let refusal = FileDropCheck.refusal(drop.held, into: drop.directory, at: drop.target.place) {
      return show(Notice(.problem, refusal))
    }
    let warnings = drop.warnings
    let begin = within ?? { [weak self] in self?.begin($0, $1) }
    guard !warnings.isEmpty else {
      return begin(drop, DropChoice(isMove: drop.isMove, newNames: drop.newNames))
    }
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
    let room = drop.space.map { ["\(FileText.size($0.available)) free there."] } ?? []
    let question = ConfirmSheet(
      title: "\(drop.isMove ? "Move" : "Copy") \(drop.what) to \(drop.place)?",
      lines: warnings + (drop.taken.isEmpty ? [] : room),
      buttons: buttons
    )
    present(
      QuestionSheet(question, byItselfIn: self) { [weak self] answer in
        guard let self else { return }
        var choice = DropChoice(isMove: drop.isMove, newNames: drop.newNames)
        if answer == "each" { return decide(drop, 0, choice, begin) }
        guard let policy = ConflictPolicy(rawValue: answer) else { return }
        choice.policy = policy
        begin(drop, choice)
      }
    )
  }

  /// Asks about one taken name after the other.
  private func decide(
    _ drop: FileDrop,
    _ place: Int,
    _ choice: DropChoice,
    _ begin: @escaping (FileDrop, DropChoice) -> Void
  ) {
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
        case "rename": return askNewName(drop, place, choice, begin)
        default:
          guard let policy = ConflictPolicy(rawValue: answer) else { return }
          choice.policies[there.name] = policy
        }
        decide(drop, place + 1, choice, begin)
      }
    )
  }

  private func askNewName(
    _ drop: FileDrop,
    _ place: Int,
    _ choice: DropChoice,
    _ begin: @escaping (FileDrop, DropChoice) -> Void
  ) {
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
        Task { self?.decide(drop, place + 1, decided, begin) }
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
    let verb = drop.isMove ? "Moving" : "Copying"
    show(Notice(.info, "\(verb) \(drop.what) to \(drop.place)\(drop.room)."))
  }

  /// Starts a drop, once it was looked at: what it is, what is there already, and how much room.
  ///
  /// - Parameters:
  ///   - drop: What goes where.
  ///   - source: Its files, where they are open; nil opens them.
  ///   - target: The files there, where they are open; nil opens them.
  ///   - within: Moves within one file system, once it is decided.
  func look(
    _ drop: FileDrop,
    from source: (any RemoteFileSystem)? = nil,
    at target: (any RemoteFileSystem)? = nil,
    within: ((FileDrop, DropChoice) -> Void)? = nil
  ) {
    if let refusal = FileDropCheck.refusal(drop.held, into: drop.directory, at: drop.target.place) {
      return show(Notice(.problem, refusal))
    }
    show(Notice(.info, "Looking at \(drop.place) …"))
    let look = DropLook(drop, server.services, source, target, counts: within == nil)
    Task { [weak self] in
      do throws(FileError) {
        let found = try await look.run()
        self?.carry(found, within: within)
      } catch {
        self?.show(Notice(.problem, ErrorText.sentence(error)))
      }
    }
  }
}

import TermindApplication
import TermindDomain
import TermindPresentation

/// Two directories beside each other: what differs, making them the same, and going through both in step.
extension FilesController {
  /// The only other file pane of the workspace; what is in the way is said.
  private func other(in window: Window) -> FilesController? {
    let others = (window.workspace?.panes ?? []).compactMap { window.server.panes[$0]?.files }
      .filter { $0 !== self && $0.model.directory != nil }
    guard let other = others.first else {
      problem = "There is no other file pane in this workspace."
      return nil
    }
    guard others.count == 1 else {
      problem = "There are several other file panes; close or zoom out of all but one."
      return nil
    }
    return other
  }

  // MARK: In step

  /// Begins or ends to go through both panes in step.
  func toggleStep(in window: Window) {
    if let partner {
      partner.partner = nil
      partner.changed()
      self.partner = nil
      return window.show(Notice(.info, "Both panes go their own ways again."))
    }
    guard let other = other(in: window) else { return }
    partner = other
    other.partner = self
    other.changed()
    window.show(Notice(.done, "Both panes go into directories and out of them together."))
  }

  /// Takes the other pane along into a directory of the same name, where it has one.
  func lead(into name: FileName) {
    guard let partner, let path = partner.model.path(of: name) else { return }
    guard partner.model.entries.contains(where: { $0.name == name }) else {
      return partner.say("There is no \(name.text) here; this pane stays.")
    }
    partner.visit(path)
  }

  /// Takes the other pane along out of its directory.
  func leadUp() {
    guard let partner, let directory = partner.model.directory, let parent = directory.parent
    else { return }
    partner.visit(parent, selecting: directory.name)
  }

  private func say(_ text: String) {
    problem = text
    changed()
  }

  // MARK: Differences

  /// What two directories differ in.
  private nonisolated struct Comparison {
    let here: FileLocation
    let there: FileLocation
    let rule: TreeComparison.Rule
    var differences: [TreeDifference] = []
    var summary = TreeComparisonSummary()

    /// The most differences that are listed; all are counted.
    static let limit = 10_000

    func count(_ kinds: TreeDifference.Kind...) -> UInt64 {
      UInt64(differences.count { kinds.contains($0.kind) })
    }
  }

  private actor Differences {
    private(set) var list: [TreeDifference] = []
    private(set) var count: UInt64 = 0

    func add(_ difference: TreeDifference) -> UInt64 {
      count += 1
      if list.count < Comparison.limit { list.append(difference) }
      return count
    }
  }

  /// Compares the directory in front with that of the other pane.
  func compareDirectories(_ rule: TreeComparison.Rule = .sizeAndTime, in window: Window) {
    guard let other = other(in: window), let files, let directory = model.directory,
      let otherFiles = other.files, let otherDirectory = other.model.directory
    else { return }
    guard target.place != other.target.place || directory != otherDirectory else {
      return problem = "Both panes show the same directory."
    }
    var comparison = Comparison(
      here: FileLocation(files, directory),
      there: FileLocation(otherFiles, otherDirectory),
      rule: rule
    )
    run("comparing") { [weak self, weak window, weak other] in
      let found = Differences()
      do throws(FileError) {
        comparison.summary = try await TreeComparison.run(
          comparison.here,
          comparison.there,
          by: rule
        ) { [weak self] difference in
          let count = await found.add(difference)
          await self?.progress("comparing: \(FileText.count(count, "difference"))")
        }
        comparison.differences = await found.list
        guard let self, let window, let other else { return }
        show(comparison, other, in: window)
      } catch { self?.tell(error) }
    }
  }

  private func show(_ comparison: Comparison, _ other: FilesController, in window: Window) {
    let summary = comparison.summary
    let names = (here: target.name, there: other.target.name)
    let by = comparison.rule == .contents ? "by every byte" : "by size and time"
    var lines = [
      "Here: \(names.here):\(comparison.here.path.text)",
      "There: \(names.there):\(comparison.there.path.text)",
      "\(FileText.count(summary.same, "file")) the same \(by); \(comparison.count(.onlyInSource)) only here, "
        + "\(comparison.count(.onlyInTarget)) only there, "
        + "\(comparison.count(.size, .time, .content, .link, .otherKind)) differ.",
    ]
    if !summary.failures.isEmpty {
      lines.append("\(summary.failures.count) directories could not be looked into.")
    }
    lines += comparison.differences.prefix(8).map(Self.line)
    if summary.different > 8 { lines.append("and \(summary.different - 8) more") }
    var buttons = [ConfirmSheet.Button(id: "close", label: "Close", role: .cancel)]
    if summary.different > 0 {
      buttons += [
        ConfirmSheet.Button(id: "list", label: "List", role: .plain),
        ConfirmSheet.Button(id: "copyThere", label: "Copy there", role: .plain),
        ConfirmSheet.Button(id: "copyHere", label: "Copy here", role: .plain),
        ConfirmSheet.Button(id: "mirrorThere", label: "Mirror there", role: .danger),
        ConfirmSheet.Button(id: "mirrorHere", label: "Mirror here", role: .danger),
      ]
    }
    if comparison.rule == .sizeAndTime {
      buttons.append(ConfirmSheet.Button(id: "contents", label: "By bytes", role: .plain))
    }
    let title = FileText.count(summary.different, "difference")
    window.present(
      QuestionSheet(ConfirmSheet(title: title, lines: lines, buttons: buttons)) {
        [weak self, weak window, weak other] answer in
        guard let self, let window, let other else { return }
        decide(answer, comparison, other, in: window)
      }
    )
  }

  /// One difference in a line; the arrow leads to where something is missing.
  private static func line(_ difference: TreeDifference) -> String {
    let name = PathText.safe(Array(difference.names.map(\.bytes).joined(separator: [0x2F]))[...])
    return switch difference.kind {
    case .onlyInSource: "→ \(name) (only here)"
    case .onlyInTarget: "← \(name) (only there)"
    case .size: "≠ \(name) (size)"
    case .time: "≠ \(name) (time)"
    case .content: "≠ \(name) (bytes)"
    case .link: "≠ \(name) (leads elsewhere)"
    case .otherKind: "≠ \(name) (another kind)"
    }
  }

  private func decide(
    _ answer: String,
    _ comparison: Comparison,
    _ other: FilesController,
    in window: Window
  ) {
    switch answer {
    case "list":
      pager = FilePager(
        title: FileText.count(comparison.summary.different, "difference"),
        lines: comparison.differences.map(Self.line)
          + comparison.summary.failures.map { ErrorText.sentence($0) }
      )
      changed()
    case "contents": compareDirectories(.contents, in: window)
    case "copyThere": other.confirm(.copy, comparison, from: self, isHere: true, in: window)
    case "copyHere": confirm(.copy, comparison, from: other, isHere: false, in: window)
    case "mirrorThere": other.confirm(.mirror, comparison, from: self, isHere: true, in: window)
    case "mirrorHere": confirm(.mirror, comparison, from: other, isHere: false, in: window)
    default: break
    }
  }

  // MARK: Making both the same

  /// How far one directory is made to be as the other.
  private enum Equalizing {
    /// What is missing, newer or of another size is copied.
    case copy
    /// Everything that differs is copied, and what only the target has is deleted.
    case mirror
  }

  /// Shows what would be done to the directory of this pane, and does it when that is wanted.
  private func confirm(
    _ way: Equalizing,
    _ comparison: Comparison,
    from source: FilesController,
    isHere: Bool,
    in window: Window
  ) {
    let missing: TreeDifference.Kind = isHere ? .onlyInSource : .onlyInTarget
    let extra: TreeDifference.Kind = isHere ? .onlyInTarget : .onlyInSource
    let obstacles = comparison.differences.filter { $0.kind == .otherKind }
    // Of what only the source has, the listing tells directories and what is in them; the top of each is enough.
    let extras = comparison.differences.filter { $0.kind == extra }
    var lines = ["To: \(target.name):\(model.directory?.text ?? "")"]
    let obstructed =
      way == .mirror || !isHere ? 0 : comparison.differences.count(where: \.isObstructed)
    lines.append(
      "\(comparison.count(missing) - UInt64(obstructed)) are missing and copied; of "
        + "\(comparison.count(.size, .time, .content, .link)) that differ "
        + (way == .mirror ? "all are copied." : "those that are newer, or have another size.")
    )
    var deleted: [TreeDifference] = []
    if way == .mirror {
      guard comparison.summary.failures.isEmpty else {
        return say("Not everything could be looked into, so nothing is mirrored.")
      }
      guard comparison.summary.different <= Comparison.limit else {
        return say(
          "There are too many differences to show what would be deleted: termind mirror does it."
        )
      }
      deleted = obstacles + extras
      lines.append(deleted.isEmpty ? "Nothing is deleted." : "\(deleted.count) are deleted:")
      lines += deleted.prefix(6).map {
        "× " + PathText.safe(Array($0.names.map(\.bytes).joined(separator: [0x2F]))[...])
      }
      if deleted.count > 6 { lines.append("and \(deleted.count - 6) more") }
    } else if !obstacles.isEmpty {
      lines.append("\(obstacles.count) of another kind stay as they are.")
    }
    var policy = ConflictPolicy.overwriteIfNewerOrSizeDiffers
    if way == .mirror {
      policy = comparison.count(.content) > 0 ? .overwrite : .overwriteIfDiffers
      if policy == .overwrite {
        lines.append("Some differ in bytes alone, so every file is copied.")
      }
    }
    let label = way == .mirror ? "Mirror" : "Copy"
    window.present(
      QuestionSheet(
        ConfirmSheet(
          title: "\(label) to \(target.name)?",
          lines: lines,
          buttons: [
            ConfirmSheet.Button(id: "cancel", label: "Cancel", role: .cancel),
            ConfirmSheet.Button(id: "go", label: label, role: deleted.isEmpty ? .plain : .danger),
          ]
        )
      ) { [weak self, weak window, weak source] answer in
        guard answer == "go", let self, let window, let source else { return }
        equalize(policy, deleting: deleted, from: source, in: window)
      }
    )
  }

  private func equalize(
    _ policy: ConflictPolicy,
    deleting deleted: [TreeDifference],
    from source: FilesController,
    in window: Window
  ) {
    guard let files, let directory = model.directory, let from = source.model.directory else {
      return say("There is no connection.")
    }
    let held = HeldFiles(
      place: source.target.place,
      source: source.target,
      directory: from,
      entries: source.model.entries,
      isMove: false
    )
    run("deleting") { [weak self, weak window] in
      var failures: [FileError] = []
      for difference in deleted {
        guard let name = difference.names.last else { continue }
        let place = directory.appending(Array(difference.names.dropLast()))
        let entry = FileEntry(name: name, attributes: FileAttributes())
        let report = await FileTreeWalk.remove([entry], in: place, of: files) { _ in }
        // What went with the directory above it is gone as wished.
        failures += report.failures.filter { $0.reason != .notFound }
        if report.isStopped { break }
      }
      guard let self, let window, !Task.isCancelled else { return }
      tell(failures, "could not be deleted")
      window.server.transfers.start(
        held,
        to: target,
        directory,
        DropChoice(policy: policy)
      )
    }
  }
}

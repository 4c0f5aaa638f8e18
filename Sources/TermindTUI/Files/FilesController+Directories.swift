import TermindApplication
import TermindDomain
import TermindPresentation

/// Two directories beside each other: what differs, making them the same, and going through both in step.
extension FilesController {
  // MARK: In step

  /// Begins or ends to go through both panes in step.
  func toggleStep(in window: Window) {
    if let partner {
      partner.partner = nil
      partner.changed()
      self.partner = nil
      return window.show(Notice(.info, "Both panes go their own ways again."))
    }
    guard let other = onlyOther(in: window) else { return }
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

  /// One of two directories that were compared, and whose it is.
  private struct Side {
    let target: PaneContent.FilesTarget
    let location: FileLocation

    var text: String { "\(target.name):\(location.path.text)" }
  }

  /// What two directories differ in; what is done about it is done to them, whatever the panes show by then.
  private struct Comparison {
    let here: Side
    let there: Side
    let rule: TreeComparison.Rule
    var differences: [TreeDifference] = []
    /// What in the top of the first directory differs, or holds something that does.
    var tops: [FileName: FileAttributes] = [:]
    /// The same of the second one.
    var otherTops: [FileName: FileAttributes] = [:]
    var summary = TreeComparisonSummary()

    func count(_ kinds: TreeDifference.Kind...) -> UInt64 {
      UInt64(differences.count { kinds.contains($0.kind) })
    }

    /// The same comparison from the other side.
    var reversed: Comparison {
      var turned = Comparison(here: there, there: here, rule: rule)
      turned.differences = differences.map(\.reversed)
      (turned.tops, turned.otherTops) = (otherTops, tops)
      turned.summary = summary
      return turned
    }

    /// What a mirror of the first directory takes from the second.
    var surplus: MirrorSurplus {
      var surplus = MirrorSurplus()
      for difference in differences { surplus.take(difference) }
      return surplus
    }
  }

  private actor Differences {
    /// The most differences that are listed; all are counted.
    static let limit = 10_000

    private(set) var list: [TreeDifference] = []
    private(set) var tops: [FileName: FileAttributes] = [:]
    private(set) var otherTops: [FileName: FileAttributes] = [:]
    private(set) var count: UInt64 = 0

    func add(_ difference: TreeDifference) -> UInt64 {
      count += 1
      if list.count < Self.limit { list.append(difference) }
      if let top = difference.names.first {
        if let source = difference.source { Self.note(top, source, difference, in: &tops) }
        if let target = difference.target { Self.note(top, target, difference, in: &otherTops) }
      }
      return count
    }

    private static func note(
      _ top: FileName,
      _ attributes: FileAttributes,
      _ difference: TreeDifference,
      in tops: inout [FileName: FileAttributes]
    ) {
      guard tops[top] == nil else { return }
      // What lies deeper lies in a directory.
      tops[top] = difference.names.count == 1 ? attributes : FileAttributes(kind: .directory)
    }
  }

  /// Compares the directory in front with that of the other pane.
  func compareDirectories(_ rule: TreeComparison.Rule = .sizeAndTime, in window: Window) {
    guard let other = onlyOther(in: window), let files, let directory = model.directory,
      let otherFiles = other.files, let otherDirectory = other.model.directory
    else { return }
    guard target.place != other.target.place || directory != otherDirectory else {
      return problem = "Both panes show the same directory."
    }
    let here = Side(target: target, location: FileLocation(files, directory))
    let there = Side(target: other.target, location: FileLocation(otherFiles, otherDirectory))
    compare(here, there, rule, in: window)
  }

  private func compare(
    _ here: Side,
    _ there: Side,
    _ rule: TreeComparison.Rule,
    in window: Window
  ) {
    var comparison = Comparison(here: here, there: there, rule: rule)
    run("comparing") { [weak self, weak window] in
      let found = Differences()
      do throws(FileError) {
        comparison.summary = try await TreeComparison.run(
          here.location,
          there.location,
          by: rule
        ) { [weak self] difference in
          let count = await found.add(difference)
          await self?.progress("comparing: \(FileText.count(count, "difference"))")
        }
        comparison.differences = await found.list
        comparison.tops = await found.tops
        comparison.otherTops = await found.otherTops
        guard let self, let window else { return }
        show(comparison, in: window)
      } catch { self?.tell(error) }
    }
  }

  private func show(_ comparison: Comparison, in window: Window) {
    let summary = comparison.summary
    let by = comparison.rule == .contents ? "by every byte" : "by size and time"
    var lines = [
      "Here: \(comparison.here.text)",
      "There: \(comparison.there.text)",
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
        [weak self, weak window] answer in
        guard let self, let window else { return }
        decide(answer, comparison, in: window)
      }
    )
  }

  /// One difference in a line: `+` is what this side has alone, `−` what only the other one has.
  private static func line(_ difference: TreeDifference) -> String {
    let name = PathText.safe(Array(difference.names.map(\.bytes).joined(separator: [0x2F]))[...])
    return switch difference.kind {
    case .onlyInSource: "+ \(name) (only here)"
    case .onlyInTarget: "− \(name) (only there)"
    case .size: "≠ \(name) (size)"
    case .time: "≠ \(name) (time)"
    case .content: "≠ \(name) (bytes)"
    case .link: "≠ \(name) (leads elsewhere)"
    case .otherKind: "≠ \(name) (another kind)"
    }
  }

  private func decide(_ answer: String, _ comparison: Comparison, in window: Window) {
    switch answer {
    case "list":
      pager = FilePager(
        title: FileText.count(comparison.summary.different, "difference"),
        lines: comparison.differences.map(Self.line)
          + comparison.summary.failures.map { ErrorText.sentence($0) }
      )
      changed()
    case "contents": compare(comparison.here, comparison.there, .contents, in: window)
    case "copyThere": confirm(.copy, comparison, in: window)
    case "copyHere": confirm(.copy, comparison.reversed, in: window)
    case "mirrorThere": confirm(.mirror, comparison, in: window)
    case "mirrorHere": confirm(.mirror, comparison.reversed, in: window)
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

  /// Shows what would be done to the second directory, and does it when that is wanted.
  private func confirm(_ way: Equalizing, _ comparison: Comparison, in window: Window) {
    let surplus = comparison.surplus
    var policy = ConflictPolicy.overwriteIfNewerOrSizeDiffers
    if way == .mirror {
      guard comparison.summary.failures.isEmpty else {
        return say("Not everything could be looked into, so nothing is mirrored.")
      }
      guard comparison.summary.different <= Differences.limit else {
        return say(
          "There are too many differences to show what would be deleted: termind mirror does it."
        )
      }
      policy = comparison.count(.content) > 0 ? .overwrite : .overwriteIfDiffers
    }
    let deletes = way == .mirror && !surplus.isEmpty
    let label = way == .mirror ? "Mirror" : "Copy"
    window.present(
      QuestionSheet(
        ConfirmSheet(
          title: "\(label) to \(comparison.there.target.name)?",
          lines: Self.lines(way, comparison, surplus, policy),
          buttons: [
            ConfirmSheet.Button(id: "cancel", label: "Cancel", role: .cancel),
            ConfirmSheet.Button(id: "go", label: label, role: deletes ? .danger : .plain),
          ]
        )
      ) { [weak self, weak window] answer in
        guard answer == "go", let self, let window else { return }
        equalize(comparison, policy, deleting: way == .mirror ? surplus : nil, in: window)
      }
    )
  }

  /// What would be done.
  private static func lines(
    _ way: Equalizing,
    _ comparison: Comparison,
    _ surplus: MirrorSurplus,
    _ policy: ConflictPolicy
  ) -> [String] {
    // What lies behind something of another kind gets there only once that is away.
    let obstructed = comparison.differences.count { $0.kind == .onlyInSource && $0.isObstructed }
    let missing = comparison.count(.onlyInSource) - (way == .mirror ? 0 : UInt64(obstructed))
    var lines = ["To: \(comparison.there.text)"]
    let differing = comparison.count(.size, .time, .content, .link)
    lines.append(
      way == .mirror
        ? "Copied: \(missing) missing, \(differing) that differ."
        : "Copied: \(missing) missing; of \(differing) that differ those that are newer, or have another size."
    )
    if way == .mirror {
      let deleted = surplus.obstacles + surplus.extras
      lines.append(
        deleted.isEmpty
          ? "Nothing is deleted." : "Deleted, once all is copied: \(deleted.count)"
      )
      lines += deleted.prefix(6).map {
        "× " + PathText.safe(Array($0.names.map(\.bytes).joined(separator: [0x2F]))[...])
      }
      if deleted.count > 6 { lines.append("and \(deleted.count - 6) more") }
    } else if !surplus.obstacles.isEmpty {
      lines.append("Left as it is, of another kind: \(surplus.obstacles.count)")
    }
    if policy == .overwrite {
      lines.append("Some differ in bytes alone, so every file is copied.")
    }
    return lines
  }

  private func equalize(
    _ comparison: Comparison,
    _ policy: ConflictPolicy,
    deleting surplus: MirrorSurplus?,
    in window: Window
  ) {
    let (from, to) = (comparison.here, comparison.there)
    let held = HeldFiles(
      place: from.target.place,
      source: from.target,
      directory: from.location.path,
      entries: comparison.tops.map { FileEntry(name: $0.key, attributes: $0.value) }
        .sorted { $0.name < $1.name },
      isMove: false
    )
    var choice = DropChoice(policy: policy)
    if let surplus {
      choice.mirror = TreeMirror(
        source: from.location.path,
        target: to.location.path,
        surplus: surplus
      )
    }
    run("looking") { [weak window] in
      do throws(CopyFailure) {
        try await TreeMirror.check(
          from.location,
          to.location,
          deletes: surplus.map { !$0.isEmpty } ?? false
        )
      } catch {
        if error.reason != .cancelled {
          let text = ErrorText.sentence(error, copying: from.location.path)
          window?.show(Notice(.problem, text))
        }
        return
      }
      window?.server.transfers.start(held, to: to.target, to.location.path, choice)
    }
  }
}

import TermindApplication
import TermindDomain
import TermindPresentation

/// Finding names in all directories below the one in front.
extension FilesController {
  /// Looks for names and lists where they are; Escape stops with what was found.
  func find(_ text: String, in window: Window) {
    let isPattern = text.contains { "*?[".contains($0) }
    guard let files, let directory = model.directory,
      let pattern = FilePattern(isPattern ? text : "*\(text)*")
    else { return }
    run("finding \(text)") { [weak self, weak window] in
      let result = await FileTreeWalk.find(pattern, in: directory, of: files) { [weak self] found in
        await self?.progress(
          "finding \(text): \(FileText.grouped(UInt64(found.paths.count)))"
            + " among \(FileText.count(found.seen, "entry", "entries"))"
        )
      }
      guard let self, let window else { return }
      show(result, of: text, below: directory, in: window)
    }
  }

  private func show(
    _ result: FileSearchResult,
    of text: String,
    below directory: RemotePath,
    in window: Window
  ) {
    guard !result.paths.isEmpty else {
      return problem = "Nothing below \(directory.text) is called \(text)."
    }
    let entries = result.paths.map { path in
      // What is found is shown from the directory on in which it was looked for.
      let names = directory.names(to: path)?.map(\.text).joined(separator: "/") ?? path.text
      return ListSheet.Entry(text: names, row: ChooserRow(title: names)) { [weak self] in
        self?.visit(path.parent ?? .root, selecting: path.name)
      }
    }
    let count = FileText.count(UInt64(entries.count), "name")
    let failures = result.failures.isEmpty ? "" : ", \(result.failures.count) places were closed"
    window.present(
      ListSheet(
        WindowOverlay("found-files"),
        ChooserSheet(
          title: "\(result.isCut ? "The first " : "")\(count) with \(text)\(failures)",
          placeholder: "type to filter",
          hints: [KeyHint("enter", "go there"), KeyHint("esc", "close")]
        ),
        entries: entries
      )
    )
  }
}

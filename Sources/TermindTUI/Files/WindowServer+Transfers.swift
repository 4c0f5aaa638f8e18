import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindPresentation

/// What becomes of transfers in the windows.
extension WindowServer {
  /// Hears of transfers.
  func watchTransfers() {
    transfers.onChange = { [weak self] in
      guard let self else { return }
      for window in windows.values { window.requestFrame() }
    }
    transfers.onEnd = { [weak self] in self?.ended($0) }
  }

  private func ended(_ transfer: FileTransfers.Transfer) {
    let counts = transfer.counts
    filesChanged(at: transfer.target.place, transfer.directory, except: nil)
    if transfer.isMove {
      filesChanged(at: transfer.held.place, transfer.held.directory, except: nil)
    }
    let done = "\(FileText.count(counts.done, "file")) (\(FileText.size(counts.bytes)))"
    let verb = transfer.isMove ? "moved" : "copied"
    let place = "\(transfer.target.name):\(transfer.directory.text)"
    if counts.failureCount == 0 {
      let skipped = counts.skipCount > 0 ? ", \(counts.skipCount) left out" : ""
      for window in windows.values {
        window.show(Notice(.done, "\(done) \(verb) to \(place)\(skipped)."))
      }
    } else {
      let problem = "\(counts.failureCount) were not \(verb) to \(place); \(done) were."
      services.log.write(.warning, "transfer \(transfer.number): \(problem)")
      for window in windows.values { window.show(Notice(.problem, problem)) }
    }
    guard !counts.notes.isEmpty else { return }
    // What went wrong is read where it was dropped, else only counted above.
    let pane = panes.values.first { pane in
      pane.files?.target.place == transfer.target.place
        && pane.files?.model.directory == transfer.directory && pane.files?.pager == nil
    }
    pane?.files?.pager = FilePager(
      title: "\(counts.notes.count) notes on what was \(verb)",
      lines: counts.notes
    )
    pane?.files?.changed()
  }

  /// What is copied into the directory that a pane shows.
  func transfer(into files: FilesController) -> FileTransfers.Transfer? {
    files.model.directory.flatMap { transfers.transfer(into: $0, of: files.target.place) }
  }

  /// What runs, for the sidebar.
  var runningTransfers: [Sidebar.Running] {
    transfers.running.map { Sidebar.Running(sign: $0.sign, name: $0.name, state: $0.counts.state) }
  }
}

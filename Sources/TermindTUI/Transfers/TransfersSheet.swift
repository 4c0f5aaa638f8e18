import TermindApplication
import TermindDomain
import TermindPresentation
import TermindScreen

/// Everything that is copied, over a window.
final class TransfersSheet: Sheet {
  let overlay = WindowOverlay("transfers")
  private unowned let window: Window
  private var view = TransfersView()
  private var rows: [(screenRow: Int, place: Int)] = []

  /// Makes the sheet.
  ///
  /// - Parameters:
  ///   - window: Where it lies.
  ///   - batch: The batch that is chosen at first.
  init(_ window: Window, batch: Int? = nil) {
    self.window = window
    refresh()
    if let batch { view.select(batch: batch) }
  }

  private var transfers: FileTransfers { window.server.transfers }

  /// Takes the newest state.
  func refresh() {
    view.retryTimes = transfers.retryTimes
    view.limits = transfers.limitsText
    view.show(transfers.list)
  }

  func handle(_ key: KeyEvent) -> SheetOutcome {
    guard key.kind != .release, let command = TransfersBinding.command(of: key) else {
      return .stay
    }
    return perform(command)
  }

  private func perform(_ command: TransfersCommand) -> SheetOutcome {
    let page = max(rows.count - 1, 1)
    switch command {
    case .down: view.move(by: 1)
    case .up: view.move(by: -1)
    case .pageDown: view.move(by: page)
    case .pageUp: view.move(by: -page)
    case .first: view.choose(0)
    case .last: view.choose(.max)
    case .toggle: view.toggle(transfers.list)
    case .collapse: view.toggle(isOpen: false, transfers.list)
    case .pauseAll: transfers.pauseOrResumeAll()
    case .clearAll: transfers.clearFinished()
    case .limits: window.askTransferLimits()
    case .close: return .close
    case .pause, .retry, .cancel, .skip, .moveUp, .moveDown, .clear: performOnSelected(command)
    }
    refresh()
    return .stay
  }

  private func performOnSelected(_ command: TransfersCommand) {
    guard let line = view.selected, let batch = transfers.list.batch(line.batch) else { return }
    var row: TransferRow?
    if case .row(_, let found) = line { row = found }
    switch command {
    case .pause:
      if let row {
        guard row.isOpen else { return }
        transfers.pause(row.item.number, of: batch.number, isOn: row.state != .paused)
      } else if batch.isPaused {
        transfers.resume(batch.number)
      } else {
        transfers.pause(batch.number)
      }
    case .retry:
      transfers.retry(batch.number)
      if batch.canRetry, transfers.isOfCommand(batch.number) {
        window.show(Notice(.info, "It was a command that copied: run it again to try again."))
      }
    case .skip: if let row, row.isOpen { transfers.skip(row.item.number, of: batch.number) }
    case .moveUp, .moveDown:
      let isUp = command == .moveUp
      if let row {
        transfers.move(row.item.number, of: batch.number, up: isUp)
      } else {
        transfers.move(batch.number, up: isUp)
      }
    case .clear: transfers.clear(batch.number)
    case .cancel: if batch.isOpen { window.askToCancel(batch) }
    default: break
    }
  }

  func handle(_ mouse: MouseEvent) -> SheetOutcome {
    switch mouse.kind {
    case .wheel(.up): view.move(by: -1)
    case .wheel(.down): view.move(by: 1)
    case .press where mouse.button == .left:
      guard let hit = rows.first(where: { $0.screenRow == mouse.row }) else { return .stay }
      let wasSelected =
        view.lines.indices.contains(hit.place) && view.selected == view.lines[hit.place]
      view.choose(hit.place)
      // A click on what is chosen already opens or closes it.
      if wasSelected, case .batch = view.selected { view.toggle(transfers.list) }
    default: break
    }
    return .stay
  }

  func draw(on canvas: inout Canvas, in area: CellRectangle, _ look: Appearance) {
    refresh()
    rows = view.draw(on: &canvas, in: TransfersView.area(in: area), look)
  }
}

/// The transfers in a window.
extension Window {
  /// Shows everything that is copied.
  func showTransfers(batch: Int? = nil) { present(TransfersSheet(self, batch: batch)) }

  /// Something of a transfer has changed.
  func transfersChanged() { requestFrame() }

  /// Asks before a transfer is given up.
  func askToCancel(_ batch: TransferBatch) {
    let done = FileText.count(UInt64(batch.doneCount), "file")
    let isOne = batch.doneCount == 1
    present(
      QuestionSheet(
        ConfirmSheet(
          title: "Cancel \(TransferText.title(batch))?",
          lines: (batch.doneCount == 0
            ? []
            : ["\(done) that \(isOne ? "is" : "are") there already \(isOne ? "stays" : "stay")."])
            + ["What is under way is removed."],
          buttons: [
            ConfirmSheet.Button(id: "keep", label: "Go on", role: .cancel),
            ConfirmSheet.Button(id: "cancel", label: "Cancel transfer", role: .danger),
          ]
        )
      ) { [weak self] answer in
        if answer == "cancel" { self?.server.transfers.cancel(batch.number) }
      }
    )
  }

  /// Asks for the limits of transfers.
  func askTransferLimits() {
    let preferences = server.looks.preferences
    let form = Form(
      title: "Limits of transfers",
      lines: ["What runs goes on: files at once count for what begins, bytes a second at once."],
      rows: [
        Form.Row("Files at once", text: String(preferences.transferFiles)),
        Form.Row("Of one server", text: String(preferences.transferFilesPerServer)),
        Form.Row(
          "Bytes a second",
          text: BandwidthText.text(preferences.transferBandwidth),
          placeholder: "none, 500K, 2M"
        ),
      ]
    )
    present(
      FormSheet(form) { [weak self] texts in
        guard texts.count == 3, let self else { return nil }
        guard let total = Int(texts[0]), TransferLimits.totals.contains(total) else {
          return "Files at once is a number from 1 to 100."
        }
        guard let perHost = Int(texts[1]), TransferLimits.countsPerHost.contains(perHost),
          perHost <= total
        else { return "Of one server is a number from 1 to 50, and not more than in all." }
        guard let rate = BandwidthText.read(texts[2]) else {
          return "Bytes a second is none, or a whole number such as 500K or 2M; at least 1K."
        }
        let limits = TransferLimits(total: total, perHost: perHost)
        if let problem = server.transfers.setLimits(limits, bandwidth: rate.bytesPerSecond) {
          show(Notice(.problem, problem))
        }
        return nil
      }
    )
  }
}

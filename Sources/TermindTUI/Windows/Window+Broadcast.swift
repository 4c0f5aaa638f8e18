import TermindApplication
import TermindDomain
import TermindPresentation

/// Broadcasts by tag, and panes of one size.
extension Window {
  /// Asks for a tag of the panes' hosts; every pane whose host has it joins.
  func chooseBroadcastTag(_ panes: [Pane]) {
    func tags(_ pane: Pane) -> [String] {
      pane.content.host.flatMap { server.services.vault.contents.host($0)?.tags } ?? []
    }
    let all = Set(panes.flatMap(tags)).sorted()
    guard !all.isEmpty else {
      return show(Notice(.info, "No host in this workspace has a tag."))
    }
    let entries = all.map { tag in
      let members = panes.filter { tags($0).contains(tag) }
      let row = ChooserRow(
        title: tag,
        trailing: members.count == 1 ? "1 pane" : "\(members.count) panes"
      )
      return ListSheet.Entry(text: tag, row: row) { [weak self] in
        for pane in members { pane.isBroadcasting = true }
        self?.broadcastChanged()
      }
    }
    present(ListSheet(.chooser, ChooserSheet(title: "Broadcast to tag"), entries: entries))
  }

  /// Other panes may take part now.
  func broadcastChanged() {
    resizePanes()
    requestFrame()
  }

  /// Evens the panes of the broadcast out, or gives them their own sizes again.
  func toggleSameSize() {
    guard let workspace else { return }
    if evened.remove(workspace.id) == nil {
      guard workspace.panes.count(where: { server.panes[$0]?.isBroadcasting == true }) > 1 else {
        return show(Notice(.info, "Fewer than two panes take part in a broadcast."))
      }
      evened.insert(workspace.id)
    }
    broadcastChanged()
  }

  /// The size that the panes of the broadcast have in common; nil when each has its own.
  ///
  /// - Parameter sizes: The sizes of the areas that are shown.
  /// - Returns: The size of the smallest.
  func commonSize(_ sizes: [(pane: PaneID, size: TerminalDimensions)]) -> TerminalDimensions? {
    guard let workspace, evened.contains(workspace.id) else { return nil }
    let members = sizes.filter { server.panes[$0.pane]?.isBroadcasting == true }.map(\.size)
    guard let first = members.first else { return nil }
    return members.dropFirst().reduce(first) { least, size in
      TerminalDimensions(
        rows: min(least.rows, size.rows),
        columns: min(least.columns, size.columns),
        pixelWidth: min(least.pixelWidth, size.pixelWidth),
        pixelHeight: min(least.pixelHeight, size.pixelHeight)
      )
    }
  }
}

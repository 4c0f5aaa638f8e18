import TermindApplication
import TermindDomain
import TermindPresentation
import TermindScreen

/// Draws a whole window from its state; called once a frame.
struct WindowPainter {
  /// The destinations of the sidebar, top to bottom.
  static let destinations = [
    Sidebar.Destination(.welcome, name: "Welcome"), Sidebar.Destination(.vault, name: "Vault"),
  ]

  /// A pane as the last whole frame drew it.
  struct ShownPane {
    var area: CellRectangle
    var face: PaneFace
    /// Its screen as it was drawn over the last whole frame.
    var drawn = SurfacePainter.Drawn()
  }

  private let window: Window
  private let look: Appearance
  private let layout: WindowLayout
  private let last: Canvas?

  /// Makes a painter for one frame.
  ///
  /// - Parameters:
  ///   - window: What to draw.
  ///   - last: The frame before, when nothing lay over its panes.
  init(_ window: Window, last: Canvas? = nil) {
    self.window = window
    self.last = last
    look = window.look
    layout = window.layout
  }

  func draw(on canvas: inout Canvas) {
    canvas.cursor = nil
    canvas.fill(
      rows: layout.whole.rowRange,
      columns: layout.whole.columnRange,
      style: look.style(.text, on: .pane)
    )
    let faces = workspaceFaces
    window.targets = WindowTargets()
    window.shownPanes = []
    drawContent(on: &canvas)
    drawTabs(faces, on: &canvas)
    drawSidebar(faces, on: &canvas)
    drawStatus(on: &canvas)
    if let keys = window.whichKey {
      _ = WhichKeySheet.draw(keys, on: &canvas, in: layout.content, look)
    }
    for sheet in window.sheets { sheet.draw(on: &canvas, in: layout.whole, look) }
  }

  // MARK: Content

  private func drawContent(on canvas: inout Canvas) {
    guard let workspace = window.workspace, let split = window.split else {
      if window.model.destination == .vault {
        return window.vault.draw(on: &canvas, in: layout.content, look)
      }
      return drawWelcome(on: &canvas)
    }
    for place in split.panes {
      guard let pane = window.server.panes[place.pane] else { continue }
      let isFocused = place.pane == workspace.focus
      let face = Self.face(of: pane, in: window, isFocused: isFocused, workspace.isZoomed)
      window.shownPanes.append(ShownPane(area: place.rectangle, face: face))
      PanePainter(window, look, last: last).draw(
        pane,
        in: place.rectangle,
        isFocused: isFocused,
        on: &canvas
      )
    }
    PaneFrames.draw(split, faces: window.shownPanes.map(\.face), on: &canvas, look)
    for place in split.panes {
      guard let pane = window.server.panes[place.pane],
        let line = split.titleRectangle(of: place.pane)
      else { continue }
      if let mode = pane.copying, mode.origin == .keys {
        CopyBadge(position: mode.position).draw(on: &canvas, in: line, look)
      }
      guard pane.isFinding else { continue }
      let isFocused = place.pane == workspace.focus && window.prompt(of: place.pane) == nil
      pane.find.bar(isFocused: isFocused).draw(on: &canvas, in: line, look)
    }
  }

  /// Those panes that programs printed in, when no more than their screens differs from the last whole frame.
  ///
  /// - Parameters:
  ///   - printed: The panes that are to be drawn again.
  ///   - window: The window that shows them.
  /// - Returns: Their places among the shown panes; `nil` when all has to be drawn.
  static func shownAlike(_ printed: [PaneID], in window: Window) -> [Int]? {
    // A long message lies over the panes.
    if let notice = window.notice, notice.lines(columns: window.layout.whole.columns).count > 1 {
      return nil
    }
    var found: [Int] = []
    for id in printed {
      guard let place = window.shownPanes.firstIndex(where: { $0.face.pane == id }),
        let pane = window.server.panes[id], pane.session.state.isTyping,
        pane.prompts.current == nil, !pane.isFinding, pane.copying == nil
      else { return nil }
      let shown = window.shownPanes[place].face
      guard face(of: pane, in: window, isFocused: shown.isFocused, shown.isZoomed) == shown else {
        return nil
      }
      found.append(place)
    }
    return found
  }

  private func drawWelcome(on canvas: inout Canvas) {
    let hosts = window.welcome.matches.prefix(200).map { row in
      WelcomeScreen.Host(
        name: row.name,
        address: row.address,
        lastUsed: row.lastUsed.map { WallClock.age(since: $0) } ?? ""
      )
    }
    let keys = ExplanationKeys(retry: "enter", close: "enter")
    let problem =
      window.server.services.storeProblem.map { ErrorText.explain($0, keys: keys).paragraph }
      ?? window.welcome.problem
    let screen = WelcomeScreen(
      field: window.welcome.field,
      problem: problem,
      hosts: hosts,
      selected: window.welcome.selected,
      localShellKeys: WelcomeScreen.localShellKeys(in: window.server.looks.keymap)
    )
    window.targets.welcomeHosts = screen.draw(on: &canvas, in: layout.content, look)
  }

  private static func face(
    of pane: Pane,
    in window: Window,
    isFocused: Bool,
    _ isZoomed: Bool
  ) -> PaneFace {
    let (state, hint) = PaneText.state(pane, now: window.server.services.now)
    return PaneFace(
      pane: pane.id,
      title: PaneText.title(pane),
      host: PaneText.subtitle(pane),
      path: PaneText.detail(pane),
      state: state,
      stateHint: hint,
      isFocused: isFocused,
      isZoomed: isZoomed && isFocused,
      isBroadcasting: pane.isBroadcasting,
      isRoot: pane.content.isRoot,
      isRecording: pane.recorder != nil,
      scrolledBack: pane.scrolledBack,
      color: pane.color
    )
  }

  // MARK: Bars

  private var workspaceFaces: [WorkspaceFace] {
    window.model.workspaces.enumerated().map { place, workspace in
      let panes = workspace.panes.compactMap { window.server.panes[$0] }
      return WorkspaceFace(
        place: place + 1,
        name: workspace.isNamed
          ? workspace.name : window.server.panes[workspace.focus].map(PaneText.title) ?? "",
        paneCount: panes.count,
        hasActivity: window.activity.contains(workspace.id),
        hasBell: window.bells.contains(workspace.id),
        broadcastCount: panes.filter(\.isBroadcasting).count,
        deadCount: panes.filter { PaneText.isDead($0) }.count,
        isZoomed: workspace.isZoomed,
        colors: Self.colors(of: panes)
      )
    }
  }

  /// The colours of the hosts in panes, each once.
  private static func colors(of panes: [Pane]) -> [PaletteColor] {
    var colors: [PaletteColor] = []
    for case let color? in panes.lazy.map(\.color) where !colors.contains(color) {
      colors.append(color)
    }
    return colors
  }

  private var activePlace: Int? {
    window.model.workspaces.firstIndex { $0.id == window.workspace?.id }
  }

  private func drawTabs(_ faces: [WorkspaceFace], on canvas: inout Canvas) {
    guard !layout.tabs.isEmpty else { return }
    let lock = window.resolver.isLocked ? "⚿ " : ""
    let bar = TabBar(workspaces: faces, active: activePlace, trailing: lock + WallClock.text())
    window.targets.tabs = bar.draw(on: &canvas, in: layout.tabs, look)
  }

  private func drawSidebar(_ faces: [WorkspaceFace], on canvas: inout Canvas) {
    guard let line = layout.sidebarLine else { return }
    let active: Sidebar.Target? =
      activePlace.map { .workspace($0) }
      ?? Self.destinations.firstIndex { $0.destination == window.model.destination }.map {
        .destination($0)
      }
    let bar = Sidebar(
      destinations: Self.destinations,
      workspaces: faces,
      running: window.server.runningTransfers,
      active: active
    )
    window.targets.sidebar = bar.draw(on: &canvas, in: layout.sidebar, look)
    Sidebar.drawEdge(
      on: &canvas,
      column: line,
      rows: layout.sidebar.rowRange,
      beside: window.split,
      look
    )
  }

  private func drawStatus(on canvas: inout Canvas) {
    guard !layout.status.isEmpty else { return }
    let keymap = window.server.looks.keymap
    let pane = window.focusedPane
    let pending = window.resolver.pending
    let place =
      window.workspace.map(window.model.name(of:))
      ?? (window.model.destination == .vault ? "Vault" : "Termind")
    let isCopying = pane?.copying?.origin == .keys
    let modeHints = pane?.isFinding == true ? PaneFind.hints : isCopying ? CopyMode.hints : nil
    let broadcasting = window.workspace.map { window.broadcastPanes(of: $0).count } ?? 0
    var line = StatusLine(
      place: place,
      pane: pane.map(PaneText.title) ?? "",
      isLocked: window.resolver.isLocked,
      broadcastCount: pane?.isBroadcasting == true ? broadcasting : 0,
      scrolledBack: pane?.scrolledBack ?? 0,
      pending: pending?.prefixText ?? "",
      hints: pending.map { keys in keys.choices.map { KeyHint($0.chord.description, $0.label) } }
        ?? modeHints ?? StatusLine.hints(of: keymap, isLocked: window.resolver.isLocked),
      leader: modeHints == nil && !window.resolver.isLocked ? StatusLine.leader(of: keymap) : "",
      notice: window.notice
    )
    line.transfers = window.server.transferSummary
    if let held = window.server.held {
      line.held = held.text
      if pane?.files != nil {
        line.heldHints = [
          KeyHint("p", "drop here"), KeyHint("P", "move here"), KeyHint("esc", "put down"),
        ]
      } else if pane?.content.kind.isTerminal == true,
        let keys = keymap.keysText(for: .dropFiles)
      {
        // Where it would land matters more here than where it comes from.
        if let place = pane.flatMap(window.dropDirectory) { line.held = held.text(for: place) }
        line.heldHints = [KeyHint(keys, "drop here")]
      }
    }
    line.draw(on: &canvas, in: layout.status, look)
  }
}

import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindPresentation

/// The windows of the last session, which come back without their connections.
extension WindowServer {
  /// Brings back what was kept, and keeps what changes from then on.
  ///
  /// - Parameter file: Where it is kept.
  /// - Returns: The work, when there is something to wait for before a terminal is served.
  func restore(from file: SessionFile) -> Task<Void, Never>? {
    // A demonstration begins anew each time.
    guard !DemoHome.isAdopted(by: services.paths) else { return nil }
    guard looks.preferences.restoring != .off, file.exists else {
      beginKeeping()
      return nil
    }
    return Task {
      // Hosts have to be known, and the ways to them.
      await services.storeSettled()
      let found = await file.read()
      for problem in found.problems {
        services.log.write(.warning, "the last session: \(problem)")
      }
      if let session = found.session { bringBack(session) }
      sessionProblem = found.problems.first.map { problem in
        found.session == nil
          ? "The last session could not be read, and is kept with \(SessionFile.unreadSuffix) behind its name. \(problem)"
          : "The newest record of the last session could not be read; the one before it is shown. \(problem)"
      }
      restoring = nil
      beginKeeping()
    }
  }

  private func bringBack(_ session: SessionSnapshot) {
    let routes = services.routeBuilder(directory: "")
    for window in model.restore(session) {
      adoptRestored(window.id, unseen: window.unseen)
      for saved in window.panes {
        let (content, missing) = saved.content.content(services, routes)
        let pane = add(saved.id, content)
        pane.customName = missing
        pane.restore(saved)
      }
    }
  }

  private func beginKeeping() {
    keeper.take = { [weak self] in
      guard let self, looks.preferences.restoring != .off else {
        return SessionSnapshot(windows: [])
      }
      let withText = looks.preferences.restoring == .text
      return model.snapshot(unseen: restored) { self.panes[$0]?.saved(withText: withText) }
    }
    keeper.layoutChanged()
  }

  /// The restored window that a new terminal takes up: the one shown last that no terminal has shown since.
  func takeRestored() -> WindowID? {
    let id = model.windowsByAttachment.first {
      restored[$0] != nil && model.window($0)?.isAttached == false
    }
    guard let id else { return nil }
    model.attach(id)
    return id
  }

  /// Tells the person whose window is the first what is wrong with the last session.
  ///
  /// - Returns: Whether there was something to tell.
  @discardableResult
  func tellSessionProblem(in id: WindowID) -> Bool {
    guard let problem = sessionProblem, let window = windows[id] else { return false }
    sessionProblem = nil
    window.show(Notice(.problem, problem))
    return true
  }

  /// Tells the person who takes up a restored window what it is.
  func greet(_ id: WindowID) {
    guard !tellSessionProblem(in: id) else { return }
    let keys = looks.keymap.keysText(for: .reconnectAll).map { "; \($0) starts everything" } ?? ""
    let text = "The last session is back, without its connections\(keys)."
    // What needs the person is told rather than what is in sight anyway.
    windows[id]?.tell(Notice(.info, text))
    tellOfWork()
  }

  /// Brings back transfers and edits that an earlier server left.
  func takeUpWork() {
    Task {
      // Hosts have to be known, and the ways to them.
      await services.storeSettled()
      let routes = services.routeBuilder(directory: "")
      let edited = await edits.bringBack(routes)
      let problems = await transfers.bringBack(routes) + edited.problems
      for problem in problems { services.log.write(.warning, "work of the last time: \(problem)") }
      let waiting = transfers.list.open.count { transfers.jobs[$0.number]?.isWaiting == true }
      var texts: [String] = []
      if waiting > 0 {
        let keys = looks.keymap.keysText(for: .showTransfers).map { "; \($0) shows" } ?? ""
        let what = FileText.count(UInt64(waiting), "transfer")
        let verb = waiting == 1 ? "waits" : "wait"
        let pronoun = keys.isEmpty ? "" : waiting == 1 ? " it" : " them"
        texts.append("\(what) of the last time \(verb)\(keys)\(pronoun).")
      }
      if edited.unsaved > 0 {
        let what = FileText.count(UInt64(edited.unsaved), "edit")
        let verb = edited.unsaved == 1 ? "is" : "are"
        texts.append("\(what) of the last time \(verb) not on the server; E in a file pane shows.")
      }
      if !problems.isEmpty {
        workNotice = Notice(.problem, problems.joined(separator: " "))
      } else if !texts.isEmpty {
        workNotice = Notice(.info, texts.joined(separator: " "))
      }
      tellOfWork()
    }
  }

  /// Tells it in the window that was used last, once there is one.
  func tellOfWork() {
    guard let notice = workNotice, let window = activeWindow.flatMap({ windows[$0] }) else {
      return
    }
    workNotice = nil
    window.tell(notice)
  }
}

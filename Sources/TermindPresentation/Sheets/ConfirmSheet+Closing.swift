public import TermindApplication
import TermindDomain

extension ConfirmSheet {
  /// The question before a window is closed: what ends, what is kept, and how to keep all.
  ///
  /// Buttons: `cancel`, `close`, `detach`.
  public static func closeWindow(_ question: CloseWindowQuestion) -> ConfirmSheet {
    var lines = [ending(question.ending)]
    if let kept = work(question.kept) { lines.append("Kept: \(kept) (they belong to the app)") }
    return ConfirmSheet(
      title: "Close this window?",
      lines: lines,
      buttons: [
        Button(id: "cancel", label: "Cancel", role: .cancel),
        Button(id: "close", label: "Close window", role: .danger),
        Button(id: "detach", label: "Detach instead", role: .plain),
      ]
    )
  }

  /// The question before the server ends, naming everything that ends with it.
  ///
  /// Buttons: `cancel`, `quit`, `detach`.
  public static func quit(_ question: QuitQuestion) -> ConfirmSheet {
    var lines: [String] = []
    let windows = Set(question.ending.map(\.window)).sorted()
    for window in windows {
      let workspaces = question.ending.filter { $0.window == window }
      lines.append("Window \(window.rawValue): \(ending(workspaces))")
    }
    if windows.isEmpty { lines.append("No workspace is open.") }
    if let work = work(question.work, isQuit: true) { lines.append("Also: \(work)") }
    for name in question.work.names.prefix(5) { lines.append("  \(ErrorText.plain(name))") }
    if question.work.names.count > 5 {
      lines.append("  and \(question.work.names.count - 5) more")
    }
    return ConfirmSheet(
      title: "Quit Termind?",
      lines: lines,
      buttons: [
        Button(id: "cancel", label: "Cancel", role: .cancel),
        Button(id: "quit", label: "Quit", role: .danger),
        Button(id: "detach", label: "Detach instead", role: .plain),
      ]
    )
  }

  /// `2 workspaces end: prod (3 sessions, 1 in vim), db (1 session)`.
  private static func ending(_ workspaces: [EndingWorkspace]) -> String {
    guard !workspaces.isEmpty else { return "No workspace ends." }
    let verb = workspaces.count == 1 ? "workspace ends" : "workspaces end"
    let shown = workspaces.prefix(8).map(described)
    let more = workspaces.count > 8 ? ["and \(workspaces.count - 8) more"] : []
    return "\(workspaces.count) \(verb): " + (shown + more).joined(separator: ", ")
  }

  private static func described(_ workspace: EndingWorkspace) -> String {
    let live = workspace.livePanes
    let name = ErrorText.plain(workspace.name)
    guard !live.isEmpty else { return "\(name) (nothing runs)" }
    var parts = [count(live.count, "session")]
    var programs: [String] = []
    for program in live.compactMap(\.program) where !programs.contains(program) {
      programs.append(program)
    }
    for program in programs.prefix(3) {
      let times = live.count { $0.program == program }
      parts.append("\(times) in \(ErrorText.plain(program))")
    }
    return "\(name) (\(parts.joined(separator: ", ")))"
  }

  private static func work(_ work: AppWideWork, isQuit: Bool = false) -> String? {
    guard !work.isEmpty else { return nil }
    var parts: [String] = []
    if work.transfers > 0 {
      let what = count(work.transfers, "transfer")
      parts.append(isQuit ? "\(what) paused until the next start" : what)
    }
    if work.commands > 0 {
      let what = count(work.commands, "termind command")
      parts.append(isQuit ? "\(what) stopped" : what)
    }
    let end = isQuit ? " ended" : ""
    if work.forwardings > 0 { parts.append(count(work.forwardings, "forwarding") + end) }
    if work.monitors > 0 { parts.append(count(work.monitors, "monitor") + end) }
    if work.runs > 0 { parts.append(count(work.runs, "snippet run") + end) }
    if work.edits > 0 {
      parts.append(count(work.edits, "edit") + " not uploaded (the copies stay)")
    }
    return parts.joined(separator: ", ")
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
  }
}

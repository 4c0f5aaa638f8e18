import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindPresentation

/// Places to go to, the keys, and a terminal beside the files.
extension FilesController {
  /// Shows the bookmarks of the host, the directories above, and where one came from.
  func showPlaces(in window: Window) {
    run("looking") { [weak self, weak window] in
      await window?.server.loadBookmarks()
      guard let self, let window else { return }
      presentPlaces(in: window)
    }
  }

  private func presentPlaces(in window: Window) {
    guard let directory = model.directory else { return }
    let server = window.server
    let bookmarks = server.bookmarks.places(of: target.place)
    var entries: [ListSheet.Entry] = []
    func add(_ path: RemotePath, _ note: String, _ sign: String) {
      entries.append(
        ListSheet.Entry(
          text: "\(path.text) \(note)",
          row: ChooserRow(title: path.text, trailing: note, sign: sign, signInk: .accent)
        ) { [weak self] in self?.visit(path) }
      )
    }
    let isKept = bookmarks.contains(directory)
    entries.append(
      ListSheet.Entry(
        text: isKept ? "forget bookmark" : "add bookmark",
        row: ChooserRow(
          title: isKept ? "Forget the bookmark of this directory" : "Bookmark this directory",
          detail: directory.text,
          sign: isKept ? "−" : "+",
          signInk: .accent
        )
      ) { [weak server, target] in server?.toggleBookmark(directory, of: target.place) }
    )
    for path in bookmarks where path != directory { add(path, "bookmark", "★") }
    var above = directory.parent
    while let path = above {
      add(path, "above", "↑")
      above = path.parent
    }
    if let home, home != directory { add(home, "home", "~") }
    if let back = model.backTarget { add(back, "back", "←") }
    if let forward = model.forwardTarget { add(forward, "forward", "→") }
    window.present(
      ListSheet(
        WindowOverlay("places"),
        ChooserSheet(
          title: "Places on \(target.name)",
          placeholder: "a bookmark or a directory above",
          hints: [KeyHint("enter", "go"), KeyHint("esc", "close")]
        ),
        entries: entries,
        selected: entries.count > 1 ? 1 : 0
      )
    )
  }

  /// Shows every key of a file pane.
  func showKeys(in window: Window) {
    let bindings = FilesBinding.Group.allCases.flatMap { group in
      FilesBinding.all.filter { $0.group == group }
    }
    let entries = bindings.map { binding in
      ListSheet.Entry(
        text: "\(binding.keys.joined(separator: " ")) \(binding.label) \(binding.group.rawValue)",
        row: ChooserRow(
          title: binding.keys.joined(separator: ", "),
          detail: binding.label,
          trailing: binding.group.rawValue
        )
      ) { [weak self, weak window] in
        guard let self, let window else { return }
        perform(binding.command, in: window)
        changed()
      }
    }
    window.present(
      ListSheet(
        WindowOverlay("file-keys"),
        ChooserSheet(
          title: "Keys of files",
          placeholder: "type a key or a word",
          hints: [KeyHint("enter", "do it"), KeyHint("esc", "close")]
        ),
        entries: entries
      )
    )
  }

  /// Opens the directory in front as root sees it, in a pane beside.
  func openAsRoot(in window: Window) {
    guard target.host != nil else {
      return problem = "These are files of this machine: start Termind as root for those of root."
    }
    guard !target.isRoot else { return problem = "This pane is root's already." }
    var there = target
    there.directory = model.directory ?? target.directory
    there.isRoot = true
    window.openBeside(.files(there))
  }

  /// Opens a terminal beside the files, in their directory.
  func openTerminal(in window: Window) {
    guard let directory = model.directory else { return }
    guard let host = target.host else {
      window.openBeside(.local(.loginShell, directory: localDirectory))
      return
    }
    // A path that is no text, or ends in a blank, cannot be asked for; a host with a command of its own starts that.
    guard host.shell.command == nil, let text = String(validating: directory.bytes, as: UTF8.self),
      StartDirectory(text)?.path == text
    else {
      window.openBeside(.ssh(host), typing: Array(" cd -- ".utf8) + directory.shellWord + [0x0D])
      return
    }
    var there = host
    there.shell.directory = text
    window.openBeside(.ssh(there))
  }
}

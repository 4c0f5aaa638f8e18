import TermindApplication
import TermindDomain
import TermindPresentation
import TermindScreen

/// What each command does.
extension FilesController {
  func perform(_ command: FilesCommand, in window: Window) {
    switch command {
    case .up: model.move(by: -1)
    case .down: model.move(by: 1)
    case .pageUp: model.move(by: -page)
    case .pageDown: model.move(by: page)
    case .halfPageUp: model.move(by: -max(page / 2, 1))
    case .halfPageDown: model.move(by: max(page / 2, 1))
    case .first: model.select(0)
    case .last: model.select(model.count - 1)
    case .jumpNext: if !model.jump(to: lastJump, next: true) { problem = "No such name." }
    case .mark: model.toggleMark()
    case .markRange: model.markRange(to: model.cursor)
    case .invertMarks: model.invertMarks()
    case .markAll: model.markAll()
    case .markPattern: begin(.mark, "Mark", text: "")
    case .unmarkPattern: begin(.unmark, "Unmark", text: "")
    case .filter: begin(.filter, "/", text: model.filter.text)
    case .find: begin(.find, "Find")
    case .jump: begin(.jump, "Jump to")
    case .goToPath: begin(.path, "Go to")
    case .sort:
      model.sort(by: model.order.sort.next)
      arrange()
    case .reverse:
      model.reverse()
      arrange()
    case .hidden:
      model.toggleHidden()
      arrange()
    case .leave: leave(window)
    case .help: showKeys(in: window)
    case .copyPath: copyPath(in: window)
    case .pickUpCopy: pickUp(isMove: false, in: window)
    case .pickUpMove: pickUp(isMove: true, in: window)
    case .terminal: openTerminal(in: window)
    case .asRoot: openAsRoot(in: window)
    case .inStep: toggleStep(in: window)
    default:
      guard files != nil else { return problem = "There is no connection." }
      performConnected(command, in: window)
    }
  }

  private func performConnected(_ command: FilesCommand, in window: Window) {
    switch command {
    case .open: open()
    case .parent: goUp()
    case .back: if let target = model.backTarget { visit(target, .back) }
    case .forward: if let target = model.forwardTarget { visit(target, .forward) }
    case .home: go(to: "~")
    case .places: showPlaces(in: window)
    case .refresh: refresh()
    case .view: view()
    case .edit: edit(in: window)
    case .edits: window.server.showEdits(in: window)
    case .checksum: showDigests()
    case .compare: compare(in: window)
    case .compareDirectories: compareDirectories(in: window)
    case .batchRename: renameInEditor(window)
    case .chown: askOwner(in: window)
    case .details: showDetails(in: window)
    case .size: measure()
    case .newDirectory: askNewDirectory(in: window)
    case .newFile: askNewFile(in: window)
    case .rename: askName(in: window)
    case .chmod: askPermissions(in: window)
    case .link: askLink(in: window)
    case .delete: askDeletion(in: window)
    case .undo: undo(in: window)
    case .drop: drop(isMove: nil, in: window)
    case .dropMove: drop(isMove: true, in: window)
    case .copyAcross: carryAcross(isMove: false, in: window)
    case .moveAcross: carryAcross(isMove: true, in: window)
    default: break
    }
  }

  /// Escape: stops what runs, else takes away the filter, then the marks, then the held files.
  private func leave(_ window: Window) {
    if let work {
      work.task.cancel()
    } else if let transfer = window.server.transfer(into: self) {
      window.showTransfers(batch: transfer.number)
    } else if model.loading != nil {
      stopListing()
    } else if !problem.isEmpty {
      problem = ""
    } else if model.filter.isActive {
      model.filter(by: "")
      arrange()
    } else if !model.marks.isEmpty {
      model.clearMarks()
    } else if window.server.held != nil {
      window.server.putDown()
    }
  }

  // MARK: Going

  private func open() {
    guard let directory = model.directory else { return }
    guard let row = model.selected else {
      if model.hasParentRow { goUp() }
      return
    }
    let path = directory.appending(row.name)
    switch row.entry.attributes.kind {
    case .directory:
      visit(path)
      lead(into: row.name)
    case .symbolicLink, .unknown:
      guard let files else { return }
      run("opening") { [weak self] in
        do throws(FileError) {
          let attributes = try await files.attributes(of: path, followingLinks: true)
          if attributes.kind == .directory {
            self?.visit(path)
            self?.lead(into: row.name)
          } else {
            await self?.read(path, attributes, of: files)
          }
        } catch { self?.tell(error) }
      }
    default: view(path)
    }
  }

  private func goUp() {
    guard let directory = model.directory, let parent = directory.parent else { return }
    visit(parent, selecting: directory.name)
    leadUp()
  }

  /// Goes to a path as typed: absolute, from the home directory, or from the directory in front.
  ///
  /// What is no directory is chosen in the one that holds it.
  func go(to text: String) {
    guard let files, let path = typedPath(text) else { return }
    run("looking") { [weak self] in
      do throws(FileError) {
        let place = try await files.resolve(path)
        let attributes = try await files.attributes(of: place, followingLinks: true)
        guard let self else { return }
        if attributes.kind == .directory || attributes.kind == .unknown {
          visit(place)
        } else {
          visit(place.parent ?? .root, selecting: place.name)
        }
        if input?.kind == .path { input = nil }
      } catch {
        if self?.input?.kind == .path {
          self?.input?.line.note = ErrorText.words(for: error.reason)
        } else {
          self?.tell(error)
        }
      }
    }
  }

  /// The path that a typed text means.
  func typedPath(_ text: String) -> RemotePath? {
    let bytes = Array(text.utf8)
    if bytes.first == 0x2F { return RemotePath(bytes) }
    if bytes.first == 0x7E {
      // `~` alone and `~/…` are the home directory, also where the server does not know the sign.
      guard let home, bytes.count == 1 || bytes[1] == 0x2F else { return RemotePath(bytes) }
      return RemotePath(home.bytes + bytes.dropFirst())
    }
    guard let directory = model.directory else { return RemotePath(bytes) }
    return RemotePath(directory.bytes + [0x2F] + bytes)
  }

  /// Completes the name that is being typed, as far as it is certain.
  func completePath() {
    guard let files, let text = input?.line.field.text else { return }
    let bytes = Array(text.utf8)
    let slash = bytes.lastIndex(of: 0x2F)
    let start = slash.map { Array(bytes[...$0]) } ?? []
    let part = slash.map { Array(bytes[($0 + 1)...]) } ?? bytes
    let place =
      start.isEmpty
      ? model.directory : typedPath(String(decoding: start, as: UTF8.self)) ?? model.directory
    guard let place else { return }
    run("completing") { [weak self] in
      do throws(FileError) {
        let found = try await FileCompletion.complete(part, in: place, of: files)
        guard let self, input?.kind == .path, input?.line.field.text == text else { return }
        if found.count == 0 {
          input?.line.note = "no such name"
        } else {
          let completed = start + found.common + (found.isOneDirectory ? [0x2F] : [])
          // What is no text cannot be typed; it is left as it stands.
          if let text = String(validating: completed, as: UTF8.self) {
            input?.line.field = TextField(text)
          }
          input?.line.note = found.count > 1 ? "\(found.count) names" : ""
        }
      } catch {
        self?.input?.line.note = ErrorText.words(for: error.reason)
      }
    }
  }

  // MARK: Work

  /// Runs something that takes a while; one thing at a time in each pane.
  ///
  /// - Parameters:
  ///   - text: What the lowest line says meanwhile.
  ///   - body: The work, on the main actor between its waits.
  func run(_ text: String, _ body: @escaping @MainActor () async -> Void) {
    if let work { return problem = "Still \(work.text); esc stops it." }
    workCount += 1
    let number = workCount
    let task = Task { [weak self] in
      await body()
      // A connection that went meanwhile has ended this work, and other may run.
      guard let self, work?.number == number else { return }
      work = nil
      changed()
    }
    work = (text, number, task)
    changed()
  }

  /// Changes what the lowest line says of what runs.
  func progress(_ text: String) {
    guard work != nil else { return }
    work?.text = text
    changed()
  }

  /// Says what went wrong.
  func tell(_ error: FileError) {
    guard !error.isCancellation else { return }
    problem = ErrorText.sentence(error)
    changed()
  }

  /// Says what went wrong with several; all of it can be read.
  func tell(_ failures: [FileError], _ what: String) {
    guard let first = failures.first else { return }
    guard failures.count > 1 else { return tell(first) }
    pager = FilePager(
      title: "\(failures.count) \(what)",
      lines: failures.map { ErrorText.sentence($0) }
    )
    changed()
  }
}

/// The names that begin as a typed one does.
nonisolated enum FileCompletion {
  struct Found: Sendable {
    var count = 0
    /// The bytes that all of them begin with.
    var common: [UInt8] = []
    /// Whether there is one only, and it is a directory.
    var isOneDirectory = false
  }

  private actor Collector {
    var found = Found()
    let part: [UInt8]

    init(_ part: [UInt8]) { self.part = part }

    func take(_ batch: FileListingBatch) {
      for entry in batch.entries where entry.name.bytes.starts(with: part) {
        let name = entry.name.bytes
        found.count += 1
        found.isOneDirectory = found.count == 1 && entry.attributes.kind == .directory
        found.common =
          found.count == 1
          ? name : Array(zip(found.common, name).prefix { $0 == $1 }.map { $0.0 })
      }
    }
  }

  /// Looks through a directory for names that begin with a part.
  @concurrent
  static func complete(
    _ part: [UInt8],
    in directory: RemotePath,
    of files: any RemoteFileSystem
  ) async throws(FileError) -> Found {
    let collector = Collector(part)
    try await files.list(directory) { await collector.take($0) }
    return await collector.found
  }
}

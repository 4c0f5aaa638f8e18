import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindPresentation
import TermindRemoteInfrastructure

/// Digests of files, and the differences of two.
extension FilesController {
  /// Shows the digests of what is chosen, as `sha256sum` writes them.
  func showDigests() {
    let chosen = model.chosen.filter { !$0.isDirectory }
    guard let files, let directory = model.directory, !chosen.isEmpty else {
      return problem = "There is no file under the cursor."
    }
    run("reading") { [weak self] in
      var lines: [String] = []
      var failures: [FileError] = []
      for row in chosen {
        let path = directory.appending(row.name)
        do throws(FileError) {
          let kind = try await files.attributes(of: path, followingLinks: true).kind
          guard !kind.isSpecial else {
            throw FileError(.unsupported, text: "a \(FileText.kind(kind)) has no end")
          }
          let digest = try await FileDigest.sha256(FileLocation(files, path)) {
            [weak self] bytes in
            Task { @MainActor [weak self] in
              self?.progress("reading \(row.name.text): \(FileText.size(bytes))")
            }
          }
          lines.append("\(digest.map(Self.hexadecimal).joined())  \(row.name.text)")
        } catch {
          failures.append(error.about(path))
          if error.isCancellation || error.endsConnection { break }
        }
      }
      guard let self, !Task.isCancelled else { return }
      lines += failures.map { ErrorText.sentence($0) }
      pager = FilePager(title: "SHA-256 of \(FileText.names(chosen.map(\.name)))", lines: lines)
      changed()
    }
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }

  /// A file of a pane.
  private struct Compared {
    let files: any RemoteFileSystem
    let path: RemotePath
    let label: String
    let isLocal: Bool

    init?(_ controller: FilesController, _ row: FileRow) {
      guard let files = controller.files, let path = controller.model.path(of: row.name),
        !row.isDirectory
      else { return nil }
      self.files = files
      self.path = path
      label = "\(controller.target.name):\(path.text)"
      isLocal = controller.target.host == nil
    }

    /// The file itself on this machine, of a server a copy.
    func local(in place: ScratchPlace) async throws(CopyFailure) -> RemotePath {
      do throws(FileError) {
        let kind = try await files.attributes(of: path, followingLinks: true).kind
        guard !kind.isSpecial else {
          throw FileError(.unsupported, text: "a \(FileText.kind(kind)) has no end")
        }
      } catch { throw CopyFailure(.operation(.reading, error.about(path))) }
      if isLocal { return path }
      let copy = place.file(path.name)
      let edited = EditedFile(
        original: FileLocation(files, path),
        copy: FileLocation(place.files, copy)
      )
      _ = try await edited.fetch { _ in }
      return copy
    }
  }

  /// Shows the differences of two marked files, or of the one here and the one in the only other file pane.
  func compare(in window: Window) {
    let chosen = model.chosen
    var pair: [Compared] = chosen.compactMap { Compared(self, $0) }
    if chosen.count == 1 {
      let others = others(in: window)
      guard others.count == 1, let other = others.first, let row = other.model.selected else {
        return problem = "Mark two files, or have one other file pane beside this one."
      }
      pair += [Compared(other, row)].compactMap { $0 }
    }
    guard pair.count == 2 else { return problem = "Two files can be compared, and no directories." }
    let scratch = services.scratch
    run("fetching") { [weak self, weak window] in
      do throws(CopyFailure) {
        let places = (try await scratch.make(), try await scratch.make())
        let remove: @MainActor () async -> Void = {
          await places.0.remove()
          await places.1.remove()
        }
        do throws(CopyFailure) {
          let first = try await pair[0].local(in: places.0)
          let second = try await pair[1].local(in: places.1)
          // The copies go with the pane's program; without a pane at once.
          let pane = window?.showDifferences(
            (first, pair[0].label),
            (second, pair[1].label),
            titled: "differences of \(pair[0].path.name?.text ?? pair[0].path.text)"
          ) { _ in Task { await remove() } }
          if pane == nil { await remove() }
        } catch {
          await remove()
          throw error
        }
      } catch {
        if case .operation(_, let cause) = error.reason, cause.path != nil {
          self?.tell(cause)
        } else if error.reason != .cancelled {
          self?.problem = ErrorText.sentence(error, copying: pair[0].path)
        }
      }
    }
  }
}

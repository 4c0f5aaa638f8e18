public import TermindDomain

/// Makes a directory hold what another one holds, and nothing else, as they were compared.
///
/// Whoever uses it copies; this takes away. What stands where something of another kind goes is taken away once everything else
/// was copied, and what only the target has once all of the source is there.
public struct TreeMirror: Hashable, Sendable, Codable {
  /// What happens beside the copy.
  public enum Event: Hashable, Sendable {
    /// Something went from the target, with so many things in it.
    case removed(RemotePath, count: UInt64)
    /// Something could not be taken away.
    case notRemoved(FileError)
    /// Nothing more is taken away, since not everything was copied.
    case kept
  }

  /// The directory that is read.
  public let source: RemotePath
  /// The directory that is made to be as the other.
  public let target: RemotePath
  /// What is taken from it.
  public let surplus: MirrorSurplus

  /// Names a mirror.
  public init(source: RemotePath, target: RemotePath, surplus: MirrorSurplus) {
    self.source = source
    self.target = target
    self.surplus = surplus
  }

  // MARK: Whether it may be

  /// Makes sure that one directory may be made to be as another one.
  ///
  /// Neither may lie in the other. That a source lies in the target is also found where both are reached by two names of one
  /// server, or by two accounts: an empty directory is made in the target for a moment, and looked for above the source.
  /// - Parameters:
  ///   - source: The directory that is read, resolved.
  ///   - target: The directory that is written, resolved.
  ///   - deletes: Whether anything is taken from it; without that it may hold the source.
  ///   - isDryRun: Whether nothing may be made; then only the paths are compared.
  /// - Throws: Why not.
  @concurrent
  public static func check(
    _ source: FileLocation,
    _ target: FileLocation,
    deletes: Bool,
    isDryRun: Bool = false
  ) async throws(CopyFailure) {
    let refusal = CopyRules.refusal(
      source: source.path,
      in: source.files.place,
      target: target.path,
      in: target.files.place
    )
    if let refusal { throw CopyFailure(.refused(refusal)) }
    guard deletes else { return }
    if source.files.place == target.files.place, target.path.contains(source.path) {
      throw CopyFailure(.refused(.holdsSource))
    }
    guard !isDryRun else { return }
    let holds: Bool
    do throws(FileError) { holds = try await PlaceMark.holds(target, source) } catch {
      throw CopyFailure(error.isCancellation ? .cancelled : .operation(.writing, error))
    }
    if holds { throw CopyFailure(.refused(.holdsSource)) }
  }

  // MARK: Taking away

  /// Whether an event of the first copy is no failure: something of another kind stands there, and goes afterwards.
  public func expects(_ event: TransferEvent) -> Bool {
    guard case .missing(let root, let error) = event, error.reason == .exists else { return false }
    return surplus.obstacles.contains { target.appending($0.names) == root.target }
  }

  /// Takes away what does not belong there, once everything else was copied.
  ///
  /// What the source has got since the comparison stays, and so does what has become of another kind.
  /// - Parameters:
  ///   - from: The files of the source.
  ///   - to: Those of the target.
  ///   - wait: Returns once the next thing may go: a transfer may be paused.
  ///   - copy: Copies what had something in its way; says whether all of it is there.
  ///   - tell: Takes what happens.
  @concurrent
  public func finish(
    from: any RemoteFileSystem,
    to: any RemoteFileSystem,
    wait: @Sendable () async -> Void,
    copy: @Sendable ([CopyRoot]) async -> Bool,
    tell: @Sendable (Event) async -> Void
  ) async {
    if !surplus.obstacles.isEmpty {
      for obstacle in surplus.obstacles {
        await wait()
        guard !Task.isCancelled else { break }
        await remove(obstacle, of: to, tell)
      }
      let roots = surplus.obstacles.map {
        CopyRoot(source: source.appending($0.names), target: target.appending($0.names))
      }
      guard !Task.isCancelled, await copy(roots) else { return await tell(.kept) }
    }
    var known: (directory: [FileName], names: Set<FileName>)?
    for extra in surplus.extras {
      await wait()
      guard !Task.isCancelled else { return }
      guard let name = extra.names.last else { continue }
      let directory = Array(extra.names.dropLast())
      do throws(FileError) {
        if known?.directory != directory {
          known = (directory, try await names(in: directory, of: from))
        }
      } catch {
        await tell(.notRemoved(error))
        if error.endsConnection || error.isCancellation { return }
        continue
      }
      if known?.names.contains(name) == false { await remove(extra, of: to, tell) }
    }
  }

  /// What stands in a directory of the source now; nothing where there is none.
  private func names(
    in directory: [FileName],
    of files: any RemoteFileSystem
  ) async throws(FileError) -> Set<FileName> {
    let path = source.appending(directory)
    do throws(FileError) {
      return Set(try await FileTreeWalk.list(path, files).map(\.name))
    } catch {
      switch error.reason {
      // The top itself must be there: else nothing is known of what it should hold.
      case .notFound, .notDirectory: if !directory.isEmpty { return [] }
      default: break
      }
      throw error.about(path)
    }
  }

  private func remove(
    _ entry: MirrorSurplus.Entry,
    of files: any RemoteFileSystem,
    _ tell: @Sendable (Event) async -> Void
  ) async {
    let path = target.appending(entry.names)
    guard let directory = path.parent, let name = path.name else { return }
    do throws(FileError) {
      let now = try await files.attributes(of: path, followingLinks: false)
      guard now.kind == entry.attributes.kind || entry.attributes.kind == .unknown else { return }
    } catch {
      // What is gone is gone.
      if error.reason != .notFound { await tell(.notRemoved(error.about(path))) }
      return
    }
    let found = FileEntry(name: name, attributes: entry.attributes)
    let report = await FileTreeWalk.remove([found], in: directory, of: files) { _ in }
    if report.removed > 0 { await tell(.removed(path, count: report.removed)) }
    for failure in report.failures { await tell(.notRemoved(failure)) }
  }
}

import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindRemoteInfrastructure

/// Looks at what is dropped, and at what stands in its way.
struct DropLook {
  private let drop: FileDrop
  private let services: Services
  private let source: (any RemoteFileSystem)?
  private let target: (any RemoteFileSystem)?
  private let counts: Bool

  /// How long directories are counted; a copy that is larger begins before all of it was seen.
  private static let countLimit = Duration.seconds(2)
  /// From this number on, names are looked for in a listing rather than one by one.
  private nonisolated static let askedOneByOne = 500

  /// Makes a look.
  ///
  /// - Parameters:
  ///   - drop: What goes where.
  ///   - services: Opens what is not open.
  ///   - source: The files that are dropped, where they are open.
  ///   - target: The files there, where they are open.
  ///   - counts: Whether it matters how much it is.
  init(
    _ drop: FileDrop,
    _ services: Services,
    _ source: (any RemoteFileSystem)?,
    _ target: (any RemoteFileSystem)?,
    counts: Bool
  ) {
    self.counts = counts
    self.drop = drop
    self.services = services
    self.source = source
    self.target = target
  }

  /// Looks.
  ///
  /// - Returns: The drop with its directory resolved and what was found.
  /// - Throws: Why nothing can be dropped there.
  func run() async throws(FileError) -> FileDrop {
    var found = try await Self.with(target, drop.target, services) {
      (files) async throws(FileError) in try await look(files)
    }
    guard counts, drop.held.entries.contains(where: { $0.attributes.kind == .directory }) else {
      return found
    }
    // A source that cannot be looked at tells so when it is copied.
    let counted = try? await Self.with(source, drop.held.source, services) {
      (files) async throws(FileError) in await count(files)
    }
    if let counted {
      found.totals = counted.totals
      found.isMore = counted.isMore
    }
    return found
  }

  private static func with<Value>(
    _ open: (any RemoteFileSystem)?,
    _ target: PaneContent.FilesTarget,
    _ services: Services,
    _ body: (any RemoteFileSystem) async throws(FileError) -> Value
  ) async throws(FileError) -> Value {
    if let open { return try await body(open) }
    let files: any RemoteFileSystem
    do throws(TransferOpenFailure) {
      files = try await services.openTransferEnd(target)
    } catch { throw error.error }
    do throws(FileError) {
      let value = try await body(files)
      await files.close()
      return value
    } catch {
      await files.close()
      throw error
    }
  }

  private func look(_ files: any RemoteFileSystem) async throws(FileError) -> FileDrop {
    let directory = try await files.resolve(drop.directory)
    let attributes = try await files.attributes(of: directory, followingLinks: true)
    guard attributes.kind == .directory || attributes.kind == .unknown else {
      throw FileError(.notDirectory, path: directory)
    }
    var found = FileDrop(
      held: drop.held,
      target: drop.target,
      directory: directory,
      isMove: drop.isMove
    )
    found.newNames = drop.newNames
    let names = drop.held.entries.map { drop.newNames[$0.name] ?? $0.name }
    let there = try await Self.taken(names, in: directory, of: files)
    found.taken = drop.held.entries.compactMap { entry in
      there[drop.newNames[entry.name] ?? entry.name].map {
        FileEntry(name: entry.name, attributes: $0.attributes)
      }
    }
    // A server that does not tell leaves the question about room out.
    if files.abilities.contains(.space) { found.space = try? await files.space(at: directory) }
    return found
  }

  /// How much is dropped, as far as that can be seen in a short time.
  private func count(_ files: any RemoteFileSystem) async -> (totals: FileTreeTotals, isMore: Bool)
  {
    let held = drop.held
    let seen = Locked(FileTreeTotals())
    let counting = Task {
      // What cannot be looked into is told when it is copied.
      let totals = try? await FileTreeWalk.count(held.entries, in: held.directory, of: files) {
        totals in seen.withLock { $0 = totals }
      }
      if let totals { seen.withLock { $0 = totals } }
      return totals != nil
    }
    let timer = Task {
      // A cancelled sleep means that everything was counted.
      guard (try? await Task.sleep(for: Self.countLimit)) != nil else { return }
      counting.cancel()
    }
    let isWhole = await counting.value
    timer.cancel()
    return (seen.withLock { $0 }, !isWhole)
  }

  @concurrent
  private nonisolated static func taken(
    _ names: [FileName],
    in directory: RemotePath,
    of files: any RemoteFileSystem
  ) async throws(FileError) -> [FileName: FileEntry] {
    if names.count > askedOneByOne {
      let there = try await FileTreeWalk.list(directory, files)
      return Dictionary(there.map { ($0.name, $0) }) { first, _ in first }
    }
    return await withTaskGroup(of: FileEntry?.self) { group in
      for name in names {
        group.addTask {
          // What cannot be looked at shows when it is written.
          let attributes = try? await files.attributes(
            of: directory.appending(name),
            followingLinks: false
          )
          return attributes.map { FileEntry(name: name, attributes: $0) }
        }
      }
      var found: [FileName: FileEntry] = [:]
      for await case let entry? in group { found[entry.name] = entry }
      return found
    }
  }
}

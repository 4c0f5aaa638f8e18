import FoundationEssentials
import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindPersistence
import TermindPresentation
import TermindRemoteInfrastructure

/// The way of a request about records: to the running server, or to the store itself.
///
/// The store has one owner at a time. Without a server this process becomes the owner for the time of the
/// request, so that a server that is started meanwhile waits for it.
struct RecordRoute {
  let paths: TermindPaths
  var build = BuildVersion.current

  /// How long a server that is starting or ending is waited for.
  private static let patience = Duration.seconds(8)

  /// Asks, and waits for the answer.
  func ask(_ request: RecordRequest, _ secrets: [String: SecretBytes]) throws(ControlError)
    -> RecordResult
  {
    let end = ContinuousClock.now.advanced(by: Self.patience)
    var note = ""
    repeat {
      if let result = try askServer(request, secrets) { return result }
      switch try ownership() {
      case .success(let lock):
        defer { withExtendedLifetime(lock) {} }
        return try askStore(request, secrets)
      case .failure(let holder): note = holder.note
      }
      _ = DescriptorWait.readable([], milliseconds: 50)
    } while ContinuousClock.now < end
    throw ControlError(
      .busy,
      "A server is just starting or ending (\(note)); try again in a moment."
    )
  }

  private static func sentence(_ text: String) -> String { ControlClient.sentence(text) }

  // MARK: The server

  /// The server's answer; nil when none runs.
  private func askServer(_ request: RecordRequest, _ secrets: [String: SecretBytes])
    throws(ControlError) -> RecordResult?
  {
    var control = ControlRequest(.records(RecordQuestion(request)))
    control.secrets = secrets
    switch ControlClient.ask(control, paths, build) {
    case .records(let answer): return answer.result
    case .failed(let error):
      // The server that was found is about to end, or has just ended.
      guard error.code != .noServer, error.code != .busy else { return nil }
      throw error
    default: throw ControlError(.otherVersion, "The server's reply cannot be read.")
    }
  }

  // MARK: The store

  /// Another process that owns the store.
  private struct Holder: Error {
    let note: String
  }

  /// The ownership of the store, or who has it.
  private func ownership() throws(ControlError) -> Result<FileLock, Holder> {
    do throws(DirectoryError) { try paths.prepareAll() } catch {
      throw ControlError(.failed, Self.sentence(ProcessErrorText.text(of: error)))
    }
    let note = "process \(ProcessEnvironment.processNumber), a command on the store"
    do throws(FileLockError) {
      return .success(try FileLock(path: paths.serverLock, note: note))
    } catch {
      if case .held(let holder) = error { return .failure(Holder(note: holder)) }
      throw ControlError(.failed, Self.sentence(ProcessErrorText.text(of: .lock(error))))
    }
  }

  /// Opens the store in this process and asks it.
  private func askStore(_ request: RecordRequest, _ secrets: [String: SecretBytes])
    throws(ControlError) -> RecordResult
  {
    TaskLoops.install()
    let answers = BlockingQueue<Result<RecordResult, ControlError>>()
    Task { @concurrent [paths] in
      answers.put(await Self.answer(request, secrets, paths))
    }
    // This thread has nothing else to do until the command is done.
    return try answers.take().get()
  }

  @concurrent private nonisolated static func answer(
    _ request: RecordRequest,
    _ secrets: [String: SecretBytes],
    _ paths: TermindPaths
  ) async -> Result<RecordResult, ControlError> {
    let store: SQLiteStore
    do throws(StoreError) {
      store = try await SQLiteStore.open(at: paths.store)
    } catch {
      return .failure(ControlError(error))
    }
    let desk = RecordDesk.local(store, paths) {
      () async throws(ControlError) -> any SecretStoring in
      do throws(StoreError) {
        return try await SecretStoreChooser(
          settings: store,
          dataDirectory: paths.data,
          environment: ProcessEnvironment.all()
        ).choose()
      } catch {
        throw ControlError(error)
      }
    }
    let result: Result<RecordResult, ControlError>
    do throws(ControlError) {
      result = .success(try await desk.answer(request, secrets: secrets))
    } catch {
      result = .failure(error)
    }
    await store.close()
    return result
  }
}

extension RecordDesk {
  /// A desk on the open store of a data directory, with the files of this machine.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - paths: Where the person's themes are.
  ///   - secretStore: Gives the secret store, chosen when it is first asked for.
  /// - Returns: The desk.
  nonisolated static func local(
    _ store: SQLiteStore,
    _ paths: TermindPaths,
    secretStore: @escaping @Sendable () async throws(ControlError) -> any SecretStoring
  ) -> RecordDesk {
    let home = ProcessEnvironment.value(of: "HOME") ?? UserAccount.current()?.home ?? "/"
    return RecordDesk(
      vault: store,
      files: LocalRecordFiles(home: home),
      keyFiles: LocalKeyFiles(),
      secretStore: secretStore,
      themes: { ThemeLibrary(paths).listings().map(\.name) },
      now: SQLiteStore.systemTime
    )
  }
}

public import TermindApplication
internal import TermindDomain

/// Which servers the linked libssh2 could not reach, and why.
public struct EngineMemory: Sendable {
  private let store: any EngineLessonStoring
  private let library: String
  private let report: @Sendable (StoreError) -> Void

  /// Remembers in a store.
  ///
  /// - Parameters:
  ///   - store: Where lessons are kept.
  ///   - library: The version of libssh2; what another one could not do is not held against it.
  ///   - report: Takes why the store does not remember; the lesson is learned anew each time then.
  public init(
    store: any EngineLessonStoring,
    library: String = SSHLibrary.libssh2,
    report: @escaping @Sendable (StoreError) -> Void
  ) {
    self.store = store
    self.library = library
    self.report = report
  }

  /// Why a server needs OpenSSH, as the end of a sentence; nil when nothing is known.
  func reason(for endpoint: SSHEndpoint) async -> String? {
    do throws(StoreError) {
      guard let lesson = try await store.engineLesson(for: endpoint), lesson.library == library
      else { return nil }
      return lesson.reason
    } catch {
      report(error)
      return nil
    }
  }

  /// Remembers why a server needs OpenSSH.
  func remember(_ reason: String, for endpoint: SSHEndpoint) async {
    do throws(StoreError) {
      try await store.remember(EngineLesson(endpoint: endpoint, library: library, reason: reason))
    } catch {
      report(error)
    }
  }
}

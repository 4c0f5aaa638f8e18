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

  /// Why the server of a hop needs OpenSSH, as the end of a sentence; nil when nothing is known.
  func reason(forHop index: Int, of route: Route) async -> String? {
    do throws(StoreError) {
      let lesson = try await store.engineLesson(
        for: route.hops[index].endpoint,
        way: route.way(toHop: index)
      )
      guard let lesson, lesson.library == library else { return nil }
      return lesson.reason
    } catch {
      report(error)
      return nil
    }
  }

  /// Remembers why the host of a route needs OpenSSH.
  func remember(_ reason: String, for route: Route) async {
    let lesson = EngineLesson(
      endpoint: route.destination.endpoint,
      way: route.way(toHop: route.hops.count - 1),
      library: library,
      reason: reason
    )
    do throws(StoreError) {
      try await store.remember(lesson)
    } catch {
      report(error)
    }
  }
}

public import TermindDomain

/// What was learned about a server: its connections need the other engine.
public struct EngineLesson: Hashable, Sendable {
  /// Where the server listens, as hops name it.
  public let endpoint: SSHEndpoint
  /// The way to it, as `Route.way(toHop:)` tells it: an address behind another jump host is another server.
  public let way: String
  /// The version of the library that could not reach it; another one may.
  public let library: String
  /// Why, as the end of a sentence that names the host.
  public let reason: String

  /// Makes a lesson.
  public init(endpoint: SSHEndpoint, way: String = "", library: String, reason: String) {
    self.endpoint = endpoint
    self.way = way
    self.library = library
    self.reason = reason
  }
}

/// Keeps lessons about engines, one a server, the oldest dropped above a bound of 10,000.
///
/// A saved host that moves, is set to another engine, or is deleted takes the lessons of its addresses with it.
public protocol EngineLessonStoring: Sendable {
  /// What is known of a server on a way; nil when nothing was learned.
  func engineLesson(
    for endpoint: SSHEndpoint,
    way: String
  ) async throws(StoreError) -> EngineLesson?
  /// Keeps a lesson in the place of what was known of its server.
  func remember(_ lesson: EngineLesson) async throws(StoreError)
}

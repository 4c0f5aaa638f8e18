internal import TermindDomain

/// The directories that were listed to the end, for back and forward; a listing that fails never changes it.
struct FileHistory: Hashable, Sendable {
  private var past: [RemotePath] = []
  private var future: [RemotePath] = []
  private var present: RemotePath?

  private static let limit = 200

  var backTarget: RemotePath? { past.last }
  var forwardTarget: RemotePath? { future.last }

  /// Notes a directory that was listed to the end.
  mutating func arrived(at directory: RemotePath, _ visit: FileVisit) {
    defer { present = directory }
    guard let present, present != directory else { return }
    switch visit {
    case .refresh: break
    case .open:
      past.append(present)
      future = []
    case .back:
      if past.last == directory { past.removeLast() }
      future.append(present)
    case .forward:
      if future.last == directory { future.removeLast() }
      past.append(present)
    }
    if past.count > Self.limit { past.removeFirst() }
  }
}

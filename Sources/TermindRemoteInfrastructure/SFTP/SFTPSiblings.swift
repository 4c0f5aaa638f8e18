internal import TermindApplication
internal import TermindDomain

/// Further conversations with the same server, for large files over long lines.
///
/// A server takes about 2 MB on a channel before it says that it may have more: over a long line that is all that one
/// channel carries in each round trip, whatever the line could. They are opened when a file is first held back by that,
/// once; where they are refused, that is not tried again.
actor SFTPSiblings {
  /// How many there are beside the first conversation.
  static let count = 2

  private let first: SFTPConnection
  private let open: SFTPFileSystem.ChannelOpening
  private var opening: Task<[SFTPConnection], Never>?
  /// Ends them with the first conversation.
  private var watch: Task<Void, Never>?
  private var isClosed = false

  init(beside first: SFTPConnection, _ open: @escaping SFTPFileSystem.ChannelOpening) {
    self.first = first
    self.open = open
  }

  /// Those that answer; none where the server opens no more.
  func connections() async -> [SFTPConnection] {
    guard !isClosed else { return [] }
    let task = opening ?? Task { await openAll() }
    opening = task
    var alive: [SFTPConnection] = []
    for connection in await task.value where await connection.failure == nil {
      alive.append(connection)
    }
    return alive
  }

  private func openAll() async -> [SFTPConnection] {
    let opened = await withTaskGroup(of: SFTPConnection?.self) { [open] group in
      for _ in 0..<Self.count {
        group.addTask {
          // What is refused here is no failure of any copy: it goes on over what there is.
          try? await SFTPFileSystem.converse(within: .seconds(30), open).0
        }
      }
      return await group.reduce(into: [SFTPConnection]()) { opened, connection in
        if let connection { opened.append(connection) }
      }
    }
    guard !isClosed else {
      await Self.end(opened)
      return []
    }
    watch = Task { [first] in
      _ = await first.waitUntilOver()
      await self.close()
    }
    return opened
  }

  /// Ends them.
  func close() async {
    isClosed = true
    opening?.cancel()
    if let task = opening { await Self.end(await task.value) }
    opening = nil
  }

  private static func end(_ connections: [SFTPConnection]) async {
    for connection in connections { await connection.fail(FileError(.connectionLost("closed"))) }
  }
}

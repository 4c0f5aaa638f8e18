internal import TermindDomain

/// Reads and searches known_hosts files on a thread of its own.
struct KnownHostsReader: Sendable {
  private static let maximumByteCount = 64 << 20

  let paths: [String]

  func search(
    for endpoint: SSHEndpoint
  ) async -> (entries: [HostKeyKnowledge.Entry], notes: [KnownHostsNote]) {
    let paths = paths
    return await BlockingWork.run { _ in Self.search(paths, for: endpoint) }
  }

  private static func search(
    _ paths: [String],
    for endpoint: SSHEndpoint
  ) -> (entries: [HostKeyKnowledge.Entry], notes: [KnownHostsNote]) {
    var entries: [HostKeyKnowledge.Entry] = []
    var notes: [KnownHostsNote] = []
    for path in paths {
      let text: [UInt8]
      do throws(LocalFileError) {
        text = try LocalFile.read(path, limit: maximumByteCount).bytes.copyBytes()
      } catch .absent {
        continue
      } catch {
        notes.append(KnownHostsNote(path: path, line: 0, reason: error.reason))
        continue
      }
      let file = KnownHostsFile(path: path, text: text)
      let exact = file.search(for: KnownHostsFile.name(of: endpoint))
      notes += exact.notes
      entries += exact.entries.map { entry in
        HostKeyKnowledge.Entry(marker: entry.marker, key: entry.key, source: path)
      }
      guard endpoint.port != 22 else { continue }
      // OpenSSH also accepts a key that it knows for the host without the port.
      let portless = file.search(for: KnownHostsFile.name(of: SSHEndpoint(host: endpoint.host)))
      entries += portless.entries.map { entry in
        HostKeyKnowledge.Entry(
          marker: entry.marker,
          key: entry.key,
          source: path,
          isPortless: true
        )
      }
    }
    return (entries, notes)
  }
}

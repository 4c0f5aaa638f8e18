import FoundationEssentials
import TermindDomain
import TermindRemoteInfrastructure

/// Finds host keys whose host is kept as a hash only.
nonisolated struct HashedNames: Sendable {
  /// The places of the hashed records; the lines of `file` are in this order.
  private let places: [Int]
  private let file: KnownHostsFile

  /// Takes all host keys.
  init(_ records: [KnownHostRecord]) {
    let places = records.indices.filter { place in
      if case .hashed = records[place].names { return true }
      return false
    }
    let text = places.map { place in
      let key = records[place].key
      return "\(records[place].names.text) \(key.type) \(Data(key.blob).base64EncodedString())\n"
    }.joined()
    self.places = places
    file = KnownHostsFile(path: "", text: Array(text.utf8))
  }

  /// Whether there is no hashed record.
  var isEmpty: Bool { places.isEmpty }

  /// The records that are about a typed host; each of them has to be hashed anew for it.
  ///
  /// - Parameter query: A host name or address, with `:port` when it is not 22.
  /// - Returns: Their places among all host keys.
  @concurrent func places(of query: String) async -> Set<Int> {
    let name = query.lowercased()
    guard !name.isEmpty, name.allSatisfy({ !$0.isWhitespace }) else { return [] }
    var wanted = [Array(name.utf8)]
    // What is no target is looked for as it is.
    if let target = try? ConnectTarget(parsing: name), let port = target.port {
      wanted.append(KnownHostsFile.name(of: SSHEndpoint(host: target.host, port: port)))
    }
    var found: Set<Int> = []
    for name in wanted {
      for entry in file.search(for: name).entries where places.indices.contains(entry.line - 1) {
        found.insert(places[entry.line - 1])
      }
    }
    return found
  }
}

import TermindDomain

/// Hosts that are named in one field.
nonisolated enum HostWords {
  /// Why a text names no hosts.
  struct Problem: Error {
    /// One sentence.
    let sentence: String
  }

  /// The hosts of a text: names and `#tags` with commas between, each host once.
  static func hosts(
    _ text: String,
    among all: [HostRecord]
  ) -> Result<[HostRecord], Problem> {
    var found: [HostRecord] = []
    for part in text.split(separator: ",") {
      let word = String(part).trimmed
      guard !word.isEmpty else { continue }
      let tag = word.hasPrefix("#") ? String(word.dropFirst()) : nil
      let hosts = all.filter { host in tag.map { host.tags.contains($0) } ?? (host.name == word) }
      guard !hosts.isEmpty else {
        return .failure(
          Problem(
            sentence: tag == nil ? "There is no host '\(word)'." : "No host has the tag \(word)."
          )
        )
      }
      for host in hosts where !found.contains(where: { $0.id == host.id }) { found.append(host) }
    }
    return found.isEmpty ? .failure(Problem(sentence: "Which hosts?")) : .success(found)
  }
}

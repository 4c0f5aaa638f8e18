public import TermindDomain

/// Whole known_hosts files as records of the vault, and back.
public enum KnownHostsText {
  /// The most bytes of one file.
  public static let maximumByteCount = 64 << 20
  /// The most lines that become records.
  public static let maximumRecords = 100_000

  /// What a file holds.
  public struct Content: Sendable {
    /// The lines as records; a plain line with several literal names becomes one record for each.
    public let records: [KnownHostRecord]
    /// Lines that were skipped, at most `KnownHostsFile.maximumNotes`.
    public let notes: [KnownHostsNote]
  }

  /// Reads the text of a file.
  ///
  /// - Parameters:
  ///   - text: The text; too much of it is a note.
  ///   - path: Where it comes from.
  ///   - time: Since when its keys count as trusted, seconds since 1970.
  /// - Returns: Records and notes.
  public static func read(_ text: [UInt8], path: String, time: Int64) -> Content {
    var records: [KnownHostRecord] = []
    var notes: [KnownHostsNote] = []
    func note(_ line: Int, _ reason: String) {
      guard notes.count < KnownHostsFile.maximumNotes else { return }
      notes.append(KnownHostsNote(path: path, line: line, reason: reason))
    }
    guard text.count <= maximumByteCount else {
      note(0, "too large (\(text.count) bytes)")
      return Content(records: [], notes: notes)
    }
    var rest = text[...]
    var number = 0
    while !rest.isEmpty {
      let line = rest.prefix { $0 != 0x0a }
      rest = rest[line.endIndex...].dropFirst()
      number += 1
      guard records.count < maximumRecords else {
        note(number, "only \(maximumRecords) lines are read")
        break
      }
      do throws(KnownHostsLineError) {
        guard let fields = try KnownHostsLine(line) else { continue }
        let key = try fields.decodeKey()
        for names in try names(of: fields) {
          records.append(
            KnownHostRecord(
              names: names,
              marker: KnownHostMarker(fields.marker),
              key: key,
              comment: visible(String(decoding: fields.comment, as: UTF8.self)),
              since: time
            )
          )
        }
      } catch {
        note(number, error.reason)
      }
    }
    return Content(records: records, notes: notes)
  }

  /// Writes records as OpenSSH reads them, one line each.
  public static func text(_ records: [KnownHostRecord]) -> String {
    records.map(line).joined()
  }

  private static func line(_ record: KnownHostRecord) -> String {
    var fields: [String] = []
    switch record.marker {
    case .trusted: break
    case .revoked: fields.append("@revoked")
    case .certificateAuthority: fields.append("@cert-authority")
    }
    // What an earlier version let in reaches no terminal, and nothing else takes its place.
    guard !FieldRules.hasInvisible(record.names.text) else {
      return "# left out: a host name with characters that cannot be seen\n"
    }
    let key = Base64Codec.encodeUnpadded(record.key.blob)
    let padding = String(repeating: "=", count: (4 - key.utf8.count % 4) % 4)
    fields += [record.names.text, record.key.type, key + padding]
    let comment = visible(record.comment)
    if !comment.isEmpty { fields.append(comment) }
    return fields.joined(separator: " ") + "\n"
  }

  /// A comment in one line, without what could act on a terminal; a line break would begin a line of its own.
  private static func visible(_ comment: String) -> String {
    let line = comment.split(whereSeparator: \.isNewline).joined(separator: " ")
    guard FieldRules.hasInvisible(line) else { return line }
    return String(String.UnicodeScalarView(line.unicodeScalars.filter(FieldRules.isVisible)))
  }

  private static func names(
    of line: KnownHostsLine
  ) throws(KnownHostsLineError) -> [KnownHostNames] {
    guard let text = String(validating: line.hosts, as: UTF8.self) else {
      throw KnownHostsLineError(reason: "the host names are not UTF-8")
    }
    guard !FieldRules.hasInvisible(text) else {
      throw KnownHostsLineError(reason: "the host names have characters that cannot be seen")
    }
    if line.hosts.first == 0x7c {
      guard HashedHost(line.hosts) != nil else {
        throw KnownHostsLineError(reason: "unreadable hashed host name")
      }
      return [.hashed(text)]
    }
    let parts = text.split(separator: ",")
    let isLiteral = !text.contains { "*?!".contains($0) }
    guard isLiteral, line.marker == .none || parts.count == 1 else { return [.patterns(text)] }
    var names: [KnownHostNames] = []
    for part in parts {
      guard let endpoint = endpoint(part) else {
        throw KnownHostsLineError(reason: "unreadable host name")
      }
      names.append(.endpoint(endpoint))
    }
    guard !names.isEmpty else { throw KnownHostsLineError(reason: "unreadable host name") }
    return names
  }

  /// `host` or `[host]:port`.
  static func endpoint(_ text: Substring) -> SSHEndpoint? {
    let text = text.lowercased()
    guard text.hasPrefix("[") else { return SSHEndpoint(host: text) }
    guard let end = text.firstRange(of: "]:"), let port = UInt16(text[end.upperBound...]), port > 0
    else { return nil }
    let host = text[text.index(after: text.startIndex)..<end.lowerBound]
    return host.isEmpty ? nil : SSHEndpoint(host: String(host), port: port)
  }
}

extension KnownHostMarker {
  init(_ marker: KnownHostsMarker) {
    self =
      switch marker {
      case .none: .trusted
      case .revoked: .revoked
      case .certificateAuthority: .certificateAuthority
      }
  }
}

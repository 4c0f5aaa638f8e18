public import TermindDomain

/// Records that are only read: host keys, and what was connected to.
public enum VaultDetails {
  /// What is known of a host key.
  ///
  /// - Parameters:
  ///   - known: The record.
  ///   - since: When it was first trusted, as a date.
  ///   - age: How long ago that was.
  ///   - names: The typed names that a hashed name was found by.
  /// - Returns: A form to read.
  public static func form(
    _ known: KnownHostRecord,
    since: String,
    age: String,
    names: [String] = []
  ) -> RecordForm {
    var fields: [FormField] = []
    switch known.names {
    case .endpoint(let endpoint):
      fields.append(FormField("host", "Host", .info(endpoint.host)))
      fields.append(FormField("port", "Port", .info(String(endpoint.port))))
    case .patterns(let text): fields.append(FormField("host", "Hosts", .info(text)))
    case .hashed(let text):
      let found =
        names.isEmpty
        ? "hashed; type a name into the filter to find it" : names.joined(separator: ", ")
      fields.append(FormField("host", "Host", .info(found)))
      fields.append(FormField("hash", "Hash", .info(text)))
    }
    let meaning =
      switch known.marker {
      case .trusted: "trusted"
      case .revoked: "revoked: never accepted"
      case .certificateAuthority: "signs the certificates of these hosts"
      }
    fields += [
      FormField("meaning", "Meaning", .info(meaning)),
      FormField("type", "Type", .info(KeyRecord.algorithmName(known.key.type))),
      FormField("fingerprint", "Fingerprint", .info(known.key.fingerprint)),
      FormField("since", "Since", .info("\(since) (\(age))")),
    ]
    if !known.comment.isEmpty {
      fields.append(FormField("comment", "Comment", .info(known.comment)))
    }
    return RecordForm(title: names.first ?? known.title, fields: fields)
  }

  /// What is known of a connection.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - contents: The vault.
  ///   - started: When it began, as a date.
  ///   - age: How long ago that was.
  /// - Returns: A form to read.
  public static func form(
    _ event: ConnectionEvent,
    _ contents: VaultContents,
    started: String,
    age: String
  ) -> RecordForm {
    let host = event.host.flatMap(contents.host)
    var fields = [
      FormField("target", "Target", .info(event.target)),
      FormField("host", "Host", .info(host?.name ?? ""), hint: "none that is saved"),
      FormField("kind", "Opened", .info(event.kind == .files ? "files" : "a terminal")),
      FormField("started", "Began", .info("\(started) (\(age))")),
    ]
    let outcome: String
    switch event.outcome {
    case .connected:
      outcome =
        event.ended.map { "connected for \(AgeText.duration($0 - event.started))" } ?? "connected"
    case .failed(let word): outcome = "failed: \(word)"
    case .cancelled: outcome = "given up"
    }
    fields.append(FormField("outcome", "Outcome", .info(outcome)))
    return RecordForm(title: host?.name ?? event.target, fields: fields)
  }
}

/// Where a secret of a command line is read from; never from the command line itself.
nonisolated enum SecretSource: Hashable, Sendable {
  /// The terminal, without showing it.
  case prompt
  /// A descriptor that the shell opened; to its end, without one newline there.
  case descriptor(Int32)

  /// The secrets that records of a kind have.
  static func fields(of kind: RecordKind) -> [String] {
    switch kind {
    case .identity: ["password"]
    case .key: ["passphrase"]
    case .host, .knownHost, .snippet, .template: []
    }
  }

  private static let words: Set<String> = ["password", "passphrase", "pass", "pw", "secret"]

  /// Refuses an option that would carry a secret in plain sight.
  static func refuseSpokenSecret(_ option: String) throws(UsageError) {
    guard words.contains(String(option.drop { $0 == "-" }).lowercased()) else { return }
    throw UsageError(
      "\(option) is refused, since other users can see command lines;"
        + " a secret is read from a prompt (--ask-password) or a descriptor (--password-fd N)"
    )
  }

  /// Reads `--ask-FIELD` and `--FIELD-fd N`; nil for any other option.
  static func read(
    _ option: String,
    _ given: String?,
    _ fields: [String],
    _ reader: inout ArgumentReader
  ) throws(UsageError) -> (field: String, source: SecretSource)? {
    for field in fields {
      if option == "--ask-\(field)" {
        try ArgumentReader.refuseValue(of: option, given)
        return (field, .prompt)
      }
      if option == "--\(field)-fd" {
        return (field, .descriptor(Int32(try reader.number(of: option, given, in: 0...1023))))
      }
    }
    return nil
  }
}

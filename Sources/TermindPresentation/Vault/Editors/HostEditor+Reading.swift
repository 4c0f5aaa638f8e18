import TermindDomain

/// What is typed, as a record.
extension HostEditor {
  /// Reads the form; what cannot be read keeps what it had.
  ///
  /// - Parameter includesNotes: Whether the notes are read too. They may be long, and nothing that is typed
  ///   there is wrong, so that the checks at every key do without them.
  /// - Returns: The record, and the fields that could not be read.
  func read(
    includesNotes: Bool
  ) -> (record: HostRecord, unread: [HostField: FieldProblem]) {
    var record = original
    var unread: [HostField: FieldProblem] = [:]
    func take(_ field: HostField, _ body: (String) throws(FieldProblem) -> Void) {
      guard form.isChanged(field.rawValue) else { return }
      do throws(FieldProblem) {
        try body(form.text(field.rawValue))
      } catch {
        unread[field] = error
      }
    }
    let kind = chosenProtocol
    record.connectionProtocol = kind
    var port = original.endpoint.port
    if kind != original.connectionProtocol, form.text(Field.port).isEmpty {
      port = kind.defaultPort
    }
    var address = original.endpoint.host
    take(.address) { text throws(FieldProblem) in
      address = text
      address = try FieldText.address(text)
    }
    take(.port) { text throws(FieldProblem) in
      port = text.isEmpty ? kind.defaultPort : try FieldText.port(text)
    }
    record.endpoint = SSHEndpoint(host: address, port: port)
    take(.name) { text throws(FieldProblem) in record.name = text.trimmed }
    take(.username) { text throws(FieldProblem) in record.username = text.trimmed }
    take(.tags) { text throws(FieldProblem) in record.tags = FieldText.tags(text) }
    take(.startDirectory) { text throws(FieldProblem) in record.startDirectory = text }
    take(.environment) { text throws(FieldProblem) in
      record.environment = try FieldText.environment(text)
    }
    if includesNotes { take(.notes) { text throws(FieldProblem) in record.notes = text } }
    take(.keyFiles) { text throws(FieldProblem) in
      record.keyFiles = text.split(whereSeparator: \.isNewline)
        .map { String($0).trimmed }.filter { !$0.isEmpty }
    }
    take(.keepAlive) { text throws(FieldProblem) in
      record.keepAliveSeconds =
        text.isEmpty ? nil : try FieldText.number(text, in: HostRecord.keepAliveRange)
    }
    readChoices(into: &record)
    return (record, unread)
  }

  /// How the host is to be talked to.
  ///
  /// Not inlined: the optimiser of Swift 6.3 stops with an error of its own over it.
  @inline(never) private var chosenProtocol: HostProtocol {
    guard let place = form[Field.kind]?.choice else { return .ssh }
    return HostProtocol.allCases[place]
  }

  private func readChoices(into record: inout HostRecord) {
    record.identity = identity
    record.jumps = jumps
    record.startupSnippet = snippet
    record.theme = form[Field.theme]?.names.first
    if let place = form[Field.color]?.choice {
      record.color = place == 0 ? nil : PaletteColor.allCases[place - 1]
    }
    if let place = form[Field.integration]?.choice {
      record.shellIntegration = ShellIntegrationChoice.allCases[place]
    }
    if let place = form[Field.clipboard]?.choice {
      record.clipboard = ClipboardChoice.allCases[place]
    }
    if let place = form[Field.recording]?.choice {
      record.recording = place == 0 ? nil : RecordingFormat.allCases[place - 1]
    }
    if let place = form[Field.engine]?.choice { record.engine = EngineChoice.allCases[place] }
    record.allowsOldAlgorithms =
      form[Field.oldAlgorithms]?.isOn ?? record.allowsOldAlgorithms
    record.isPinned = form[Field.pinned]?.isOn ?? record.isPinned
    record.usesAgent = form[Field.agent]?.isOn ?? record.usesAgent
  }
}

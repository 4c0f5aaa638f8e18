internal import TermindDomain

/// Sessions of PuTTY in a registry export.
public enum PuTTYSessions {
  /// Reads a `.reg` file with `HKEY_CURRENT_USER\Software\SimonTatham\PuTTY\Sessions`.
  ///
  /// - Parameters:
  ///   - bytes: The whole file, UTF-16 with its mark or UTF-8.
  ///   - path: Where it comes from.
  /// - Returns: The sessions of SSH; others are notes.
  /// - Throws: Why nothing can be read.
  public static func read(
    _ bytes: [UInt8],
    path: String
  ) throws(ImportTextError) -> HostImportSource {
    let file = try RegistryFile(bytes)
    var source = HostImportSource(path: path)
    func note(_ kind: ImportNote.Kind, _ line: Int) {
      source.notes.append(ImportNote(kind, at: SourcePlace(path: path, line: line)))
    }
    for (line, name) in file.broken.prefix(1000) {
      note(.unreadable(.invalidValue(name)), line)
    }
    for key in file.keys {
      guard let name = sessionName(key.path) else { continue }
      let kind = text(key, "Protocol")
      guard kind.isEmpty || kind == "ssh" else {
        note(.otherProtocol(name: name, kind), key.line)
        continue
      }
      guard !text(key, "HostName").isEmpty else {
        // The template of new sessions is one, too, and names no host.
        if name != "Default Settings" { note(.noAddress(name: name), key.line) }
        continue
      }
      guard source.hosts.count < HostImportSource.maximumHosts else {
        note(.tooManyHosts(limit: HostImportSource.maximumHosts), key.line)
        break
      }
      source.hosts.append(draft(key, name, SourcePlace(path: path, line: key.line)))
    }
    return source
  }

  /// The name of a session, whose special characters are written as `%20`.
  static func sessionName(_ path: String) -> String? {
    let marker = Array("\\putty\\sessions\\".utf8)
    let lowered = path.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    guard let start = lowered.firstRange(of: marker)?.upperBound else { return nil }
    var rest = Array(path.utf8)[start...]
    guard !rest.isEmpty, !rest.contains(UInt8(ascii: "\\")) else { return nil }
    var bytes: [UInt8] = []
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      if byte == UInt8(ascii: "%"), digits.count == 2,
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    // Old versions write the bytes of the system's code page.
    return String(validating: bytes, as: UTF8.self)
      ?? bytes.reduce(into: "") { $0.unicodeScalars.append(Unicode.Scalar($1)) }
  }

  private static func draft(
    _ key: RegistryFile.Key,
    _ name: String,
    _ place: SourcePlace
  ) -> HostDraft {
    let host = text(key, "HostName")
    // An account may stand before the address.
    let parts = host.split(separator: "@", omittingEmptySubsequences: false)
    let address = String(parts.last ?? "")
    var draft = HostDraft(name: name, place: place, endpoint: SSHEndpoint(host: address))
    draft.taken.append(TakenOption("HostName", host, at: place))
    if let port = number(key, "PortNumber") {
      if let port = UInt16(exactly: port), port > 0 {
        draft.endpoint = SSHEndpoint(host: address, port: port)
        draft.taken.append(TakenOption("PortNumber", "\(port)", at: place))
      } else {
        let reason = DroppedOption.Reason.invalid(.notInRange(1...65535))
        draft.dropped.append(DroppedOption("PortNumber", "\(port)", at: place, reason))
      }
    }
    draft.username =
      parts.count > 1 ? parts.dropLast().joined(separator: "@") : text(key, "UserName")
    if parts.count == 1, !draft.username.isEmpty {
      draft.taken.append(TakenOption("UserName", draft.username, at: place))
    }
    if number(key, "TryAgent") == 0 {
      draft.usesAgent = false
      draft.taken.append(TakenOption("TryAgent", "0", at: place))
    }
    takeInterval(key, place, &draft)
    drop(key, place, &draft)
    return draft
  }

  private static func takeInterval(
    _ key: RegistryFile.Key,
    _ place: SourcePlace,
    _ draft: inout HostDraft
  ) {
    let minutes = Int(number(key, "PingInterval") ?? 0)
    let seconds = minutes * 60 + Int(number(key, "PingIntervalSecs") ?? 0)
    guard seconds > 0 else { return }
    if HostRecord.keepAliveRange.contains(seconds) {
      draft.keepAliveSeconds = seconds
      draft.taken.append(TakenOption("PingInterval", "\(seconds)", at: place))
    } else {
      let reason = DroppedOption.Reason.invalid(.notInRange(HostRecord.keepAliveRange))
      draft.dropped.append(DroppedOption("PingInterval", "\(seconds)", at: place, reason))
    }
  }

  private static func drop(
    _ key: RegistryFile.Key,
    _ place: SourcePlace,
    _ draft: inout HostDraft
  ) {
    let keyFile = text(key, "PublicKeyFile")
    if !keyFile.isEmpty {
      // A path of another system, in a format of its own.
      draft.dropped.append(
        DroppedOption("PublicKeyFile", keyFile, at: place, .foreignKey("PuTTY"))
      )
    }
    if let method = number(key, "ProxyMethod"), method != 0 {
      draft.losesItsWay = true
      draft.dropped.append(
        DroppedOption("ProxyHost", text(key, "ProxyHost"), at: place, .noCounterpart)
      )
    }
    for name in ["PortForwardings", "RemoteCommand", "LogHost", "DetachedCertificate"] {
      let value = text(key, name)
      if !value.isEmpty {
        draft.dropped.append(DroppedOption(name, value, at: place, .noCounterpart))
      }
    }
    for name in ["AgentFwd", "Compression", "X11Forward"] where number(key, name) == 1 {
      draft.dropped.append(DroppedOption(name, "1", at: place, .noCounterpart))
    }
  }

  private static func text(_ key: RegistryFile.Key, _ name: String) -> String {
    guard case .text(let text) = key.values[name] else { return "" }
    return text
  }

  private static func number(_ key: RegistryFile.Key, _ name: String) -> UInt32? {
    guard case .number(let number) = key.values[name] else { return nil }
    return number
  }
}

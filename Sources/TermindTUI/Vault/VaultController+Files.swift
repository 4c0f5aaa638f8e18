import FoundationEssentials
import TermindApplication
import TermindDomain
import TermindInfrastructure
import TermindPresentation
import TermindRemoteInfrastructure

/// Files of records: what is imported and exported.
extension VaultController {
  func exportRecords() {
    switch section {
    case .knownHosts: exportKnownHosts()
    case .keys: exportPublicKey()
    default: break
    }
  }

  /// Asks for a path and does something with it; what went wrong is said in the form.
  func askForPath(
    _ title: String,
    lines: [String] = [],
    suggestion: String,
    _ work: @escaping (VaultController, String) async throws -> String
  ) {
    let form = Form(
      title: title,
      lines: lines,
      rows: [Form.Row("Path", text: suggestion)]
    )
    window.present(
      FormSheet(form, overlay: WindowOverlay("vault-path")) { [weak self] texts in
        guard let self, let path = texts.first, !path.isEmpty else { return "Type a path." }
        run { controller in
          controller.say(.done, try await work(controller, controller.absolute(path)))
        }
        return nil
      }
    )
  }

  func absolute(_ path: String) -> String {
    let home = window.server.services.home
    if path == "~" { return home }
    if path.hasPrefix("~/") { return home + path.dropFirst() }
    return path.hasPrefix("/") ? path : (window.terminal?.request.directory ?? home) + "/" + path
  }

  private func exportKnownHosts() {
    let ids = Set(list.marks)
    let records =
      ids.isEmpty
      ? contents.knownHosts
      : contents.knownHosts.filter { ids.contains(.record($0.id.rawValue)) }
    guard !records.isEmpty else { return }
    let what = VaultSection.knownHosts.counted(records.count)
    askForPath(
      "Export \(what)",
      lines: ["A file that is there already is never overwritten."],
      suggestion: "~/known_hosts.export"
    ) { _, path in
      try await VaultFile.write(Array(KnownHostsText.text(records).utf8), to: path)
      return "Wrote \(what) to \(path)."
    }
  }

  // MARK: - Keys

  /// A key's public line as authorized_keys has it.
  func publicLine(of key: KeyRecord) -> String {
    let blob = Data(key.publicKey).base64EncodedString()
    return "\(key.algorithm) \(blob)" + (key.comment.isEmpty ? "" : " \(key.comment)")
  }

  private func exportPublicKey() {
    guard let place = list.selected else { return }
    let key = contents.keys[place]
    let line = publicLine(of: key) + "\n"
    askForPath("Export the public key of \(key.name)", suggestion: "~/\(key.fileName).pub") {
      _,
      path in
      try await VaultFile.write(Array(line.utf8), to: path)
      return "Wrote the public key to \(path)."
    }
  }
}

extension KeyRecord {
  /// The name as a file can have it.
  fileprivate var fileName: String {
    let safe = name.map { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" ? $0 : "_" }
    return safe.isEmpty ? "id" : String(safe)
  }
}

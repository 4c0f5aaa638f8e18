extension TerminalState {
  /// OSC 7: a `file:` address, or a bare path.
  mutating func setWorkingDirectory(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes.prefix(4_096)
    var host: String?
    for scheme in ["file://", "kitty-shell-cwd://"] where rest.starts(with: Array(scheme.utf8)) {
      rest = rest.dropFirst(scheme.utf8.count)
      let slash = rest.firstIndex(of: 0x2F) ?? rest.endIndex
      host = Self.cleanText(rest[..<slash], limit: 255)
      rest = rest[slash...]
      break
    }
    let path = Self.cleanText(host == nil ? Array(rest) : Self.percentDecoded(rest), limit: 4_096)
    guard path.hasPrefix("/") else {
      if path.isEmpty {
        workingDirectory = nil
        workingDirectoryHost = nil
      }
      return
    }
    workingDirectory = path
    workingDirectoryHost = host.flatMap { $0.isEmpty ? nil : $0 }
    events.append(.workingDirectory(path))
  }

  static func percentDecoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var decoded: [UInt8] = []
    var place = bytes.startIndex
    while place < bytes.endIndex {
      if bytes[place] == 0x25, place + 2 < bytes.endIndex,
        let high = hexDigit(bytes[place + 1]), let low = hexDigit(bytes[place + 2])
      {
        decoded.append(high << 4 | low)
        place += 3
      } else {
        decoded.append(bytes[place])
        place += 1
      }
    }
    return decoded
  }

  static func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }

  /// OSC 133: A prompt, B command, C output, D end.
  mutating func setPromptMark(_ bytes: ArraySlice<UInt8>) {
    let parts = bytes.split(separator: 0x3B, omittingEmptySubsequences: false)
    guard let kind = parts.first?.first, parts[0].count == 1 else { return }
    switch kind {
    case 0x41:
      grid.addMark(cursorRow, .prompt)
      events.append(.promptMark(.promptStart))
    case 0x42:
      grid.addMark(cursorRow, .command)
      events.append(.promptMark(.commandStart))
    case 0x43:
      grid.addMark(cursorRow, .output)
      events.append(.promptMark(.outputStart))
    case 0x44:
      grid.addMark(cursorRow, .end)
      events.append(.promptMark(.commandEnd(status: parts.count > 1 ? Self.number(parts[1]) : nil)))
    default: break
    }
  }
}

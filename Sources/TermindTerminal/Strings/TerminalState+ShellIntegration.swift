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
  ///
  /// C may carry the command line as `cmdline_url=` (kitty), D its time as `duration_ms=`.
  mutating func setPromptMark(_ bytes: ArraySlice<UInt8>) {
    let parts = bytes.split(separator: 0x3B, omittingEmptySubsequences: false)
    guard let kind = parts.first?.first, parts[0].count == 1 else { return }
    let column = cursorColumn + (pendingWrap ? 1 : 0)
    let place = TextPlace(line: scrollback.end + UInt64(cursorRow), column: column)
    switch kind {
    case 0x41:
      grid.addMark(cursorRow, .prompt)
      if isMainScreen { commands.promptBegan(place.line) }
      events.append(.promptMark(.promptStart))
    case 0x42:
      grid.addMark(cursorRow, .command)
      if isMainScreen { commands.typingBegan(place) }
      events.append(.promptMark(.commandStart))
    case 0x43:
      let text = Self.option("cmdline_url=", in: parts).map { told in
        Self.commandText(Self.percentDecoded(told.prefix(CommandTrack.longestCommand * 3)))
      }
      let command = text ?? typedCommand(until: place)
      grid.addMark(cursorRow, .output)
      events.append(.promptMark(.outputStart))
      guard isMainScreen else { return }
      commands.outputBegan(place)
      events.append(.commandStarted(command))
    case 0x44:
      let status = parts.count > 1 ? Self.number(parts[1]) : nil
      let time = Self.option("duration_ms=", in: parts).flatMap { Self.number($0) }
      grid.addMark(cursorRow, .end)
      events.append(.promptMark(.commandEnd(status: status)))
      let result = CommandResult(status: status, duration: time.map { .milliseconds($0) })
      guard isMainScreen, commands.ended(place, result) else { return }
      events.append(.commandEnded(result))
    default: break
    }
  }

  private static func option(
    _ name: String,
    in parts: [ArraySlice<UInt8>]
  ) -> ArraySlice<UInt8>? {
    parts.dropFirst().first { $0.starts(with: Array(name.utf8)) }?.dropFirst(name.utf8.count)
  }

  /// A command line as it is kept: lines stay, other control characters go.
  private static func commandText(_ bytes: [UInt8]) -> String {
    let lines = bytes.prefix(CommandTrack.longestCommand)
      .split(separator: 0x0A, omittingEmptySubsequences: false)
    return lines.map { cleanText($0, limit: CommandTrack.longestCommand) }
      .joined(separator: "\n")
  }

  /// What stands between the end of the prompt and the output, when that is a single line; nil when it cannot be told.
  private func typedCommand(until end: TextPlace) -> String? {
    guard isMainScreen, let start = commands.typed, start.line >= scrollback.end, start < end
    else { return nil }
    var bytes: [UInt8] = []
    var line = start.line
    while line < end.line {
      let row = Int(line - scrollback.end)
      for (column, cell) in grid.usedCells(row).enumerated()
      where !cell.isFiller && !(cell.isTail && column > 0) {
        guard line > start.line || column >= start.column else { continue }
        if cell.isBlank { bytes.append(0x20) }
        for scalar in scalars(of: cell) {
          bytes += Array(String(Unicode.Scalar(scalar) ?? "\u{FFFD}").utf8)
        }
      }
      if !grid.isWrapped(row) { break }
      line += 1
    }
    guard line + 1 == end.line, end.column == 0, bytes.count <= CommandTrack.longestCommand else {
      return nil
    }
    while bytes.last == 0x20 { bytes.removeLast() }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }
}

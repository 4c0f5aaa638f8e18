extension TerminalState {
  /// OSC 8: `PARAMETERS;ADDRESS`; an empty address ends the link.
  mutating func setHyperlink(_ bytes: ArraySlice<UInt8>) {
    guard let separator = bytes.firstIndex(of: 0x3B) else { return }
    let address = bytes[(separator + 1)...]
    if address.isEmpty || address.count > LinkTable.longest {
      pen.link = 0
      return
    }
    var id: [UInt8] = []
    for part in bytes[..<separator].split(separator: 0x3A)
    where part.starts(with: Array("id=".utf8)) {
      id = Array(part.dropFirst(3).prefix(256))
    }
    pen.link = links.intern(
      id: id,
      address: Self.cleanText(address, limit: LinkTable.longest)
    )
  }
}

/// Turns what a program writes to its terminal into lines of plain text.
///
/// It follows one line with its cursor, so that a command edited at a prompt is kept as it was entered, and a progress
/// bar as it was last seen. Control sequences are left out, and so is what full-screen programs draw on the
/// alternate screen. Input may be split anywhere.
struct LineTranscript {
  /// The longest line; what is longer is broken.
  static let longestLine = 65_536
  private static let mostParameters = 16

  private enum State {
    case text
    case escape
    /// Between an escape with an intermediate character and its last one.
    case escapeRest
    case control
    /// In a string such as a title; the flag tells whether an escape came last.
    case string(afterEscape: Bool)
  }

  private var state = State.text
  private var line: [Unicode.Scalar] = []
  private var column = 0
  private var parameters: [Int] = []
  private var isPrivate = false
  private var isIgnored = false
  private var isAlternateScreen = false
  /// The bytes of a character that is not complete yet.
  private var partial: [UInt8] = []
  private var finished = ""

  /// Takes the next bytes of output.
  mutating func feed(_ bytes: UnsafeRawBufferPointer) {
    for place in bytes.indices { unsafe feed(bytes[place]) }
  }

  /// The lines that are complete since the last call, each with its line end.
  mutating func takeLines() -> String {
    defer { finished = "" }
    return finished
  }

  /// Ends the line under way; what was begun of it is kept.
  mutating func finish() {
    flushPartial()
    if !line.isEmpty { endLine() }
  }

  private mutating func feed(_ byte: UInt8) {
    switch state {
    case .text: text(byte)
    case .escape: escape(byte)
    case .escapeRest: if byte >= 0x30 { state = .text }
    case .control: control(byte)
    case .string(let afterEscape):
      if byte == 0x07 || byte == 0x18 || byte == 0x1A || (afterEscape && byte == 0x5C) {
        state = .text
      } else if afterEscape && byte != 0x1B {
        state = .escape
        escape(byte)
      } else {
        state = .string(afterEscape: byte == 0x1B)
      }
    }
  }

  private mutating func text(_ byte: UInt8) {
    if byte >= 0x80 { return character(byte) }
    flushPartial()
    switch byte {
    case 0x1B: state = .escape
    case 0x0A, 0x0B, 0x0C: if !isAlternateScreen { endLine() }
    case 0x0D: column = 0
    case 0x08: column = max(0, column - 1)
    case 0x09, 0x20..<0x7F: put(Unicode.Scalar(byte))
    default: break
    }
  }

  private mutating func character(_ byte: UInt8) {
    if byte >= 0xC0 { flushPartial() }
    partial.append(byte)
    if partial.count >= UTF8Lead.length(partial[0]) { flushPartial() }
  }

  private mutating func flushPartial() {
    guard !partial.isEmpty else { return }
    for scalar in String(decoding: partial, as: UTF8.self).unicodeScalars where scalar.value >= 0xA0
    {
      put(scalar)
    }
    partial = []
  }

  private mutating func put(_ scalar: Unicode.Scalar) {
    guard !isAlternateScreen else { return }
    while line.count < column { line.append(" ") }
    if column < line.count { line[column] = scalar } else { line.append(scalar) }
    column += 1
    if column >= Self.longestLine { endLine() }
  }

  private mutating func endLine() {
    while let last = line.last, last == " " { line.removeLast() }
    finished.unicodeScalars.append(contentsOf: line)
    finished += "\n"
    line.removeAll(keepingCapacity: true)
    column = 0
  }

  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case 0x5B:
      parameters = [0]
      isPrivate = false
      isIgnored = false
      state = .control
    case 0x50, 0x58, 0x5D, 0x5E, 0x5F: state = .string(afterEscape: false)
    case 0x20..<0x30: state = .escapeRest
    case 0x1B: break
    default: state = .text
    }
  }

  private mutating func control(_ byte: UInt8) {
    switch byte {
    case 0x30...0x39:
      let last = parameters.count - 1
      parameters[last] = min(parameters[last] * 10 + Int(byte - 0x30), Self.longestLine)
    case 0x3A, 0x3B:
      if parameters.count < Self.mostParameters { parameters.append(0) } else { isIgnored = true }
    case 0x3F: isPrivate = true
    case 0x3C...0x3E, 0x20..<0x30: isIgnored = true
    case 0x40...0x7E:
      state = .text
      if !isIgnored { perform(byte) }
    case 0x1B: state = .escape
    case 0x18, 0x1A: state = .text
    default: break
    }
  }

  private mutating func perform(_ final: UInt8) {
    if isPrivate { return changeMode(final) }
    guard !isAlternateScreen else { return }
    let count = max(1, parameters[0])
    switch final {
    case UInt8(ascii: "C"): column = min(column + count, Self.longestLine - 1)
    case UInt8(ascii: "D"): column = max(0, column - count)
    case UInt8(ascii: "G"), UInt8(ascii: "`"): column = count - 1
    case UInt8(ascii: "K"): erase(parameters[0])
    case UInt8(ascii: "P"):
      guard column < line.count else { return }
      line.removeSubrange(column..<min(column + count, line.count))
    case UInt8(ascii: "@"):
      guard column < line.count, line.count + count < Self.longestLine else { return }
      line.insert(contentsOf: repeatElement(" ", count: count), at: column)
    case UInt8(ascii: "X"):
      for place in line.indices.dropFirst(column).prefix(count) { line[place] = " " }
    // Whoever leaves the line has ended it.
    case UInt8(ascii: "A"), UInt8(ascii: "B"), UInt8(ascii: "E"), UInt8(ascii: "F"),
      UInt8(ascii: "H"), UInt8(ascii: "f"), UInt8(ascii: "d"):
      if !line.isEmpty { endLine() }
      column = 0
    default: break
    }
  }

  private mutating func erase(_ part: Int) {
    switch part {
    case 0: if column < line.count { line.removeSubrange(column...) }
    case 1: for place in line.indices.prefix(column + 1) { line[place] = " " }
    default: line.removeAll(keepingCapacity: true)
    }
  }

  private mutating func changeMode(_ final: UInt8) {
    guard final == UInt8(ascii: "h") || final == UInt8(ascii: "l"),
      parameters.contains(where: { [47, 1047, 1049].contains($0) })
    else { return }
    if !line.isEmpty && !isAlternateScreen { endLine() }
    isAlternateScreen = final == UInt8(ascii: "h")
    column = 0
  }
}

/// The gate's own state: what has been seen of a sequence that does not go to libvterm as it is.
struct SequenceGate {
  enum State {
    /// Text and control characters; ESC or an 8-bit control leaves it.
    case ground
    /// After ESC, until the sequence's kind is known.
    case escape
    /// In a control sequence, until its last byte.
    case control
    /// In a control sequence that is not well formed; its last byte ends it unheard.
    case ignore
    /// In a string, until its terminator.
    case string
    /// After ESC in a string: `\` ends the string, anything else drops it.
    case stringEscape
  }

  var state = State.ground
  /// Bytes of an escape or control sequence so far, from ESC on, without control characters.
  var raw: [UInt8] = []
  /// The control sequence so far, as parsed here.
  var sequence = ControlSequence()
  /// The number being read, negative when no digit was seen.
  var number: Int32 = -1
  var sawParameter = false
  var string = StringSequence()

  /// Longest sequence that is handed to libvterm.
  static let longestRaw = 64

  mutating func beginEscape() {
    state = .escape
    raw.removeAll(keepingCapacity: true)
    raw.append(0x1B)
    sequence = ControlSequence()
    number = -1
    sawParameter = false
  }

  mutating func beginControl() {
    beginEscape()
    raw.append(0x5B)
    state = .control
  }

  mutating func beginString(_ kind: StringSequence.Kind) {
    string.begin(kind)
    state = .string
  }

  /// The length of the complete sequence at `start` when libvterm parses it safely, else 0.
  ///
  /// Safe is: at most 16 numbers of at most eight digits, one leader, four intermediate bytes, no control
  /// character inside, and not the beginning of a string.
  static func safeLength(_ bytes: UnsafeRawBufferPointer, at start: Int) -> Int {
    let end = min(bytes.count, start + longestRaw)
    var place = start + 1
    guard place < end else { return 0 }
    let kind = unsafe bytes[place]
    if kind != 0x5B { return unsafe plainEscapeLength(bytes, at: start, end: end) }
    place += 1
    if place < end, case 0x3C...0x3F = unsafe bytes[place] { place += 1 }
    var numbers = 1
    var digits = 0
    while place < end {
      let byte = unsafe bytes[place]
      switch byte {
      case 0x30...0x39:
        digits += 1
        if digits > 8 { return 0 }
      case 0x3A, 0x3B:
        numbers += 1
        digits = 0
        if numbers > 16 { return 0 }
      case 0x40...0x7E: return place + 1 - start
      case 0x20...0x2F: return unsafe intermediateLength(bytes, at: start, from: place, end: end)
      default: return 0
      }
      place += 1
    }
    return 0
  }

  /// Whether a safe sequence is an SGR, of numbers alone between CSI and m.
  static func isRendition(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count > 2, unsafe bytes[bytes.count - 1] == 0x6D, unsafe bytes[1] == 0x5B else {
      return false
    }
    // A leader stands first, intermediate bytes last.
    return unsafe bytes.count == 3 || (bytes[2] < 0x3C && bytes[bytes.count - 2] >= 0x30)
  }

  private static func intermediateLength(
    _ bytes: UnsafeRawBufferPointer,
    at start: Int,
    from first: Int,
    end: Int
  ) -> Int {
    var place = first
    while place < end, place - first <= 4 {
      switch unsafe bytes[place] {
      case 0x20...0x2F: place += 1
      case 0x40...0x7E: return place + 1 - start
      default: return 0
      }
    }
    return 0
  }

  private static func plainEscapeLength(
    _ bytes: UnsafeRawBufferPointer,
    at start: Int,
    end: Int
  ) -> Int {
    var place = start + 1
    while place < end, place - start <= 4 {
      switch unsafe bytes[place] {
      case 0x20...0x2F: place += 1
      case 0x50, 0x58, 0x5B, 0x5D, 0x5E, 0x5F: return place == start + 1 ? 0 : place + 1 - start
      case 0x30...0x7E: return place + 1 - start
      default: return 0
      }
    }
    return 0
  }
}

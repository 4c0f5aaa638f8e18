extension Terminal {
  /// Takes output of the program; any input is safe, and may be cut anywhere.
  public func feed(_ bytes: UnsafeRawBufferPointer) {
    var place = 0
    while place < bytes.count {
      switch gate.state {
      case .ground: unsafe place = passGround(bytes, from: place)
      case .escape: unsafe place = stepEscape(bytes[place], place)
      case .control: unsafe place = stepControl(bytes[place], place)
      case .ignore: unsafe place = stepIgnore(bytes[place], place)
      case .string, .stringEscape: unsafe place = collectString(bytes, from: place)
      }
    }
    state.finishFeed()
    noteChange()
  }

  /// Takes output of the program.
  public func feed(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe feed($0) }
  }

  /// Prints text, performs SGR and control characters and hands other safe sequences to libvterm; says where to go on.
  ///
  /// Text and SGR, nearly all of what programs send, are taken without libvterm: its parser spent a fifth of
  /// the time on them (Docs/Decisions/0004-text-without-libvterm.md).
  private func passGround(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var place = start
    while place < bytes.count {
      place = unsafe state.takeText(bytes.bytes, from: place)
      if let code = state.stop {
        state.stop = nil
        beginSequence(c1: code)
        return place
      }
      guard place < bytes.count else { break }
      let byte = unsafe bytes[place]
      switch byte {
      case 0x1B:
        let length = unsafe passSequence(bytes, at: place)
        if length == 0 {
          gate.beginEscape()
          return place + 1
        }
        place += length
      case 0x00, 0x18, 0x1A, 0x7F: place += 1
      default:
        state.control(byte)
        place += 1
      }
    }
    return place
  }

  /// Performs the sequence at `start` when it is whole and safe, and says its length, else 0.
  private func passSequence(_ bytes: UnsafeRawBufferPointer, at start: Int) -> Int {
    let length = unsafe SequenceGate.safeLength(bytes, at: start)
    guard length > 0 else { return 0 }
    let sequence = unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<start + length])
    if unsafe SequenceGate.isRendition(sequence) {
      let numbers = unsafe UnsafeRawBufferPointer(rebasing: sequence[2..<length - 1])
      unsafe state.selectGraphicRendition(RenditionReader.parameters(numbers.bytes))
      state.lastGraphic = 0
    } else {
      unsafe parser.write(sequence)
    }
    return length
  }

  /// Enters what an 8-bit control begins: CSI, DCS, OSC, SOS, PM or APC.
  private func beginSequence(c1 code: UInt8) {
    switch code {
    case 0x90: gate.beginString(.dcs)
    case 0x9B: gate.beginControl()
    case 0x9D: gate.beginString(.osc)
    default: gate.beginString(.ignored)
    }
  }

  // MARK: Escape and control sequences that are cut or not safe

  private func stepEscape(_ byte: UInt8, _ place: Int) -> Int {
    switch byte {
    case 0x1B: gate.beginEscape()
    case 0x18, 0x1A: gate.state = .ground
    case 0x00...0x1F: state.control(byte)
    case 0x7F: break
    case 0x20...0x2F: if gate.raw.count < SequenceGate.longestRaw { gate.raw.append(byte) }
    case 0x30...0x7E where gate.raw.count > 1: endEscape(byte)
    case 0x50: gate.beginString(.dcs)
    case 0x58, 0x5E, 0x5F: gate.beginString(.ignored)
    case 0x5B: gate.beginControl()
    case 0x5D: gate.beginString(.osc)
    case 0x30...0x7E: endEscape(byte)
    default:
      gate.state = .ground
      return place
    }
    return place + 1
  }

  private func endEscape(_ final: UInt8) {
    gate.raw.append(final)
    gate.state = .ground
    if gate.raw.count <= 6 {
      forward()
    } else {
      state.escape(intermediate: 0xFF, final: final)
    }
  }

  private func stepControl(_ byte: UInt8, _ place: Int) -> Int {
    switch byte {
    case 0x1B: gate.beginEscape()
    case 0x18, 0x1A: gate.state = .ground
    case 0x00...0x1F: state.control(byte)
    case 0x7F: break
    case 0x30...0x3F where gate.sequence.intermediate != 0: gate.state = .ignore
    case 0x30...0x39:
      let digit = Int32(byte - 0x30)
      let value = max(gate.number, 0)
      gate.number = min(value * 10 + digit, SequenceParameters.largest)
      gate.sawParameter = true
      if value > 10_000_000 { gate.number = SequenceParameters.largest }
    case 0x3A, 0x3B:
      gate.sequence.parameters.append(gate.number, joined: byte == 0x3A)
      gate.number = -1
      gate.sawParameter = true
    case 0x3C...0x3F:
      if gate.sawParameter || gate.sequence.leader != 0 {
        gate.state = .ignore
      } else {
        gate.sequence.leader = byte
      }
    case 0x20...0x2F:
      gate.sequence.intermediate = gate.sequence.intermediate == 0 ? byte : 0xFF
    case 0x40...0x7E: endControl(byte)
    default:
      gate.state = .ground
      return place
    }
    if byte >= 0x20, gate.raw.count <= SequenceGate.longestRaw { gate.raw.append(byte) }
    return place + 1
  }

  private func endControl(_ final: UInt8) {
    gate.state = .ground
    gate.raw.append(final)
    let isSafe = unsafe gate.raw.withUnsafeBytes {
      unsafe SequenceGate.safeLength($0, at: 0) == $0.count
    }
    if isSafe {
      forward()
      return
    }
    gate.sequence.parameters.append(gate.number, joined: false)
    gate.sequence.final = final
    state.perform(gate.sequence)
  }

  /// Hands the collected sequence, which is safe, to libvterm.
  private func forward() {
    let raw = gate.raw
    unsafe raw.withUnsafeBytes { unsafe parser.write($0) }
  }

  private func stepIgnore(_ byte: UInt8, _ place: Int) -> Int {
    switch byte {
    case 0x1B: gate.beginEscape()
    case 0x18, 0x1A, 0x40...0x7E: gate.state = .ground
    case 0x00...0x1F: state.control(byte)
    case 0x20...0x3F, 0x7F: break
    default:
      gate.state = .ground
      return place
    }
    return place + 1
  }

  // MARK: Strings

  private func collectString(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    if gate.state == .stringEscape {
      if unsafe bytes[start] == 0x5C {
        endString()
        return start + 1
      }
      // ESC ended the string unfinished, and begins the next sequence.
      gate.beginEscape()
      return start
    }
    var place = start
    while place < bytes.count {
      let byte = unsafe bytes[place]
      if byte >= 0x20, byte != 0x9C {
        place += 1
        continue
      }
      unsafe gate.string.append(bytes[start..<place])
      return stringControl(byte, place)
    }
    unsafe gate.string.append(bytes[start..<place])
    return place
  }

  private func stringControl(_ byte: UInt8, _ place: Int) -> Int {
    switch byte {
    case 0x1B: gate.state = .stringEscape
    case 0x18, 0x1A: gate.state = .ground
    case 0x07 where gate.string.kind == .osc: endString(byBell: true)
    case 0x9C:
      // U+009C is ST; in other characters the byte is a continuation.
      if gate.string.endsWithC1Lead {
        gate.string.dropLast()
        endString()
      } else {
        gate.string.append(byte)
      }
    default:
      if gate.string.kind == .dcs { gate.string.append(byte) } else { gate.string.skip() }
    }
    return place + 1
  }

  private func endString(byBell: Bool = false) {
    gate.state = .ground
    gate.string.endedByBell = byBell
    state.perform(gate.string)
  }
}

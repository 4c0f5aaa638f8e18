import TermindInfrastructure

/// The client's own terminal: what it was before, and how it gets back there.
struct ClientTerminal {
  let input: TerminalDevice
  let output: TerminalDevice
  /// The settings to restore.
  private(set) var originalModes: TerminalModes
  /// What gives the screen back when the server cannot; empty until it was told.
  var leave: [UInt8] = []
  private let inputFlags: Int32
  private let outputFlags: Int32

  init() throws(TerminalDeviceError) {
    input = try .standard(0)
    output = try .standard(1)
    originalModes = try input.modes()
    inputFlags = input.statusFlags
    outputFlags = output.statusFlags
  }

  /// Passes every byte on as it is; in the background this stops the job, as it should.
  func enterRaw() throws(TerminalDeviceError) { try input.set(originalModes.raw) }

  /// Notes the settings found after a stop: the shell may have changed them.
  mutating func noteModes() {
    guard let modes = try? input.modes(), !modes.isRaw else { return }
    originalModes = modes
  }

  /// Writes what the server could not, within a bounded time, and restores the settings.
  func restore(writing bytes: [UInt8]) {
    SignalDescriptor.allowBackgroundTerminalChanges()
    if !bytes.isEmpty {
      let own = output.reopened(reading: false)
      var rest = bytes[...]
      while !rest.isEmpty, DescriptorWait.writable(own.descriptor, milliseconds: 500) {
        // A terminal that has gone needs nothing back.
        guard let count = try? own.write(rest), count > 0 else { break }
        rest = rest.dropFirst(count)
      }
    }
    // As above: there may be no terminal any more.
    try? input.set(originalModes)
    input.restoreStatusFlags(inputFlags)
    output.restoreStatusFlags(outputFlags)
  }

  /// Restores everything without the server; CAN ends a sequence of which only a part went out.
  func restoreAlone() { restore(writing: leave.isEmpty ? [] : [0x18] + leave) }
}

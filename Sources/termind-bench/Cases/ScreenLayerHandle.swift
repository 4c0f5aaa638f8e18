internal import CVTerm

/// A terminal of libvterm with its screen layer, the peer of the parse case.
@safe struct ScreenLayerHandle: ~Copyable {
  private let terminal: OpaquePointer

  /// Makes a terminal in UTF-8 mode that merges its damage, as an embedding editor sets it up.
  init(rows: Int, columns: Int) throws(BenchError) {
    guard let terminal = unsafe vterm_new(Int32(rows), Int32(columns)),
      let screen = unsafe vterm_obtain_screen(terminal)
    else { throw .failed(step: "libvterm", diagnostic: "no memory for a terminal") }
    unsafe self.terminal = terminal
    unsafe vterm_set_utf8(terminal, 1)
    unsafe vterm_screen_set_damage_merge(screen, VTERM_DAMAGE_SCROLL)
    unsafe vterm_screen_reset(screen, 1)
  }

  deinit { unsafe vterm_free(terminal) }

  /// Interprets output; it must be well-formed, since libvterm trusts it.
  func write(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    _ = unsafe vterm_input_write(terminal, start.assumingMemoryBound(to: CChar.self), bytes.count)
  }
}

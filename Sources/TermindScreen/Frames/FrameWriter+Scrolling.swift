extension FrameWriter {
  /// Scrolls what only moved up or down, so that it need not be drawn again.
  mutating func scroll(towards canvas: Canvas) {
  }
}

// Stands in for the Color folder until that lands.

/// The colours a program can ask for and change.
struct PaletteState {
  mutating func resetOverrides() {}
}

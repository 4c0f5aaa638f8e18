internal import CVTerm

/// The library under the emulator, for `termind doctor`.
public enum TerminalLibrary {
  /// The version that the program was built with, such as `0.1`.
  public static var libvterm: String { "\(VTERM_VERSION_MAJOR).\(VTERM_VERSION_MINOR)" }
}

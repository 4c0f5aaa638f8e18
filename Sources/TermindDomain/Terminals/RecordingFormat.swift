/// How a session is written down; the names are those of keymaps.
public enum RecordingFormat: String, Hashable, Sendable, Codable, CaseIterable {
  /// Its lines as plain text.
  case text
  /// Every byte with its time, as an asciicast of version 2, which `asciinema` plays.
  case asciicast

  /// The ending of its files' names.
  public var fileExtension: String {
    switch self {
    case .text: "log"
    case .asciicast: "cast"
    }
  }
}

/// A file that the program carries in itself.
struct ShippedFile: Sendable {
  let name: String
  /// The text, without the line end of its last line.
  let text: String
}

/// The themes and keymaps that come with the program; `Scripts/embed-data` writes them.
enum ShippedFiles {
  static func theme(_ name: String) -> ShippedFile? { themes.first { $0.name == name } }

  static func keymap(_ name: String) -> ShippedFile? { keymaps.first { $0.name == name } }
}

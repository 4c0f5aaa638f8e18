import FoundationEssentials

/// The Swift sources of the checkout, as text.
struct SourceTree {
  struct File {
    let name: String
    let text: String
    var imports: [String] { SourceTree.imports(in: text) }
  }

  struct Target {
    let name: String
    let files: [File]
  }

  let root: URL
  let targets: [Target]

  init() throws {
    root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let sources = root.appending(path: "Sources")
    let names = try FileManager.default.contentsOfDirectory(atPath: sources.path).sorted()
    targets = try names.filter { !Self.isSystemModule($0) }.map { name in
      Target(name: name, files: try Self.swiftFiles(below: sources.appending(path: name)))
    }
  }

  /// `CLinux` is a system module; `Canvas` would not be.
  private static func isSystemModule(_ name: String) -> Bool {
    let letters = Array(name)
    return letters.count > 1 && letters[0] == "C" && letters[1].isUppercase
  }

  private static func swiftFiles(below folder: URL, prefix: String = "") throws -> [File] {
    var files: [File] = []
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() {
      let place = folder.appending(path: name)
      if name.hasSuffix(".swift") {
        let data = try Data(contentsOf: place)
        files.append(File(name: prefix + name, text: String(decoding: data, as: UTF8.self)))
      } else if !name.contains(".") {
        files += try swiftFiles(below: place, prefix: "\(prefix)\(name)/")
      }
    }
    return files
  }

  /// The module names of the import lines, without access levels, attributes and submodules.
  static func imports(in text: String) -> [String] {
    let kinds: Set<String> = [
      "struct", "class", "enum", "protocol", "func", "let", "var", "typealias",
    ]
    // An import stands at the left edge; the lines of a text inside a function do not.
    return text.split(separator: "\n").filter { $0.first != " " }.compactMap { line in
      let words = line.split(separator: " ").map(String.init)
      guard let place = words.firstIndex(of: "import") else { return nil }
      let before = words[..<place]
      let modifiers: Set<String> = ["public", "package", "internal", "fileprivate", "private"]
      guard before.allSatisfy({ modifiers.contains($0) || $0.hasPrefix("@") }) else { return nil }
      guard let name = words[(place + 1)...].first(where: { !kinds.contains($0) }) else {
        return nil
      }
      return name.split(separator: ".").first.map(String.init)
    }
  }
}

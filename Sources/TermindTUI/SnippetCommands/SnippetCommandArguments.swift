/// The command line of `termind snippet run`.
nonisolated struct SnippetCommandArguments: Hashable, Sendable {
  /// What is asked for.
  var request: SnippetCommandRequest
  /// Whether each host is an object on a line.
  var isJSON: Bool

  private static let known = ["--on", "--tag", "--set", "--json"]

  /// Understands the words after `snippet run`.
  init(_ words: ArraySlice<String>) throws(UsageError) {
    var reader = ArgumentReader(words)
    var (plain, hosts, tags): ([String], [String], [String]) = ([], [], [])
    var values: [String: String] = [:]
    isJSON = false
    while let word = reader.next() {
      switch word {
      case .plain(let text): plain.append(text)
      case .option("--json", let given):
        try ArgumentReader.refuseValue(of: "--json", given)
        isJSON = true
      case .option("--on", let given): hosts.append(try reader.value(of: "--on", given))
      case .option("--tag", let given): tags.append(try reader.value(of: "--tag", given))
      case .option("--set", let given):
        let text = try reader.value(of: "--set", given)
        guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
          throw UsageError("--set needs PLACE=VALUE, not '\(text)'")
        }
        values[String(text[..<equals])] = String(text[text.index(after: equals)...])
      case .option(let name, _):
        throw UsageError(
          NearName.sentence("snippet run has no option '\(name)'", name, among: Self.known)
        )
      }
    }
    guard let snippet = plain.first else {
      throw UsageError("snippet run needs the name or id of a snippet")
    }
    // Further words are more hosts: `--on web1 web2`.
    hosts += plain.dropFirst()
    guard !hosts.isEmpty || !tags.isEmpty else {
      throw UsageError("snippet run needs --on HOST or --tag TAG")
    }
    request = SnippetCommandRequest(snippet, on: hosts, tags: tags, values: values)
  }
}

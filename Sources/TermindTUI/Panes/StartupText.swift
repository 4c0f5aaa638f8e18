import TermindDomain

/// What a host's snippet comes to when its shell is there.
enum StartupText: Equatable {
  /// There is nothing to send.
  case nothing
  /// This is pasted and entered.
  case text(String)
  /// It is not sent, for this reason.
  case refused(String)

  static let fullQueue = "Run first was not sent: the program takes no more input."

  /// Fills a snippet in with its own standard values; nobody is asked while a shell starts.
  ///
  /// - Parameters:
  ///   - snippet: The snippet; nil when it was deleted.
  ///   - wasUsed: Whether something was typed into the shell already, which it would be mixed with.
  init(_ snippet: SnippetRecord?, wasUsed: Bool) {
    guard let snippet else {
      self = .refused("Run first was not sent: its snippet was deleted.")
      return
    }
    let open = snippet.placeholders.filter(\.standard.isEmpty).map(\.name)
    guard open.isEmpty else {
      let names = open.joined(separator: ", ")
      self = .refused(
        "Run first was not sent: \(snippet.name) asks for \(names), which has no standard value."
      )
      return
    }
    guard !wasUsed else {
      self = .refused("Run first was not sent: something was typed before the shell was there.")
      return
    }
    var text = snippet.filled(with: [:])[...]
    while text.last?.isNewline == true { text = text.dropLast() }
    self = text.isEmpty ? .nothing : .text(String(text))
  }
}

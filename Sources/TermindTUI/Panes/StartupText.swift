import TermindDomain

/// What a host's snippet comes to when its shell is there.
enum StartupText: Equatable {
  /// There is nothing to send.
  case nothing
  /// This is pasted and entered.
  case text(String)
  /// It has places that only the person can fill in.
  case asks(SnippetRecord)
  /// It is not sent, for this reason.
  case refused(String)

  static let unfilled = "Run first was not sent: it was not filled in."
  static let fullQueue = "Run first was not sent: the program takes no more input."

  /// Fills a snippet in with its own standard values, where each place has one.
  ///
  /// - Parameters:
  ///   - snippet: The snippet; nil when it was deleted.
  ///   - wasUsed: Whether something was typed into the shell already, which it would be mixed with.
  init(_ snippet: SnippetRecord?, wasUsed: Bool) {
    guard let snippet else {
      self = .refused("Run first was not sent: its snippet was deleted.")
      return
    }
    guard !wasUsed else {
      self = .refused("Run first was not sent: something was typed before the shell was there.")
      return
    }
    guard snippet.placeholders.allSatisfy({ !$0.standard.isEmpty }) else {
      self = .asks(snippet)
      return
    }
    self.init(filled: snippet.filled(with: [:]))
  }

  /// Takes a snippet that is filled in; the ends of its last line are not sent.
  init(filled snippet: String) {
    var text = snippet[...]
    while text.last?.isNewline == true { text = text.dropLast() }
    self = text.isEmpty ? .nothing : .text(String(text))
  }
}

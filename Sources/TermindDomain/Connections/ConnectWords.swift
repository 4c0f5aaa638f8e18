/// One word of a command line, and where it stands.
struct ConnectWord: Hashable, Sendable {
  let text: String
  /// Characters from the start of the line, zero-based; nil for words of an argument list.
  let offset: Int?
}

/// Splits the line of the connect bar into words.
///
/// Blanks separate; single and double quotes and the backslash keep them. Nothing is expanded:
/// there is no shell, and `$`, `*`, `;` and `|` are only characters.
enum ConnectWords {
  static let maximumLineLength = 4096
  static let maximumWords = 64

  static func split(_ line: String) throws(ConnectCommandError) -> [ConnectWord] {
    guard line.utf8.count <= maximumLineLength else {
      throw ConnectCommandError(.tooLong, word: 0, offset: nil)
    }
    var words: [ConnectWord] = []
    var text = ""
    var start: Int?
    var quote: (mark: Character, offset: Int)?
    var isEscaped = false
    for (offset, character) in line.enumerated() {
      func fail(_ reason: ConnectCommandError.Reason) -> ConnectCommandError {
        ConnectCommandError(reason, word: words.count, offset: offset)
      }
      if character != "\t",
        character.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
      {
        throw fail(.controlCharacter)
      }
      if isEscaped {
        // As in a shell: inside double quotes it only stands before itself and the quote.
        if quote != nil, character != "\"", character != "\\" { text.append("\\") }
        text.append(character)
        isEscaped = false
      } else if character == "\\", quote?.mark != "'" {
        isEscaped = true
        start = start ?? offset
      } else if let open = quote {
        if character == open.mark { quote = nil } else { text.append(character) }
      } else if character == "'" || character == "\"" {
        quote = (character, offset)
        start = start ?? offset
      } else if character == " " || character == "\t" {
        if let begun = start { words.append(ConnectWord(text: text, offset: begun)) }
        text = ""
        start = nil
        if words.count > maximumWords { throw fail(.tooLong) }
      } else {
        text.append(character)
        start = start ?? offset
      }
    }
    if let open = quote {
      throw ConnectCommandError(.unclosedQuote, word: words.count, offset: open.offset)
    }
    if isEscaped {
      throw ConnectCommandError(.unclosedQuote, word: words.count, offset: line.count - 1)
    }
    if let begun = start { words.append(ConnectWord(text: text, offset: begun)) }
    return words
  }
}

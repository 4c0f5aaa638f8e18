/// Reads the words of a connect command, one after the other.
struct ConnectCommandReader {
  private let words: [ConnectWord]
  private let firstWord: Int
  private var next = 0
  private var target: ConnectTarget?
  private var keyFiles: [String] = []
  private var user: String?
  private var port: UInt16?
  private var jumps: [ConnectTarget]?

  init(words: [ConnectWord], firstWord: Int) {
    self.words = words
    self.firstWord = firstWord
  }

  mutating func read(
    isSavedHost: (String) -> Bool
  ) throws(ConnectCommandError) -> ConnectCommand {
    var optionsEnded = false
    while next < words.count {
      let word = words[next]
      if optionsEnded || !word.text.hasPrefix("-") || isSavedHost(word.text) {
        try readTarget(word, isSavedHost)
      } else if word.text == "--" {
        optionsEnded = true
      } else {
        try readOption(word, isSavedHost)
      }
      next += 1
    }
    guard var target else { throw error(.missingHost, at: words.count) }
    target.user = try merged(user, target.user, option: "-l")
    target.port = try merged(port, target.port, option: "-p")
    return ConnectCommand(target: target, keyFiles: keyFiles, jumps: jumps)
  }

  private mutating func readTarget(
    _ word: ConnectWord,
    _ isSavedHost: (String) -> Bool
  ) throws(ConnectCommandError) {
    guard target == nil else { throw error(.unexpectedWord(word.text), at: next) }
    guard !word.text.isEmpty else { throw error(.missingHost, at: next) }
    target = try parsed(word.text, isSavedHost)
  }

  private mutating func readOption(
    _ word: ConnectWord,
    _ isSavedHost: (String) -> Bool
  ) throws(ConnectCommandError) {
    let option = String(word.text.prefix(2))
    guard ["-p", "-l", "-i", "-J"].contains(option) else {
      // `-vp22` is named by its first letter, `--port` as a whole.
      throw error(.unknownOption(option == "--" ? word.text : option), at: next)
    }
    let place = next
    var value = String(word.text.dropFirst(2))
    if value.isEmpty {
      guard next + 1 < words.count, !words[next + 1].text.isEmpty else {
        throw error(.missingValue(option: option), at: next)
      }
      next += 1
      value = words[next].text
    }
    switch option {
    case "-p":
      guard port == nil else { throw error(.repeatedOption(option), at: place) }
      guard let number = try? ConnectTarget.port(value) else {
        // The only error of that call is the one named here.
        throw error(.invalidPort(value), at: next)
      }
      port = number
    case "-l":
      guard user == nil else { throw error(.repeatedOption(option), at: place) }
      guard let name = try? ConnectTarget.checkedUser(value) else {
        // The only error of that call is the one named here.
        throw error(.invalidUser(value), at: next)
      }
      user = name
    case "-i":
      guard keyFiles.count < ConnectCommand.maximumKeyFiles else {
        throw error(.tooManyKeyFiles, at: place)
      }
      keyFiles.append(value)
    default:
      guard jumps == nil else { throw error(.repeatedOption(option), at: place) }
      jumps = try hops(value, isSavedHost)
    }
  }

  private func hops(
    _ text: String,
    _ isSavedHost: (String) -> Bool
  ) throws(ConnectCommandError) -> [ConnectTarget] {
    if text.lowercased() == "none" { return [] }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count < Route.maximumHops else {
      throw error(.tooManyHops(count: parts.count), at: next)
    }
    var hops: [ConnectTarget] = []
    for part in parts {
      guard !part.isEmpty else { throw error(.missingHop(text), at: next) }
      hops.append(try parsed(String(part), isSavedHost))
    }
    return hops
  }

  private func parsed(
    _ text: String,
    _ isSavedHost: (String) -> Bool
  ) throws(ConnectCommandError) -> ConnectTarget {
    if isSavedHost(text) { return ConnectTarget(host: text) }
    do throws(ConnectTargetError) {
      return try ConnectTarget(parsing: text)
    } catch {
      throw self.error(.invalidTarget(text, error), at: next)
    }
  }

  private func merged<Value: Equatable>(
    _ option: Value?,
    _ inTarget: Value?,
    option name: String
  ) throws(ConnectCommandError) -> Value? {
    guard let option, let inTarget, option != inTarget else { return option ?? inTarget }
    throw error(
      .contradiction(option: name, value: "\(option)", other: "\(inTarget)"),
      at: words.count - 1
    )
  }

  private func error(
    _ reason: ConnectCommandError.Reason,
    at index: Int
  ) -> ConnectCommandError {
    let offset = words.indices.contains(index) ? words[index].offset : nil
    return ConnectCommandError(reason, word: firstWord + index, offset: offset)
  }
}

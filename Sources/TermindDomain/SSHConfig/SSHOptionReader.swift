/// Checks the words of a line and brings them into their usual form.
struct SSHOptionReader {
  let machine: SSHLocalMachine
  let service: (String) -> UInt16?

  /// The values of a line.
  func values(
    of option: SSHOption,
    in words: SSHConfigWords
  ) throws(SSHConfigFault) -> [String] {
    let name = option.rawValue
    switch option.kind {
    case .command: return [try text(words)]
    case .jump:
      let value = try text(words)
      guard let chain = SSHJump.chain(value, service: service) else {
        throw .init(.invalidJump(value))
      }
      return [chain.isEmpty ? "none" : chain.map(\.description).joined(separator: ",")]
    default: break
    }
    let arguments = try arguments(words)
    switch option.kind {
    case .variableNames:
      for word in arguments where word.isEmpty || word.contains("=") {
        throw .init(.invalidVariable(word))
      }
      return arguments
    case .variables:
      for word in arguments where !word.contains("=") { throw .init(.invalidVariable(word)) }
      return arguments
    case .words:
      if arguments.contains("") { throw .init(.emptyArgument(keyword: name)) }
      if arguments.count > 1, arguments.contains(where: { SSHPattern.lowered($0) == "none" }) {
        throw .init(.noneNotAlone(keyword: name))
      }
      return arguments
    case .forward: return [try forward(option, arguments)]
    default: break
    }
    guard let word = arguments.first, !word.isEmpty else {
      throw .init(.missingArgument(keyword: name))
    }
    let value = try single(option, word)
    guard arguments.count == 1 else { throw .init(.extraArguments(keyword: name)) }
    return [value]
  }

  private func single(_ option: SSHOption, _ word: String) throws(SSHConfigFault) -> String {
    let name = option.rawValue
    switch option.kind {
    case .port:
      guard let port = Self.port(word, service: service) else { throw .init(.invalidPort(word)) }
      return "\(port)"
    case .choice(let choices):
      guard let value = choices[SSHPattern.lowered(word)] else {
        throw .init(.unsupportedValue(keyword: name, value: word))
      }
      return value
    case .number:
      guard let number = Int32(word), number >= 0 else {
        throw .init(.invalidNumber(keyword: name, value: word))
      }
      return "\(number)"
    case .time:
      if word == "none" { return "none" }
      guard let seconds = Self.seconds(word) else {
        throw .init(.invalidTime(keyword: name, value: word))
      }
      return "\(seconds)"
    case .agent: return try agent(option, word)
    default: return word
    }
  }

  /// An agent's socket: a path, `${NAME}`, or `$NAME`.
  private func agent(_ option: SSHOption, _ word: String) throws(SSHConfigFault) -> String {
    if option == .forwardAgent {
      switch SSHPattern.lowered(word) {
      case "yes", "true": return "yes"
      case "no", "false": return "no"
      default: break
      }
    }
    do throws(SSHExpansionError) {
      _ = try SSHExpansion.variables(word, machine.variables)
    } catch {
      throw .init(.expansion(keyword: option.rawValue, error))
    }
    if word.hasPrefix("$"), !word.hasPrefix("${"),
      !word.dropFirst().utf8.allSatisfy(SSHExpansion.isNameByte) || word.utf8.count == 1
    {
      throw .init(.invalidVariable(word))
    }
    return word
  }

  private func forward(
    _ option: SSHOption,
    _ arguments: [String]
  ) throws(SSHConfigFault) -> String {
    let name = option.rawValue
    guard let listen = arguments.first, !listen.isEmpty else {
      throw .init(.missingArgument(keyword: name))
    }
    var isDynamic = option == .dynamicForward
    var text = listen
    var used = 1
    if !isDynamic {
      if arguments.count > 1 {
        text += ":" + arguments[1]
        used = 2
      } else if option == .remoteForward {
        isDynamic = true
      } else {
        throw .init(.missingArgument(keyword: name))
      }
    }
    do throws(SSHExpansionError) {
      text = try SSHExpansion.variables(text, machine.variables)
    } catch {
      throw .init(.expansion(keyword: name, error))
    }
    let forward = SSHForward(
      text,
      isDynamic: isDynamic,
      allowsAnyPort: option == .remoteForward,
      service: service
    )
    guard let forward else { throw .init(.invalidForward(arguments.joined(separator: " "))) }
    guard arguments.count == used else { throw .init(.extraArguments(keyword: name)) }
    return forward.description
  }

  private func text(_ words: SSHConfigWords) throws(SSHConfigFault) -> String {
    // The quotes of the line are checked even where they stay in the value.
    _ = try arguments(words)
    do throws(SSHConfigWordsError) {
      return try words.command()
    } catch {
      throw .init(error.reason)
    }
  }

  func arguments(_ words: SSHConfigWords) throws(SSHConfigFault) -> [String] {
    do throws(SSHConfigWordsError) {
      return try words.arguments()
    } catch {
      throw .init(error.reason)
    }
  }

  /// A port from 1 to 65,535, or that of a service.
  static func port(_ text: String, service: (String) -> UInt16?) -> UInt16? {
    if let number = Int32(text) { return number > 0 ? UInt16(exactly: number) : nil }
    return service(text).flatMap { $0 > 0 ? $0 : nil }
  }

  /// Seconds of a time such as `90`, `10m` or `1h30m`.
  static func seconds(_ text: String) -> Int32? {
    var total: Int64 = 0
    var rest = text.utf8[...]
    guard !rest.isEmpty else { return nil }
    while !rest.isEmpty {
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      guard let number = Int64(Substring(digits)), number <= Int64(Int32.max) else { return nil }
      rest = rest.dropFirst(digits.count)
      var unit: Int64 = 1
      if let letter = rest.popFirst() {
        switch letter | 0x20 {
        case UInt8(ascii: "s"): unit = 1
        case UInt8(ascii: "m"): unit = 60
        case UInt8(ascii: "h"): unit = 3600
        case UInt8(ascii: "d"): unit = 86_400
        case UInt8(ascii: "w"): unit = 604_800
        default: return nil
        }
      }
      total += number * unit
      guard total <= Int64(Int32.max) else { return nil }
    }
    return Int32(total)
  }
}

/// A problem whose place is not known yet.
struct SSHConfigFault: Error {
  let reason: SSHConfigProblem.Reason

  init(_ reason: SSHConfigProblem.Reason) { self.reason = reason }
}

/// A file to start reading at.
public struct SSHConfigSource: Hashable, Sendable {
  /// Its absolute path.
  public var path: String
  /// Whether it is the person's own: relative includes are below `~/.ssh` then, else `/etc/ssh`.
  public var isOwn: Bool
  /// Whether it is refused when others may change it.
  public var isChecked: Bool

  /// Names a file.
  public init(path: String, isOwn: Bool = true, isChecked: Bool = false) {
    self.path = path
    self.isOwn = isOwn
    self.isChecked = isChecked
  }

  /// The files that `ssh` reads when none is named.
  public static func standard(home: String) -> [SSHConfigSource] {
    [
      SSHConfigSource(path: "\(home)/.ssh/config", isChecked: true),
      SSHConfigSource(path: "/etc/ssh/ssh_config", isOwn: false),
    ]
  }
}

/// Reads a configuration with everything that it includes.
///
/// Nothing is executed. A line that `ssh` would refuse becomes a problem and has no effect; the rest
/// is read all the same, but for the lines under a Host or Match line that cannot be read: they are for nobody.
public struct SSHConfigLoader<Reading: SSHConfigReading> {
  private let machine: SSHLocalMachine
  private let reading: Reading
  private let options: SSHOptionReader
  private var problems: [SSHConfigProblem] = []
  private var paths: [String] = []
  private var byteCount = 0
  private var isFull = false

  /// Makes a loader.
  public init(machine: SSHLocalMachine, reading: Reading) {
    self.machine = machine
    self.reading = reading
    options = SSHOptionReader(machine: machine) { reading.port(ofService: $0) }
  }

  /// Reads files and what they include; an absent file of several is as good as an empty one.
  ///
  /// - Parameter sources: Where to start, in the order in which they count.
  /// - Returns: The configuration.
  /// - Throws: The first file that cannot be read; the only one when it is absent.
  public mutating func load(_ sources: [SSHConfigSource]) throws(SSHConfigProblem) -> SSHConfig {
    var files: [SSHConfig.File] = []
    for source in sources {
      do throws(SSHConfigFileError) {
        let text = try reading.read(source.path, isChecked: source.isChecked)
        files.append(parse(text, source, above: []))
      } catch {
        if error == .absent, sources.count > 1 { continue }
        throw SSHConfigProblem(
          .includeUnreadable(path: source.path, error),
          at: SourcePlace(path: source.path, line: 0)
        )
      }
    }
    return SSHConfig(files: files, problems: problems, paths: paths)
  }

  private mutating func parse(
    _ text: [UInt8],
    _ source: SSHConfigSource,
    above: [String]
  ) -> SSHConfig.File {
    paths.append(source.path)
    byteCount += text.count
    var statements: [SSHConfig.Statement] = []
    // Editors of other systems put a mark in front of UTF-8.
    var rest = text.starts(with: [0xEF, 0xBB, 0xBF]) ? text.dropFirst(3) : text[...]
    var number = 0
    while !rest.isEmpty {
      number += 1
      let line = rest.prefix { $0 != 0x0A }
      rest = rest[line.endIndex...].dropFirst()
      let place = SourcePlace(path: source.path, line: number)
      do throws(SSHConfigFault) {
        guard line.count <= SSHConfigLimits.lineLength else { throw .init(.lineTooLong) }
        guard let words = SSHConfigWords(line) else { continue }
        guard !words.rest.isEmpty else {
          throw .init(.missingArgument(keyword: SSHPattern.lowered(words.keyword)))
        }
        let body = try body(words, place, source, above)
        statements.append(SSHConfig.Statement(place: place, body: body))
      } catch {
        let keyword = SSHConfigWords(line).map { SSHPattern.lowered($0.keyword) }
        guard keyword == "host" || keyword == "match" else {
          note(error.reason, place)
          if let option = keyword.flatMap(SSHOption.init(keyword:)), option.isAboutTheWay {
            let body = SSHConfig.Body.unreadable(option, error.reason)
            statements.append(SSHConfig.Statement(place: place, body: body))
          }
          continue
        }
        // The lines under it must not become those of the block before.
        note(.block(error.reason), place)
        statements.append(SSHConfig.Statement(place: place, body: .host([])))
      }
    }
    return SSHConfig.File(isOwn: source.isOwn, statements: statements)
  }

  private mutating func body(
    _ words: SSHConfigWords,
    _ place: SourcePlace,
    _ source: SSHConfigSource,
    _ above: [String]
  ) throws(SSHConfigFault) -> SSHConfig.Body {
    let name = SSHPattern.lowered(words.keyword)
    switch name {
    case "host":
      let arguments = try options.arguments(words)
      guard !arguments.contains("") else { throw .init(.emptyArgument(keyword: name)) }
      return .host(arguments.map(SSHConfig.HostPattern.init))
    case "match":
      _ = try options.arguments(words)
      return .match(try SSHMatchCriterion.list(try criteria(words)))
    case "include":
      return .include(try include(try options.arguments(words), place, source, above))
    default:
      if let option = SSHOption(keyword: name) {
        return .option(option, try options.values(of: option, in: words))
      }
      return SSHOption.unused.contains(name)
        ? .unused(keyword: words.keyword) : .unknown(keyword: words.keyword)
    }
  }

  private func criteria(_ words: SSHConfigWords) throws(SSHConfigFault) -> [String] {
    do throws(SSHConfigWordsError) {
      return try words.criteria()
    } catch {
      throw .init(error.reason)
    }
  }

  // MARK: - Includes

  private mutating func include(
    _ patterns: [String],
    _ place: SourcePlace,
    _ source: SSHConfigSource,
    _ above: [String]
  ) throws(SSHConfigFault) -> [SSHConfig.File] {
    let above = above + [source.path]
    var files: [SSHConfig.File] = []
    for pattern in patterns {
      guard !pattern.isEmpty else { throw .init(.emptyArgument(keyword: "include")) }
      guard source.isOwn || !pattern.hasPrefix("~") else { throw .init(.invalidInclude(pattern)) }
      var path = pattern
      if !path.hasPrefix("/"), !path.hasPrefix("~") {
        path = (source.isOwn ? "~/.ssh/" : "/etc/ssh/") + path
      }
      do throws(SSHConfigFileError) {
        for found in try reading.paths(matching: path) {
          guard let file = included(found, place, source, above) else { continue }
          files.append(file)
        }
      } catch {
        note(.includeUnreadable(path: pattern, error), place)
      }
    }
    return files
  }

  private mutating func included(
    _ path: String,
    _ place: SourcePlace,
    _ source: SSHConfigSource,
    _ above: [String]
  ) -> SSHConfig.File? {
    guard !above.contains(path) else {
      note(.includeCycle(path: path), place)
      return nil
    }
    guard above.count <= SSHConfigLimits.depth else {
      note(.includeTooDeep(path: path), place)
      return nil
    }
    guard !isFull, paths.count < SSHConfigLimits.files, byteCount < SSHConfigLimits.bytes else {
      // Said once; every further file would only say it again.
      if !isFull { note(.tooMuch, place) }
      isFull = true
      return nil
    }
    do throws(SSHConfigFileError) {
      let text = try reading.read(path, isChecked: true)
      let inner = SSHConfigSource(path: path, isOwn: source.isOwn, isChecked: true)
      return parse(text, inner, above: above)
    } catch {
      // Gone since the folder was searched, or a folder itself: `ssh` finds nothing in it either.
      if error != .absent, error != .notRegular {
        note(.includeUnreadable(path: path, error), place)
      }
      return nil
    }
  }

  private mutating func note(_ reason: SSHConfigProblem.Reason, _ place: SourcePlace) {
    guard problems.count < SSHConfigLimits.problems || reason == .tooMuch else { return }
    problems.append(SSHConfigProblem(reason, at: place))
  }
}

/// How much of a configuration is read.
public enum SSHConfigLimits {
  /// How deep includes may be nested.
  public static let depth = 16
  /// How many files are read.
  public static let files = 1024
  /// How many bytes one file may have.
  public static let fileBytes = 4 << 20
  /// After how many bytes no further file is read.
  public static let bytes = 16 << 20
  /// How long a line may be, in bytes.
  public static let lineLength = 65_536
  /// How many problems are kept.
  public static let problems = 1000
}

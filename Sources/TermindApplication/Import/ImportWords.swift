public import TermindDomain

/// The words of import reports.
public enum ImportWords {
  /// Why an option is left out.
  public static func text(_ reason: DroppedOption.Reason) -> String {
    switch reason {
    case .noCounterpart: "saved hosts have nothing like it"
    case .unknown(let isExpected):
      isExpected ? "unknown, as the file expects" : "unknown option"
    case .runsProgram: "no program is run to connect"
    case .conditionRunsProgram: "the block is not imported: its condition runs a program"
    case .conditionNotJudged: "the block is not imported: its condition is only known to ssh"
    case .notCanonicalized: "the name service is not asked for the full name"
    case .fileAbsent: "no such file"
    case .foreignKey(let kind): "\(kind) keys are not read; convert it to OpenSSH's format"
    case .expansion(let error): text(error)
    case .route(let error): text(error)
    case .jumpOptions: "options of jump hosts are not imported"
    case .invalid(let problem): text(problem)
    case .unreadable: "cannot be read"
    }
  }

  /// What there is to know about a file.
  public static func text(_ kind: ImportNote.Kind) -> String {
    switch kind {
    case .problem(let reason): text(reason)
    case .neverApplies(let name): "\(name): no block that names it applies to it"
    case .leadsElsewhere(let name, let keyword):
      "\(name) is left out: its \(keyword) cannot be read, and ssh would refuse the file"
    case .otherProtocol(let name, let other): "\(name): a session of \(other), not of SSH"
    case .noAddress(let name): "\(name): no address"
    case .unreadable(let error): text(error)
    case .unknownColumn(let name): "column \(name) is not used"
    case .tooManyHosts(let limit): "only the first \(limit) hosts are read"
    case .tooManyKeyFiles(let limit): "only the first \(limit) key files are looked at"
    }
  }

  /// Why a text cannot be read.
  public static func text(_ error: ImportTextError) -> String {
    switch error {
    case .tooLarge(let limit): "larger than \(limit) bytes"
    case .encoding: "neither UTF-8 nor UTF-16"
    case .wrongFormat: "not a file of this kind"
    case .quotes: "a quote is not closed, or something follows it"
    case .tooManyFields(let expected): "more than \(expected) fields"
    case .missingColumn(let name): "no column \(name)"
    case .repeatedColumn(let name): "column \(name) stands there twice"
    case .invalidField(let column, let problem): "\(column): \(text(problem))"
    case .invalidValue(let name): "the value of \(name) cannot be read"
    }
  }

  /// What is wrong with a field of a host.
  public static func text(_ error: FieldError<HostField>) -> String {
    "\(error.field.rawValue): \(text(error.problem))"
  }

  /// What is wrong with a value.
  public static func text(_ problem: FieldProblem) -> String {
    switch problem {
    case .empty: "is empty"
    case .blankAtEnds: "has blanks at its ends"
    case .invisibleCharacters: "has characters that cannot be seen"
    case .tooLong(let limit): "is longer than \(limit) bytes"
    case .tooMany(let limit): "more than \(limit)"
    case .notInRange(let range): "is no number from \(range.lowerBound) to \(range.upperBound)"
    case .target: "is no host, address or account"
    case .notAbsolute: "is no absolute path"
    case .duplicate(let text): text.isEmpty ? "stands there twice" : "\(text) stands there twice"
    case .taken: "is taken"
    case .invalidName(let name): "\(name) is no name that is allowed"
    case .missing: "names something that is not there"
    case .cycle(let names): "leads back to itself: \(names.joined(separator: " → "))"
    }
  }

  /// Why a key file cannot be taken over.
  public static func text(_ problem: KeyFileProblem) -> String {
    switch problem {
    case .absent: "no such file"
    case .publicOnly: "only a public key"
    case .publicHalfHidden: "locked, and without its .pub file beside it"
    case .permissionsTooOpen(let mode): "others may read it (mode \(String(mode, radix: 8)))"
    case .unsupported(let kind): "\(kind) is not read"
    case .unreadable(let reason): reason
    }
  }

  /// Why a value cannot be expanded.
  public static func text(_ error: SSHExpansionError) -> String {
    switch error {
    case .unknownToken(let token): "\(token) is not known here"
    case .missingVariable(let name): "the variable \(name) is not set"
    case .invalidVariable(let name): "\(name) is no variable"
    case .otherHome(let name): "the home of \(name) is not looked up"
    }
  }

  /// Why no way leads to a host.
  public static func text(_ error: SSHConfigRouteError) -> String {
    switch error {
    case .refused(let problem): "\(problem.place): \(text(problem.reason))"
    case .proxyCommand(let alias, let place):
      "\(alias) is reached through a program (\(place)), which is not run"
    case .invalidJump(let alias, let place, let error):
      "the jump hosts of \(alias) (\(place)): \(text(error))"
    case .cycle(let names): "leads back to itself: \(names.joined(separator: " → "))"
    case .tooManyHops(let count): "\(count) hops; \(Route.maximumHops) are possible"
    }
  }

  /// Why an alias leads nowhere.
  public static func text(_ error: SSHConfigAliasError) -> String {
    switch error {
    case .refused(let problem): "\(problem.place): \(text(problem.reason))"
    case .route(let error): text(error)
    case .invalidTarget(let target, _): "\(target) is no account and host"
    }
  }

  /// What `ssh` would refuse.
  public static func text(_ reason: SSHConfigProblem.Reason) -> String {
    switch reason {
    case .missingArgument(let keyword): "\(keyword) has no value"
    case .emptyArgument(let keyword): "\(keyword) has an empty value"
    case .extraArguments(let keyword): "\(keyword) has too many values"
    case .block(let reason): "\(text(reason)); the lines under it are for no host"
    case .invalidQuotes: "a quote is not closed"
    case .unsupportedValue(let keyword, let value): "\(keyword) cannot be \(value)"
    case .invalidPort(let value): "\(value) is no port"
    case .invalidNumber(let keyword, let value): "\(keyword): \(value) is no number"
    case .invalidTime(let keyword, let value): "\(keyword): \(value) is no time"
    case .invalidJump(let value): "\(value) are no jump hosts"
    case .invalidForward(let value): "\(value) is no forwarding"
    case .invalidVariable(let value): "\(value) is no variable"
    case .noneNotAlone(let keyword): "\(keyword): none stands beside other values"
    case .missingCriterion(let word): "\(word) has no condition"
    case .unknownCriterion(let word): "Match does not know \(word)"
    case .allCombined: "all stands beside other conditions"
    case .tooManyValues(let keyword): "\(keyword) stands there too often"
    case .invalidInclude(let path): "\(path): no ~ in files of the system"
    case .includeUnreadable(let path, let error): "\(path): \(text(error))"
    case .includeCycle(let path): "\(path) includes itself"
    case .includeTooDeep(let path): "\(path): includes are nested too deep"
    case .tooMuch: "too many files, or too much text; the rest is not read"
    case .lineTooLong: "the line is too long"
    case .invalidText: "not UTF-8"
    case .expansion(let keyword, let error): "\(keyword): \(text(error))"
    }
  }

  /// Why a file cannot be read.
  public static func text(_ error: SSHConfigFileError) -> String {
    switch error {
    case .absent: "no such file"
    case .notRegular: "not a regular file"
    case .tooLarge(let byteCount): "too large (\(byteCount) bytes)"
    case .insecure: "others may change it; ssh would refuse it"
    case .patternFailed: "too many files, or folders that cannot be searched"
    case .unreadable(let diagnostic): diagnostic
    }
  }

  /// A text without anything that a terminal would act on.
  static func visible(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isInvisible) else { return text }
    return text.unicodeScalars.reduce(into: "") { result, scalar in
      if isInvisible(scalar) {
        result += "\u{FFFD}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
  }

  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}

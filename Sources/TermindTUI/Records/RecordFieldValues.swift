import TermindApplication
import TermindDomain

/// Reads values of fields as they are typed, and says what is wrong with them.
nonisolated enum RecordFieldValues {
  /// An error about one field.
  static func invalid(_ field: String, _ text: String) -> ControlError {
    ControlError(.invalid, "\(field): \(text).")
  }

  static func invalid(_ field: String, _ problem: FieldProblem) -> ControlError {
    ControlError(.invalid, "Nothing was saved: \(field) \(ImportWords.text(problem)).")
  }

  /// The last value; a newline in it becomes a blank.
  static func line(_ values: [String]) -> String { SingleLine.normalised(values.last ?? "") }

  static func flag(_ field: String, _ values: [String]) throws(ControlError) -> Bool {
    switch values.last?.lowercased() {
    case "yes", "true", "on", "1": return true
    case "no", "false", "off", "0": return false
    default: throw invalid(field, "'\(values.last ?? "")' is neither yes nor no")
    }
  }

  /// One of the raw values of a choice.
  static func choice<Value>(
    _ field: String,
    _ values: [String],
    _ known: [(String, Value)]
  ) throws(ControlError) -> Value {
    let text = values.last ?? ""
    if let found = known.first(where: { $0.0 == text.lowercased() }) { return found.1 }
    throw ControlError(
      .invalid,
      NearName.sentence("\(field): there is no '\(text)'", text, among: known.map(\.0)) + "."
    )
  }

  static func port(_ values: [String]) throws(ControlError) -> UInt16 {
    do throws(FieldProblem) { return try FieldText.port(values.last ?? "") } catch {
      throw invalid("port", error)
    }
  }

  static func address(_ values: [String]) throws(ControlError) -> String {
    do throws(FieldProblem) { return try FieldText.address(values.last ?? "") } catch {
      throw invalid("address", error)
    }
  }

  static func environment(_ values: [String]) throws(ControlError) -> [EnvironmentVariable] {
    var result: [EnvironmentVariable] = []
    for value in values {
      guard let mark = value.firstIndex(of: "=") else {
        throw invalid("env", "'\(value)' is no NAME=VALUE")
      }
      let variable = EnvironmentVariable(
        name: String(value[..<mark]),
        value: String(value[value.index(after: mark)...])
      )
      if let problem = variable.problem { throw invalid("env", problem) }
      result.append(variable)
    }
    return result
  }

  /// A change of a list: what it was, with values put in its place, added, or removed.
  static func list<Value: Equatable>(
    _ old: [Value],
    _ change: RecordChange,
    _ read: ([String]) throws(ControlError) -> [Value],
    isSame: (Value, Value) -> Bool = { $0 == $1 }
  ) throws(ControlError) -> [Value] {
    switch change {
    case .unset: return []
    case .set(_, let values): return try read(values)
    case .add(_, let values):
      let new = try read(values)
      return old.filter { one in !new.contains { isSame(one, $0) } } + new
    case .remove(let field, let values):
      let gone = try read(values)
      for (value, text) in zip(gone, values)
      where !old.contains(where: { isSame($0, value) }) {
        throw ControlError(.notFound, "\(field): there is no '\(text)' to remove.")
      }
      return old.filter { one in !gone.contains { isSame(one, $0) } }
    }
  }
}

extension RecordChange {
  /// The values of a change that sets; none when the field is to be as in a new record.
  nonisolated var values: [String]? {
    switch self {
    case .set(_, let values), .add(_, let values), .remove(_, let values): values
    case .unset: nil
    }
  }
}

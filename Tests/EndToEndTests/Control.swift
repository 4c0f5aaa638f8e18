import Foundation
import TermindTestSupport

/// What `termind ctl panes --json` tells of a pane.
struct PaneRow: Decodable {
  var id: Int
  var workspace: Int
  var window: Int
  var kind: String
  var title: String
  var state: String
  var reason: String?
  var host: String?
  var notes: [String]?
  var directory: String?
  var exitStatus: Int?
  var focused: Bool
  var rows: Int
  var columns: Int
}

/// What `termind ctl workspaces --json` tells of a workspace.
struct WorkspaceRow: Decodable {
  var id: Int
  var name: String
  var window: Int
  var active: Bool
  var zoomed: Bool
  var panes: [Int]
}

/// What `termind ctl windows --json` tells of a window.
struct WindowRow: Decodable {
  var id: Int
  var name: String
  var attached: Bool
  var active: Bool
  var rows: Int
  var columns: Int
  var workspaces: [Int]
}

/// What a verb made.
struct CreatedRow: Decodable {
  var window: Int
  var workspace: Int
  var panes: [Int]
}

/// What a verb that was refused prints.
struct ControlFailure: Decodable {
  struct Detail: Decodable {
    var code: String
    var message: String
  }
  var error: Detail
}

extension TerminalHome {
  /// Runs `termind ctl` and gives its status with what it printed.
  func control(_ arguments: String...) async throws -> (status: Int32, text: String) {
    try await control(arguments)
  }

  func control(_ arguments: [String]) async throws -> (status: Int32, text: String) {
    let started = try TestProgram(program, ["ctl"] + arguments, environment: variables)
    return (try await started.waitForExit(), started.text)
  }

  /// Runs a verb that has to succeed, and gives what it printed.
  @discardableResult
  func verb(_ arguments: String...) async throws -> String {
    let (status, text) = try await control(arguments)
    guard status == 0 else { throw TestFailure("ctl \(arguments) exited with \(status): \(text)") }
    return text
  }

  /// Runs a verb that has to be refused, and gives its status with the error's code.
  func refusal(_ arguments: String...) async throws -> (status: Int32, code: String) {
    let (status, text) = try await control(arguments)
    let failure = try JSONDecoder().decode(ControlFailure.self, from: Data(text.utf8))
    return (status, failure.error.code)
  }

  /// Runs a verb with `--json` and reads what it printed.
  func read<Value: Decodable>(_ type: Value.Type, _ arguments: String...) async throws -> Value {
    let words = arguments.prefix(1) + ["--json"] + arguments.dropFirst()
    let (status, text) = try await control(Array(words))
    guard status == 0 else { throw TestFailure("ctl \(arguments) exited with \(status): \(text)") }
    return try JSONDecoder().decode(type, from: Data(text.utf8))
  }

  func panes() async throws -> [PaneRow] { try await read([PaneRow].self, "panes") }
  func workspaces() async throws -> [WorkspaceRow] {
    try await read([WorkspaceRow].self, "workspaces")
  }
  func windows() async throws -> [WindowRow] { try await read([WindowRow].self, "windows") }

  /// The number of the pane that has the focus.
  func focus() async throws -> Int {
    let front = try await workspaces().filter(\.active).map(\.id)
    guard let pane = try await panes().first(where: { $0.focused && front.contains($0.workspace) })
    else { throw TestFailure("no pane has the focus") }
    return pane.id
  }

  /// Waits until a row of a pane matches a regular expression.
  func wait(_ pane: Int? = nil, for pattern: String) async throws {
    let target = pane.map { ["--pane", "\($0)"] } ?? []
    let (status, text) = try await control(["wait", "--text", pattern, "--timeout", "60"] + target)
    guard status == 0 else {
      let screen = try await control(["capture"] + target).text
      throw TestFailure("'\(pattern)' did not come: \(text)\(screen)")
    }
  }

  /// Types a line into a pane and presses Enter.
  func enter(_ pane: Int, _ line: String) async throws {
    try await verb("send-text", "--pane", "\(pane)", "--text", line + "\r")
  }

  /// Asks again and again until a condition holds; throws when that takes too long.
  func poll<Value>(
    _ what: String,
    _ ask: (TerminalHome) async throws -> Value,
    until condition: (Value) -> Bool
  ) async throws -> Value {
    let clock = ContinuousClock()
    let deadline = clock.now + .seconds(60)
    while true {
      let value = try await ask(self)
      if condition(value) { return value }
      guard clock.now < deadline else { throw TestFailure("\(what) did not come: \(value)") }
      try await Task.sleep(for: .milliseconds(40))
    }
  }
}

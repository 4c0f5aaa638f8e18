import TermindDomain

/// A command that the shell of a pane runs.
struct RunningCommand {
  /// Its line, as the shell told it; nil when it is not known.
  var text: String?
  /// When it was begun, as the wall clock has it.
  var started: Int64
}

/// A command of a pane that has ended.
struct EndedCommand {
  /// Its line; nil when it is not known.
  var text: String?
  /// Its exit status; nil where the shell does not tell it.
  var status: Int?
  /// How long it ran; nil where the shell does not tell it.
  var duration: Duration?
}

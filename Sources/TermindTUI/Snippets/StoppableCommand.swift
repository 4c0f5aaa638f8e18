/// A command for a host that can be told to end there, though not every engine can send a signal.
///
/// Before the command `sh` leaves a watcher beside it, which reads the channel's input. A byte that comes there ends
/// the command's whole process group; the end of the input, as after a lost connection, ends nothing. The command
/// itself is read by the account's own shell as it stands, and nothing is left behind. See Docs/Snippets.md.
nonisolated enum StoppableCommand {
  /// The input that ends the command.
  ///
  /// No line, and no key that confirms anything: the text itself may read the same input.
  static let stop: [UInt8] = [0x18]
  /// How a command ends where no `sh` was found, before anything of the text was run.
  static let refusal = 117
  /// What is written first where the watcher runs: an OSC sequence that terminals drop.
  static let mark = Array("\u{1B}]7717;2\u{07}".utf8)

  /// The text for an `exec` request.
  ///
  /// The words of the first line read alike in the shells of the Bourne family, in csh and in fish. A host without `sh`
  /// runs nothing of the command. The group is that of the shell, which servers start as its leader; where it is not,
  /// nothing is ended.
  static func command(_ text: String) -> String {
    let watcher = "[ -n \"$(dd bs=1 count=1 <&3 2>/dev/null)\" ] && kill -TERM -$PPID"
    let steps = "exec 3<&0; printf \"\\033]7717;2\\007\"; exec </dev/null >/dev/null 2>&1"
    return "/bin/sh -c '\(steps); { \(watcher); } &' || exit \(refusal)\n\(text)"
  }
}

/// Reads keymap files in Ghostty's keybind form.
///
/// Lines are `keybind = [repeat:]KEYS=ACTION`, `keybind = KEYS=unbind`, `keybind = clear`,
/// `leader = CHORD`, `base = KEYMAP`, `which-key-delay = MILLISECONDS` and `repeat-delay = MILLISECONDS`.
/// Later lines win. A line that is wrong changes nothing and is noted.
public enum KeymapParser {
  /// What a file gave.
  public struct Result: Sendable {
    /// The keymap, usable whatever the file holds.
    public var keymap: Keymap
    /// What was not understood, in order.
    public var notes: [ConfigurationNote]
  }

  /// Reads a keymap that stands for itself, or builds on the one that its `base` line names.
  ///
  /// - Parameters:
  ///   - text: The file's text.
  ///   - name: The keymap's name.
  ///   - file: What notes call the file.
  ///   - base: Gives the text of a keymap by name, for `base` lines; nil when there is none.
  /// - Returns: The keymap and the notes.
  public static func parse(
    _ text: String,
    name: String,
    file: String,
    base: (String) -> (text: String, file: String)? = { _ in nil }
  ) -> Result {
    var draft = KeymapDraft(name: name)
    var notes = draft.read(text, file: file, base: base)
    let (keymap, late) = draft.finished()
    notes += late
    return Result(keymap: keymap, notes: notes)
  }

  /// Reads a keymap, then the keymap lines of a person's general file, which win.
  static func parse(
    _ text: String,
    name: String,
    file: String,
    overriddenBy general: (text: String, file: String)?,
    base: (String) -> (text: String, file: String)?
  ) -> Result {
    var draft = KeymapDraft(name: name)
    var notes = draft.read(text, file: file, base: base)
    if let general {
      notes += draft.read(general.text, file: general.file, only: KeymapDraft.keys) { _ in nil }
    }
    let (keymap, late) = draft.finished()
    return Result(keymap: keymap, notes: notes + late)
  }
}

/// A keymap while its lines are read.
struct KeymapDraft {
  /// The settings that may also stand in a person's general file.
  static let keys: Set<String> = ["leader", "keybind", "which-key-delay", "repeat-delay"]
  /// `base` lines may lead from file to file this often.
  static let deepestBase = 4

  struct Line {
    let tokens: [SequenceToken]
    let action: Action
    let repeats: Bool
    let file: String
    let number: Int
  }

  let name: String
  var leader: KeyChord?
  private(set) var lines: [Line] = []
  var whichKeyDelay: Duration = .milliseconds(400)
  var repeatDelay: Duration = .milliseconds(600)

  init(name: String) { self.name = name }

  mutating func read(
    _ text: String,
    file: String,
    depth: Int = 0,
    only keys: Set<String>? = nil,
    base: (String) -> (text: String, file: String)?
  ) -> [ConfigurationNote] {
    var (settings, notes) = ConfigurationLines.read(text, file: file)
    if let keys {
      // The rest of that file, and what is wrong with its form, is told by who reads the rest.
      settings.removeAll { !keys.contains($0.key) }
      notes = []
    }
    func note(_ severity: ConfigurationNote.Severity, _ line: ConfigurationLine, _ reason: String) {
      notes.append(.init(severity, file: file, line: line.number, reason: reason))
    }
    for (index, line) in settings.enumerated() {
      switch line.key {
      case "base":
        if index > 0 {
          note(.error, line, "'base' must be the first setting of the file")
        } else if depth >= Self.deepestBase {
          note(.error, line, "too many keymaps build on each other")
        } else if let found = base(line.value) {
          notes += read(found.text, file: found.file, depth: depth + 1, base: base)
        } else {
          note(.error, line, "there is no keymap '\(line.value)'")
        }
      case "leader": readLeader(line, note)
      case "keybind": readBinding(line, file: file, note)
      case "which-key-delay": readDelay(line, \.whichKeyDelay, note)
      case "repeat-delay": readDelay(line, \.repeatDelay, note)
      default: note(.remark, line, "'\(line.key)' is no setting of a keymap; the line is ignored")
      }
    }
    return notes
  }

  private typealias Noting = (ConfigurationNote.Severity, ConfigurationLine, String) -> Void

  private mutating func readLeader(_ line: ConfigurationLine, _ note: Noting) {
    if line.value == "none" {
      leader = nil
      return
    }
    do throws(KeySyntaxError) {
      leader = try KeyChord(text: line.value)
    } catch {
      note(.error, line, error.description)
    }
  }

  private mutating func readDelay(
    _ line: ConfigurationLine,
    _ path: WritableKeyPath<KeymapDraft, Duration>,
    _ note: Noting
  ) {
    guard let value = Int(line.value), (0...10_000).contains(value) else {
      note(.error, line, "'\(line.key)' is a number of milliseconds from 0 to 10000")
      return
    }
    self[keyPath: path] = .milliseconds(value)
  }

  private mutating func readBinding(_ line: ConfigurationLine, file: String, _ note: Noting) {
    if line.value == "clear" {
      lines = []
      return
    }
    var reader = ChordReader(text: line.value)
    var repeats = false
    while let flag = reader.flag() {
      if flag == "repeat" {
        repeats = true
      } else {
        note(.remark, line, "the flag '\(flag)' means nothing here and is ignored")
      }
    }
    let tokens: [SequenceToken]
    do throws(KeySyntaxError) {
      tokens = try reader.sequence()
    } catch {
      note(.error, line, error.description)
      return
    }
    let text = String(ConfigurationLines.trim(reader.rest))
    if text == "unbind" {
      lines.removeAll { $0.tokens.starts(with: tokens) }
      return
    }
    do throws(ActionSyntaxError) {
      let action = try Action(text: text)
      replace(
        with: Line(
          tokens: tokens,
          action: action,
          repeats: repeats,
          file: file,
          number: line.number
        )
      )
    } catch {
      note(.error, line, error.description)
    }
  }

  /// A new line takes the place of one with the same keys.
  private mutating func replace(with line: Line) {
    if let place = lines.indices.first(where: { lines[$0].tokens == line.tokens }) {
      lines[place] = line
    } else {
      lines.append(line)
    }
  }

  /// Puts the leader in and drops what cannot be reached any more.
  func finished() -> (keymap: Keymap, notes: [ConfigurationNote]) {
    var notes: [ConfigurationNote] = []
    var bindings: [(binding: KeyBinding, line: Line)] = []
    var root: [KeyChord: Keymap.Node] = [:]
    for line in lines {
      guard let keys = resolved(line.tokens) else {
        let reason = "the binding uses 'leader', but the keymap sets none"
        notes.append(.init(.error, file: line.file, line: line.number, reason: reason))
        continue
      }
      let binding = KeyBinding(keys: keys, action: line.action, repeats: line.repeats)
      // Hardly any binding takes an earlier one away; the others only pass through the tree.
      if Keymap.isTaken(keys, in: root) {
        drop(keys, from: &bindings, for: line, &notes)
        root = Keymap.tree(of: bindings.map(\.binding))
      }
      Keymap.insert(binding, keys[...], into: &root)
      bindings.append((binding, line))
    }
    let keymap = Keymap(
      name: name,
      leader: leader,
      bindings: bindings.map(\.binding),
      root: root,
      whichKeyDelay: whichKeyDelay,
      repeatDelay: repeatDelay
    )
    return (keymap, notes)
  }

  /// Drops the earlier bindings that cannot be reached beside one with these keys.
  private func drop(
    _ keys: [KeyChord],
    from bindings: inout [(binding: KeyBinding, line: Line)],
    for line: Line,
    _ notes: inout [ConfigurationNote]
  ) {
    bindings.removeAll { earlier in
      let lost = earlier.binding.keys.starts(with: keys) || keys.starts(with: earlier.binding.keys)
      if lost, earlier.binding.keys != keys {
        let text = earlier.binding.keysText
        let reason = "'\(text)' of line \(earlier.line.number) cannot be reached any more"
        notes.append(.init(.remark, file: line.file, line: line.number, reason: reason))
      }
      return lost
    }
  }

  private func resolved(_ tokens: [SequenceToken]) -> [KeyChord]? {
    var keys: [KeyChord] = []
    for token in tokens {
      switch token {
      case .chord(let chord): keys.append(chord)
      case .leader:
        guard let leader else { return nil }
        keys.append(leader)
      }
    }
    return keys
  }
}

public import TermindScreen

/// The fields of a record, to read and to edit; scrolls when they are more than fit.
public struct RecordForm: Hashable, Sendable {
  /// What a key did.
  public enum Answer: Hashable, Sendable {
    /// The key is not for the form.
    case ignored
    /// The focus or the cursor moved.
    case moved
    /// What a field holds changed.
    case changed
    /// The list of a field, or what a button does, is wanted.
    case open(String)
    /// Saving is wanted.
    case save
    /// Leaving without saving is wanted.
    case cancel
  }

  /// What stands in the border above.
  public var title: String
  /// The fields, top to bottom.
  public var fields: [FormField]
  /// Whether the fields take keys; otherwise they are only to read.
  public var isEditing = false
  /// The field that takes the keys, as a place in `fields`.
  public private(set) var focused: Int
  /// The first line that is shown.
  var firstLine = 0
  /// Whether the focused field has to be in sight; not after scrolling by the wheel.
  var followsFocus = true
  private var original: [String: FormField.Content]

  /// Makes a form; the first field that can have the focus has it.
  public init(title: String, fields: [FormField]) {
    self.title = title
    self.fields = fields
    focused = fields.firstIndex(where: \.takesFocus) ?? 0
    original = Self.contents(fields)
  }

  /// The field with an id.
  public subscript(id: String) -> FormField? {
    get { fields.first { $0.id == id } }
    set {
      guard let index = fields.firstIndex(where: { $0.id == id }), let newValue else { return }
      fields[index] = newValue
    }
  }

  /// What is typed in a field; empty when there is no such field.
  public func text(_ id: String) -> String { self[id]?.text ?? "" }

  /// The editor of a field of several lines; nil when there is none.
  func area(_ id: String) -> TextArea? {
    if case .area(let area, _) = self[id]?.value { area } else { nil }
  }

  /// Sets a text to read.
  public mutating func setInfo(_ id: String, _ text: String) { self[id]?.value = .info(text) }

  /// Whether anything differs from what the form was made with.
  public var isChanged: Bool { fields.contains { $0.content != original[$0.id] } }

  /// Whether a field differs from what the form was made with.
  public func isChanged(_ id: String) -> Bool {
    self[id].map { $0.content != original[id] } ?? false
  }

  /// Takes the fields as they are as saved.
  public mutating func settle() { original = Self.contents(fields) }

  /// The first field that is wrong.
  public var firstProblem: FormField? { fields.first { !$0.problem.isEmpty } }

  private static func contents(_ fields: [FormField]) -> [String: FormField.Content] {
    Dictionary(fields.map { ($0.id, $0.content) }, uniquingKeysWith: { first, _ in first })
  }

  // MARK: - Keys

  /// Takes a key.
  ///
  /// Tab and arrows move between fields, space turns a choice or a toggle, enter goes on (in several
  /// lines it breaks the line) and saves in the last field; Ctrl-S saves anywhere, escape leaves.
  public mutating func handle(_ event: KeyEvent) -> Answer {
    guard event.kind != .release, fields.indices.contains(focused) else { return .ignored }
    followsFocus = true
    let held = event.modifiers.intersection([.control, .alt, .super])
    switch (event.code, held) {
    case (.escape, []): return .cancel
    case (.character(0x73), .control): return .save
    case (.tab, []): return move(by: event.modifiers.contains(.shift) ? -1 : 1)
    case (.pageDown, []): return move(by: 8, wraps: false)
    case (.pageUp, []): return move(by: -8, wraps: false)
    default: break
    }
    switch fields[focused].value {
    case .area(var area, let rows):
      let before = area.revision
      if area.handle(event) {
        fields[focused].value = .area(area, rows: rows)
        return area.revision == before ? .moved : .changed
      }
    case .text(var field):
      if let edit = TextField.Edit(event) {
        let isChanged = field.apply(edit)
        fields[focused].value = .text(field)
        return isChanged ? .changed : .moved
      }
    case .choice, .toggle:
      let before = fields[focused].content
      switch event.code {
      case .right, .character(0x20): fields[focused].turn(by: 1)
      case .left: fields[focused].turn(by: -1)
      default: break
      }
      if fields[focused].content != before { return .changed }
      if case .character = event.code { return chooseByLetter(event) }
    case .picks(let names):
      switch event.code {
      case .enter, .keypad(.enter), .character(0x20), .right: return .open(fields[focused].id)
      case .backspace, .delete:
        guard !names.isEmpty else { return .moved }
        fields[focused].value = .picks(Array(names.dropLast()))
        return .changed
      default: break
      }
    case .button:
      switch event.code {
      case .enter, .keypad(.enter), .character(0x20): return .open(fields[focused].id)
      default: break
      }
    case .info, .heading: break
    }
    return handleMovement(event)
  }

  private mutating func handleMovement(_ event: KeyEvent) -> Answer {
    switch event.code {
    case .enter, .keypad(.enter):
      return focused == fields.lastIndex(where: \.takesFocus) ? .save : move(by: 1)
    case .up: return move(by: -1)
    case .down: return move(by: 1)
    default: return .ignored
    }
  }

  /// Chooses the next word that starts with a letter.
  private mutating func chooseByLetter(_ event: KeyEvent) -> Answer {
    guard case .choice(let words, let selected) = fields[focused].value,
      case .character(let code) = event.code, let scalar = Unicode.Scalar(code),
      event.modifiers.isDisjoint(with: [.control, .alt, .super])
    else { return .ignored }
    let letter = String(Character(scalar)).lowercased()
    let order = (1...max(words.count, 1)).map { (selected + $0) % max(words.count, 1) }
    guard let found = order.first(where: { words[$0].lowercased().hasPrefix(letter) }) else {
      return .ignored
    }
    fields[focused].value = .choice(words, selected: found)
    return .changed
  }

  /// Types text into the focused field, as a paste does.
  ///
  /// - Returns: Whether the text was taken.
  public mutating func paste(_ text: String) -> Bool {
    guard isEditing, fields.indices.contains(focused) else { return false }
    followsFocus = true
    return fields[focused].apply(.insert(text))
  }

  /// Gives a field the focus.
  public mutating func focus(_ id: String) {
    guard let index = fields.firstIndex(where: { $0.id == id }) else { return }
    focus(index)
  }

  /// Gives the field at a place the focus.
  public mutating func focus(_ index: Int) {
    guard fields.indices.contains(index), fields[index].takesFocus else { return }
    focused = index
    followsFocus = true
  }

  private mutating func move(by step: Int, wraps: Bool = true) -> Answer {
    let places = fields.indices.filter { fields[$0].takesFocus }
    guard let at = places.firstIndex(of: focused), !places.isEmpty else { return .ignored }
    let next = at + step
    focused =
      wraps
      ? places[(next + places.count) % places.count]
      : places[min(max(next, 0), places.count - 1)]
    return .moved
  }

  // MARK: - Mouse

  /// Takes a click on a field: it gets the focus, and a choice, a toggle, a list or a button acts.
  public mutating func click(_ index: Int) -> Answer {
    guard fields.indices.contains(index), fields[index].takesFocus else { return .ignored }
    focus(index)
    switch fields[index].value {
    case .choice, .toggle:
      fields[index].turn(by: 1)
      return .changed
    case .picks, .button: return .open(fields[index].id)
    default: return .moved
    }
  }

  /// Scrolls without moving the focus; the next key brings it back into sight.
  public mutating func scroll(by lines: Int) {
    followsFocus = false
    firstLine = max(firstLine + lines, 0)
  }
}

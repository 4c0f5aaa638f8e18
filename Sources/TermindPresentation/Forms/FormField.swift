/// One labelled field of a record's form.
public struct FormField: Hashable, Sendable, Identifiable {
  /// What a field holds.
  public enum Value: Hashable, Sendable {
    /// One line that is typed.
    case text(TextField)
    /// Several lines that are typed; so many of them are shown.
    case area(TextArea, rows: Int)
    /// One of some words.
    case choice([String], selected: Int)
    /// On or off.
    case toggle(Bool)
    /// Records that are chosen in a list of their own, in order; their names.
    case picks([String])
    /// Something to read only.
    case info(String)
    /// Something to press.
    case button
    /// A title over the fields that follow.
    case heading
  }

  /// Names it in its form.
  public let id: String
  /// What stands before it.
  public var label: String
  /// What it holds.
  public var value: Value
  /// What it says while it is empty: the value that is taken then.
  public var hint: String
  /// What is wrong with it; shown under it.
  public var problem: String
  /// What to know about it; shown under it while it has the focus.
  public var help: String
  /// What stands between chosen records.
  public var separator: String
  /// Whether it stands in the row of the field before.
  public var isBeside: Bool

  /// Makes a field.
  public init(
    _ id: String,
    _ label: String,
    _ value: Value,
    hint: String = "",
    help: String = "",
    separator: String = ", ",
    isBeside: Bool = false
  ) {
    self.id = id
    self.separator = separator
    self.label = label
    self.value = value
    self.hint = hint
    self.help = help
    self.isBeside = isBeside
    problem = ""
  }

  /// A field of one line.
  public static func text(
    _ id: String,
    _ label: String,
    _ text: String,
    hint: String = "",
    help: String = "",
    isSecret: Bool = false,
    isBeside: Bool = false
  ) -> FormField {
    FormField(
      id,
      label,
      .text(TextField(text, isSecret: isSecret)),
      hint: hint,
      help: help,
      isBeside: isBeside
    )
  }

  /// A title over the fields that follow.
  public static func heading(_ label: String) -> FormField {
    FormField("heading " + label, label, .heading)
  }

  /// Whether it says nothing that is not so without it; such fields are left out while one only reads.
  var isUsual: Bool {
    switch value {
    case .choice(_, let selected): selected == 0
    case .toggle(let isOn): !isOn
    case .button: true
    case .heading: false
    case .area(let area, _): area.isEmpty
    default: text.isEmpty
    }
  }

  /// Whether it can have the focus.
  public var takesFocus: Bool {
    switch value {
    case .info, .heading: false
    default: true
    }
  }

  /// What is typed or shown, as one text.
  public var text: String {
    switch value {
    case .text(let field): field.text
    case .area(let area, _): area.text
    case .choice(let words, let selected): words.indices.contains(selected) ? words[selected] : ""
    case .toggle(let isOn): isOn ? "yes" : "no"
    case .picks(let names): names.joined(separator: separator)
    case .info(let text): text
    case .button, .heading: ""
    }
  }

  /// The place of the chosen word; nil when it is no choice.
  public var choice: Int? {
    if case .choice(_, let selected) = value { return selected }
    return nil
  }

  /// The names of the chosen records; empty when it has none.
  public var names: [String] {
    if case .picks(let names) = value { return names }
    return []
  }

  /// Whether it is on; nil when it is no toggle.
  public var isOn: Bool? {
    if case .toggle(let isOn) = value { return isOn }
    return nil
  }

  /// What a field holds without where its cursor is, to tell whether something changed.
  enum Content: Hashable, Sendable {
    /// A short text.
    case text(String)
    /// A text of several lines, which is compared without being put together.
    case area(TextArea)

    static func == (left: Content, right: Content) -> Bool {
      switch (left, right) {
      case (.text(let left), .text(let right)): left == right
      case (.area(let left), .area(let right)): left.hasSameText(as: right)
      default: false
      }
    }

    func hash(into hasher: inout Hasher) {
      switch self {
      case .text(let text): hasher.combine(text)
      case .area(let area): hasher.combine(area.byteCount)
      }
    }
  }

  /// What it holds without where its cursor is.
  var content: Content {
    switch value {
    case .area(let area, _): .area(area)
    case .choice(_, let selected): .text(String(selected))
    case .text(let field) where field.isSecret: .text(String(repeating: "•", count: field.count))
    case .info, .button, .heading: .text("")
    default: .text(text)
    }
  }

  /// What to say while something that was put in had no room; empty otherwise.
  var cutNote: String {
    switch value {
    case .text(let field): field.cutNote
    case .area(let area, _) where area.leftOut > 0:
      CutText.note(leftOut: area.leftOut, limit: "\(area.byteLimit >> 10) KiB")
    default: ""
    }
  }

  /// Takes an edit of its text.
  ///
  /// - Returns: Whether the text changed.
  mutating func apply(_ edit: TextField.Edit) -> Bool {
    switch value {
    case .text(var field):
      let isChanged = field.apply(edit)
      value = .text(field)
      return isChanged
    case .area(var area, let rows):
      let before = area.revision
      area.apply(edit)
      value = .area(area, rows: rows)
      return area.revision != before
    default: return false
    }
  }

  /// Goes to the next or the previous word of a choice, or turns a toggle.
  mutating func turn(by step: Int) {
    switch value {
    case .choice(let words, let selected) where !words.isEmpty:
      value = .choice(words, selected: (selected + step + words.count) % words.count)
    case .toggle(let isOn): value = .toggle(!isOn)
    default: break
    }
  }
}

@testable import TermindPresentation

/// The text of Docs/Keys.md, made from the vocabulary and the shipped keymaps.
enum KeysPage {
  static var text: String {
    ([introduction] + tables + [form, names]).joined(separator: "\n\n") + "\n"
  }

  private static let keymaps = ["default", "tmux", "zellij", "macos"].map {
    KeymapLibrary(own: nil).keymap(named: $0).keymap
  }

  private static let introduction = """
    # Keys

    Generated from the program; a test fails when it is stale (`TERMIND_RECORD=1 swift test
    --filter DocumentationTests` writes it anew).

    A keymap is chosen with `keymap = NAME` in `~/.config/termind/config`, where any line of a keymap
    may stand as well and wins. Only the leader is taken from programs by `default` (\(leader(0)), and
    `ctrl+shift+p` where the terminal tells it from `ctrl+p`) and `tmux` (\(leader(1))); `zellij` takes several Ctrl and Alt keys, and
    `macos` adds Command keys to `default`, where the terminal sends them. The leader pressed twice
    sends itself to the program, escape leaves a sequence, and a pause shows what may follow. Bindings
    marked ↻ repeat: for a moment, their last key alone does it again. In lock mode every key goes to
    the program except the one that leaves it.
    """

  private static func leader(_ index: Int) -> String {
    "`\(keymaps[index].leader?.description ?? "none")`"
  }

  private static var tables: [String] {
    ActionGroup.allCases.map { group in
      var lines = ["## \(group.rawValue)", ""]
      lines.append(
        "| action | what it does | " + keymaps.map(\.name).joined(separator: " | ") + " |"
      )
      lines.append("| --- | --- |" + String(repeating: " --- |", count: keymaps.count))
      for entry in ActionCatalog.entries where entry.group == group {
        lines += rows(entry)
      }
      return lines.joined(separator: "\n")
    }
  }

  /// A row for the entry, and one for each bound parameter when it has several.
  private static func rows(_ entry: ActionEntry) -> [String] {
    var actions: [Action] = []
    for keymap in keymaps {
      for binding in keymap.bindings where binding.action.name == entry.name {
        if !actions.contains(binding.action) { actions.append(binding.action) }
      }
    }
    let parameter: String
    switch entry.form {
    case .none: parameter = ""
    case .required(let choices): parameter = ":" + choices.joined(separator: "\\|")
    case .optional(let choices): parameter = "[:" + choices.joined(separator: "\\|") + "]"
    }
    let title = "`\(entry.name)`\(parameter)"
    guard actions.count > 1 else {
      return ["| \(title) | \(entry.summary) | " + cells(actions.first) + " |"]
    }
    let head = "| \(title) | \(entry.summary) |" + String(repeating: " |", count: keymaps.count)
    return [head] + actions.map { "| `\($0)` | \($0.label) | " + cells($0) + " |" }
  }

  private static func cells(_ action: Action?) -> String {
    keymaps.map { keymap in
      guard let action else { return "" }
      return keymap.bindings(of: action).map { code($0.keysText) + ($0.repeats ? " ↻" : "") }
        .joined(separator: ", ")
    }.joined(separator: " | ")
  }

  private static func code(_ text: String) -> String {
    let text = text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
    return text.contains("`") ? "`` \(text) ``" : "`\(text)`"
  }

  private static let form = """
    ## The form of a keymap

    Own keymaps lie in `~/.config/termind/keymaps/NAME`. The form is Ghostty's:

    ```
    base = default                      # start from another keymap; the first setting
    leader = ctrl+a                     # what `leader` stands for, in one place
    keybind = leader>v=new_split:right  # keys in a row are joined by >
    keybind = repeat:leader>H=resize:left,2
    keybind = ctrl+tab=next_workspace   # without the leader: taken from programs
    keybind = leader>d=unbind           # takes a binding, or all under a prefix, away
    keybind = clear                     # takes all away that came before
    which-key-delay = 400               # milliseconds
    repeat-delay = 600
    ```

    A comment stands on a line of its own; those above are only for this page. Later lines win. A line
    that is wrong changes nothing and is reported with file, line and reason. Ghostty's own action names
    work where they mean the same (`goto_split:left`, `new_tab`, `toggle_split_zoom`, …); its flags
    `global:`, `all:`, `unconsumed:` and `performable:` are ignored with a remark.
    """

  private static var names: String {
    let named = NamedKey.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
    return """
      ## Names of keys

      A key is any single character, or one of \(named), `space`, `f1` to `f35`. A capital letter means
      its small one with Shift. Modifiers are `ctrl`, `alt`, `shift` and `super`, joined by `+`; `ctrl++`,
      `leader>>` and `ctrl+=` need no escape. Where the keyboard has another alphabet, the key at the same
      place of a US layout counts too, if the terminal reports it.
      """
  }
}

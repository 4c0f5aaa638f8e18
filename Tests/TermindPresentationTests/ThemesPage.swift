@testable import TermindPresentation

/// The text of Docs/Themes.md, made from the shipped themes.
enum ThemesPage {
  static var text: String {
    let rows = ThemeLibrary(own: nil, ghostty: nil).listings().map { listing in
      let theme = ThemeLibrary(own: nil, ghostty: nil).theme(named: listing.name).theme
      let tenths = Int((theme.foreground.contrast(with: theme.background) * 10).rounded())
      let kind = theme.isDark ? "dark" : "light"
      return "| \(theme.name) | \(kind) | \(theme.background.hex) | \(theme.foreground.hex) "
        + "| \(tenths / 10).\(tenths % 10) |"
    }
    return """
      # Themes

      Generated from the program; a test fails when it is stale (`TERMIND_RECORD=1 swift test
      --filter DocumentationTests` writes it anew).

      A theme is chosen with `theme = NAME` in `~/.config/termind/config`, or with
      `theme = light:NAME,dark:NAME` for a pair that
      follows the terminal. The list of themes shows each one live while it is being chosen. Without a
      choice it is \(ThemeLibrary.defaultDark) on dark and \(ThemeLibrary.defaultLight) on light terminals.

      Themes are looked for in `~/.config/termind/themes`, then in Ghostty's `~/.config/ghostty/themes`,
      then among the shipped ones. The format is Ghostty's:

      ```
      palette = 0=#45475a
      background = #1e1e2e
      foreground = #cdd6f4
      cursor-color = #f5e0dc
      cursor-text = #1e1e2e
      selection-background = #353749
      selection-foreground = #cdd6f4
      ```

      `palette` takes indexes from 0 to 255; those that a file leaves out are xterm's. Lines that begin
      with `#` are comments, values may stand in quotes, and colours may lack the `#` or have three
      digits. A line that is wrong changes nothing and is reported with file, line and reason.

      The colours of borders, bars and hints are derived from the theme. Each is moved towards the
      theme's text until it has the contrast it needs: 4.5 for all text, 3 for focused borders.
      Terminals with 16 colours keep their own ones, and with `NO_COLOR` everything is told by bold,
      underlined and reversed text.

      | theme | kind | background | text | contrast |
      | --- | --- | --- | --- | --- |
      \(rows.joined(separator: "\n"))

      """
  }
}

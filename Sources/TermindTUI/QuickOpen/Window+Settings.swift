import TermindApplication
import TermindPresentation

/// Changing the settings of the configuration file from a window.
extension Window {
  /// Lets one of a setting's few values be chosen, or another one be typed.
  func changeSetting(_ setting: Setting) {
    let choices = setting.choices(keymaps: server.looks.keymaps)
    if choices.isEmpty { typeSetting(setting) } else { chooseSetting(setting, of: choices) }
  }

  private func chooseSetting(_ setting: Setting, of choices: [String]) {
    let current = setting.value(in: server.looks.preferences)
    let entries = choices.map { value in
      let isInForce = value == current
      let row = ChooserRow(
        title: value,
        trailing: isInForce ? "in force" : "",
        sign: isInForce ? "●" : ""
      )
      return ListSheet.Entry(text: value, row: row) { [weak self] in
        self?.server.choose(setting, value)
      }
    }
    present(
      ListSheet(
        .chooser,
        ChooserSheet(title: "\(setting.rawValue): \(setting.summary)"),
        entries: entries,
        selected: current.flatMap { choices.firstIndex(of: $0) }
      )
    )
  }

  private func typeSetting(_ setting: Setting) {
    present(
      FormSheet(setting.form(server.looks.preferences)) { [weak self] texts in
        guard let self, let value = texts.first else { return nil }
        if let problem = setting.problem(of: value) { return problem }
        server.choose(setting, value)
        return nil
      }
    )
  }
}

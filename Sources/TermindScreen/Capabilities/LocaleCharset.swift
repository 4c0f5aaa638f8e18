/// What the locale variables say about text, in the order in which the C library looks at them.
enum LocaleCharset: Equatable {
  case utf8
  case other
  case unset

  init(environment: [String: String]) {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"]
    guard let value = names.lazy.compactMap({ environment[$0] }).first(where: { !$0.isEmpty })
    else {
      self = .unset
      return
    }
    let folded = value.lowercased()
    self = folded.contains("utf-8") || folded.contains("utf8") ? .utf8 : .other
  }
}

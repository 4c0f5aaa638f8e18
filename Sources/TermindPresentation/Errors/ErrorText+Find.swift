public import TermindTerminal

extension ErrorText {
  /// Why nothing can be searched for, in a few words that fit the find bar.
  public static func phrase(_ error: FindError) -> String {
    switch error {
    case .badPattern(let reason, let offset): "\(reason) at \(offset)"
    case .tooLong: "longer than \(FindQuery.longest) bytes"
    }
  }
}

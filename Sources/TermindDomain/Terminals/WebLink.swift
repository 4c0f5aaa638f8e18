/// Addresses in text.
public enum WebLink {
  private static let schemes = ["https", "http", "ftp", "ftps", "ssh", "sftp", "file", "git"]
  /// Those that a browser may be given.
  private static let openable: Set<String> = ["https", "http", "ftp", "ftps", "mailto"]

  /// The address in a word: without what punctuation encloses and ends it; nil when there is none.
  public static func find(in word: String) -> String? {
    var found: Substring?
    for scheme in schemes {
      if let range = word.firstRange(of: scheme + "://") {
        if found == nil || range.lowerBound < (found?.startIndex ?? word.endIndex) {
          found = word[range.lowerBound...]
        }
      }
    }
    guard var address = found else { return nil }
    while let last = address.last {
      if ".,;:!?'\"`*>]}".contains(last) {
        address = address.dropLast()
      } else if last == ")",
        address.count(where: { $0 == ")" }) > address.count(where: { $0 == "(" })
      {
        address = address.dropLast()
      } else {
        break
      }
    }
    return address.hasSuffix("://") ? nil : String(address)
  }

  /// Whether a browser may be given an address; a host's text could name a program's files or a device else.
  public static func canOpen(_ address: String) -> Bool {
    let scheme = address.prefix { $0 != ":" }.lowercased()
    return openable.contains(scheme)
      && address.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
  }
}

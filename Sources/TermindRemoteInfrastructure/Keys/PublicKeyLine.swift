extension SSHPublicKey {
  /// The line of a `.pub` file or of `authorized_keys`, without a line end.
  ///
  /// - Parameter comment: What stands behind the key; line ends and other control characters become blanks.
  /// - Returns: The type, the key in base64, and the comment unless it is empty.
  public func line(comment: String = "") -> String {
    let words = comment.unicodeScalars.map { scalar -> Character in
      scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value) ? " " : Character(scalar)
    }
    let text = "\(algorithm) \(Base64Codec.encode(blob))"
    let trimmed = String(words).split(separator: " ").joined(separator: " ")
    return trimmed.isEmpty ? text : "\(text) \(trimmed)"
  }
}

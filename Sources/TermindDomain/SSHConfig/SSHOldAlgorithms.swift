/// Algorithms of OpenSSH that are no longer safe, which `ssh` uses only where it is told to.
public enum SSHOldAlgorithms {
  /// What `ssh` calls the kind of algorithm, the option that names them, and the old ones.
  public static let all: [(kind: String, option: SSHOption, names: [String])] = [
    (
      "key exchange", .kexAlgorithms,
      [
        "diffie-hellman-group14-sha1", "diffie-hellman-group-exchange-sha1",
        "diffie-hellman-group1-sha1",
      ]
    ),
    ("host key", .hostKeyAlgorithms, ["ssh-rsa"]),
    ("user key", .pubkeyAcceptedAlgorithms, ["ssh-rsa"]),
    ("cipher", .ciphers, ["aes256-cbc", "aes192-cbc", "aes128-cbc", "3des-cbc"]),
    ("MAC", .macs, ["hmac-md5", "hmac-md5-96", "hmac-sha1-96"]),
  ]

  /// The options that name algorithms.
  public static let options = Set(all.map(\.option))

  /// Whether the value of such an option asks for an old algorithm.
  ///
  /// - Parameters:
  ///   - value: A list of patterns, behind a sign when it changes the usual list.
  ///   - option: The option.
  /// - Returns: Whether one of the old names is in the list that results; the usual one has none.
  public static func isAsked(by value: String, of option: SSHOption) -> Bool {
    let sign = value.first
    guard sign != "-", let names = all.first(where: { $0.option == option })?.names else {
      return false
    }
    let list = sign == "+" || sign == "^" ? String(value.dropFirst()) : value
    return names.contains { SSHPattern.matches($0, list: list) }
  }
}

internal import Glibc

/// Whether Kerberos tickets may be there; looking costs nothing, trying without costs a round of name look-ups.
enum KerberosTickets {
  /// Whether a cache of tickets is named, or stands where it does by default.
  static func areThere(_ environment: [String: String]) -> Bool {
    if let name = environment["KRB5CCNAME"], !name.isEmpty { return true }
    return unsafe access("/tmp/krb5cc_\(geteuid())", R_OK) == 0
  }
}

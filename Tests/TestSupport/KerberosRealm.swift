import Glibc

/// A realm of Kerberos with its own key distribution centre on a loopback port, and a ticket for the account of the tests.
public final class KerberosRealm: Sendable {
  /// The variables that name the realm, the ticket, and the key of the server's side.
  public let environment: [String: String]
  private let folder: TemporaryFolder
  private let centre: TestProgram

  private static let name = "TERMIND.TEST"
  private static let programs = [
    "/usr/sbin/krb5kdc", "/usr/sbin/kdb5_util", "/usr/sbin/kadmin.local", "/usr/bin/kinit",
  ]

  /// Whether there is what it is made of: Debian's `krb5-kdc`, `krb5-admin-server` and `krb5-user`.
  public static var isInstalled: Bool { programs.allSatisfy { access($0, X_OK) == 0 } }

  /// Makes the realm, starts its centre, and gets a ticket for a user.
  ///
  /// - Parameter user: The account, here and on the servers of the realm.
  /// - Throws: A `TestFailure` when a program of Kerberos fails.
  public init(user: String) async throws {
    folder = try TemporaryFolder()
    let port = try FreePort.find()
    let key = folder.file("keytab")
    let ticket = "FILE:\(folder.file("ticket"))"
    let variables = [
      "PATH": "/usr/sbin:/usr/bin:/bin",
      "KRB5_CONFIG": try folder.write("krb5.conf", Self.configuration(port)),
      "KRB5_KDC_PROFILE": try folder.write("kdc.conf", Self.profile(port, folder)),
      "KRB5_KTNAME": "FILE:\(key)",
      "KRB5CCNAME": ticket,
    ]
    environment = variables
    func run(_ program: Int, _ arguments: String...) async throws {
      try await TestProgram.run(Self.programs[program], arguments, environment: variables)
    }
    try await run(1, "create", "-s", "-r", Self.name, "-P", "master")
    let own = folder.file("user.keytab")
    for (principal, file) in [(user, own), ("host/127.0.0.1", key)] {
      try await run(2, "-q", "addprinc -randkey \(principal)@\(Self.name)")
      try await run(2, "-q", "ktadd -k \(file) \(principal)@\(Self.name)")
    }
    centre = try TestProgram(Self.programs[0], ["-n"], environment: environment)
    try await centre.wait(for: "starting")
    try await run(3, "-k", "-t", own, "\(user)@\(Self.name)")
  }

  private static func configuration(_ port: UInt16) -> String {
    """
    [libdefaults]
      default_realm = \(name)
      dns_lookup_kdc = false
      dns_lookup_realm = false
      dns_canonicalize_hostname = false
      rdns = false
      udp_preference_limit = 1
    [realms]
      \(name) = {
        kdc = 127.0.0.1:\(port)
      }

    """
  }

  private static func profile(_ port: UInt16, _ folder: TemporaryFolder) -> String {
    """
    [kdcdefaults]
      kdc_listen = ""
      kdc_tcp_listen = 127.0.0.1:\(port)
    [realms]
      \(name) = {
        database_name = \(folder.file("principal"))
        key_stash_file = \(folder.file("stash"))
        acl_file = \(folder.file("acl"))
        max_life = 1h
        supported_enctypes = aes256-cts-hmac-sha1-96:normal
      }
    [logging]
      kdc = FILE:\(folder.file("kdc.log"))

    """
  }
}

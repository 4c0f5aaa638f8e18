/// The options that are understood; the raw value is the keyword in lower case.
public enum SSHOption: String, CaseIterable, Sendable {
  case addressFamily = "addressfamily"
  case bindAddress = "bindaddress"
  case bindInterface = "bindinterface"
  case canonicalizeHostname = "canonicalizehostname"
  case certificateFile = "certificatefile"
  case checkHostIP = "checkhostip"
  case ciphers
  case clearAllForwardings = "clearallforwardings"
  case compression
  case connectionAttempts = "connectionattempts"
  case connectTimeout = "connecttimeout"
  case dynamicForward = "dynamicforward"
  case exitOnForwardFailure = "exitonforwardfailure"
  case forwardAgent = "forwardagent"
  case gatewayPorts = "gatewayports"
  case globalKnownHostsFile = "globalknownhostsfile"
  case hashKnownHosts = "hashknownhosts"
  case hostKeyAlgorithms = "hostkeyalgorithms"
  case hostKeyAlias = "hostkeyalias"
  case hostName = "hostname"
  case identitiesOnly = "identitiesonly"
  case identityAgent = "identityagent"
  case identityFile = "identityfile"
  case ignoreUnknown = "ignoreunknown"
  case kbdInteractiveAuthentication = "kbdinteractiveauthentication"
  case kexAlgorithms = "kexalgorithms"
  case localForward = "localforward"
  case macs
  case numberOfPasswordPrompts = "numberofpasswordprompts"
  case passwordAuthentication = "passwordauthentication"
  case port
  case preferredAuthentications = "preferredauthentications"
  case proxyCommand = "proxycommand"
  case proxyJump = "proxyjump"
  case pubkeyAcceptedAlgorithms = "pubkeyacceptedalgorithms"
  case pubkeyAuthentication = "pubkeyauthentication"
  case remoteCommand = "remotecommand"
  case remoteForward = "remoteforward"
  case requestTTY = "requesttty"
  case sendEnv = "sendenv"
  case serverAliveCountMax = "serveralivecountmax"
  case serverAliveInterval = "serveraliveinterval"
  case sessionType = "sessiontype"
  case setEnv = "setenv"
  case strictHostKeyChecking = "stricthostkeychecking"
  case tag
  case tcpKeepAlive = "tcpkeepalive"
  case user
  case userKnownHostsFile = "userknownhostsfile"

  /// Finds the option of a keyword, in any case and by its older names.
  init?(keyword: String) {
    let name = SSHPattern.lowered(keyword)
    guard let option = Self.byName[name] else { return nil }
    self = option
  }

  /// Whether it decides where a host is and as whom it is signed in to.
  var isAboutTheWay: Bool {
    switch self {
    case .hostName, .port, .user, .proxyJump, .proxyCommand: true
    default: false
    }
  }

  /// How its value is read.
  var kind: Kind {
    switch self {
    case .bindAddress, .bindInterface, .ciphers, .hostKeyAlgorithms, .hostKeyAlias, .hostName,
      .ignoreUnknown, .kexAlgorithms, .macs, .preferredAuthentications, .pubkeyAcceptedAlgorithms,
      .tag, .user:
      .word
    case .identityFile, .certificateFile: .file
    case .port: .port
    case .checkHostIP, .clearAllForwardings, .exitOnForwardFailure, .gatewayPorts,
      .hashKnownHosts, .identitiesOnly, .kbdInteractiveAuthentication, .passwordAuthentication,
      .tcpKeepAlive:
      .choice(Self.flag)
    case .addressFamily: .choice(["any": "any", "inet": "inet", "inet6": "inet6"])
    case .canonicalizeHostname: .choice(Self.truth.merging(["always": "always"]) { $1 })
    case .compression: .choice(["yes": "yes", "no": "no"])
    case .pubkeyAuthentication:
      .choice(Self.truth.merging(["unbound": "unbound", "host-bound": "host-bound"]) { $1 })
    case .requestTTY: .choice(Self.truth.merging(["force": "force", "auto": "auto"]) { $1 })
    case .sessionType:
      .choice(["none": "none", "subsystem": "subsystem", "default": "default"])
    case .strictHostKeyChecking:
      .choice(
        Self.truth.merging(["off": "false", "ask": "ask", "accept-new": "accept-new"]) { $1 }
      )
    case .connectionAttempts, .numberOfPasswordPrompts, .serverAliveCountMax: .number
    case .connectTimeout, .serverAliveInterval: .time
    case .proxyCommand, .remoteCommand: .command
    case .proxyJump: .jump
    case .localForward, .remoteForward, .dynamicForward: .forward
    case .sendEnv: .variableNames
    case .setEnv: .variables
    case .userKnownHostsFile, .globalKnownHostsFile: .words
    case .identityAgent, .forwardAgent: .agent
    }
  }

  /// How values are read and kept.
  enum Kind {
    /// One word; the first line counts.
    case word
    /// One path; every line adds one.
    case file
    /// A port or a service; the first line counts.
    case port
    /// One of these words, in any case, and what is kept for it.
    case choice([String: String])
    case number
    case time
    /// The rest of the line as it stands.
    case command
    case jump
    case forward
    /// Names and patterns; every line adds.
    case variableNames
    /// `NAME=VALUE`; the first line counts.
    case variables
    /// Paths; the first line counts.
    case words
    /// A path, a variable, or a word.
    case agent
  }

  private static let flag = ["yes": "yes", "true": "yes", "no": "no", "false": "no"]
  private static let truth = ["yes": "true", "true": "true", "no": "false", "false": "false"]

  private static let byName: [String: SSHOption] = {
    var names = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })
    for name in ["challengeresponseauthentication", "skeyauthentication", "tisauthentication"] {
      names[name] = .kbdInteractiveAuthentication
    }
    names["dsaauthentication"] = .pubkeyAuthentication
    names["pubkeyacceptedkeytypes"] = .pubkeyAcceptedAlgorithms
    names["keepalive"] = .tcpKeepAlive
    return names
  }()

  /// Keywords of `ssh` that have no counterpart here, those that it has dropped itself included.
  static let unused: Set<String> = [
    "addkeystoagent", "afstokenpassing", "batchmode", "canonicaldomains",
    "canonicalizefallbacklocal", "canonicalizemaxdots", "canonicalizepermittedcnames",
    "casignaturealgorithms", "channeltimeout", "cipher", "compressionlevel",
    "controlmaster", "controlpath", "controlpersist", "enableescapecommandline",
    "enablesshkeysign", "escapechar", "fallbacktorsh", "fingerprinthash",
    "forkafterauthentication", "forwardx11", "forwardx11timeout", "forwardx11trusted",
    "globalknownhostsfile2", "gssapiauthentication", "gssapiclientidentity",
    "gssapidelegatecredentials", "gssapikexalgorithms", "gssapikeyexchange",
    "gssapirenewalforcesrekey", "gssapiserveridentity", "gssapitrustdns",
    "hostbasedacceptedalgorithms", "hostbasedauthentication", "hostbasedkeytypes",
    "identityfile2", "ipqos", "kbdinteractivedevices",
    "kerberosauthentication",
    "kerberostgtpassing", "knownhostscommand", "localcommand", "loglevel",
    "logverbose", "nohostauthenticationforlocalhost", "obscurekeystroketiming",
    "permitlocalcommand", "permitremoteopen", "pkcs11provider", "protocol", "protocolkeepalives",
    "proxyusefdpass", "refuseconnection",
    "rekeylimit", "requiredrsasize", "revokedhostkeys", "rhostsauthentication",
    "rhostsrsaauthentication", "rsaauthentication", "securitykeyprovider", "setuptimeout",
    "smartcarddevice",
    "stdinnull", "streamlocalbindmask", "streamlocalbindunlink", "syslogfacility", "tunnel",
    "tunneldevice", "updatehostkeys", "useprivilegedport", "useroaming",
    "userknownhostsfile2", "verifyhostkeydns", "versionaddendum", "visualhostkey", "warnweakcrypto",
    "xauthlocation",
  ]
}

/// One value of an option and where it stands.
public struct SSHConfigValue: Hashable, Sendable {
  /// The value in its usual form: `yes` or `no`, seconds, a number, or the text as it was written.
  public let text: String
  /// Where it was set.
  public let place: SourcePlace

  /// Makes a value.
  public init(_ text: String, at place: SourcePlace) {
    self.text = text
    self.place = place
  }
}

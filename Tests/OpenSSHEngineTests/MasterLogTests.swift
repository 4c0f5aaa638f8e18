import TermindDomain
import Testing

@testable import TermindRemoteInfrastructure

@Suite("OpenSSH engine: what ssh says") struct MasterLogTests {
  private func log(_ lines: [String]) -> MasterLog {
    var log = MasterLog(limits: TransportLimits())
    for line in lines { _ = log.take(line) }
    return log
  }

  private func cause(_ lines: String...) -> ConnectionFailureCause {
    log(lines).cause(ofEnd: "exited")
  }

  private let connected = "debug1: Entering interactive session."

  @Test("failures of reaching a server have their causes")
  func reaching() {
    #expect(
      cause("ssh: Could not resolve hostname x: Name or service not known")
        == .unknownHost("Name or service not known")
    )
    #expect(cause("ssh: connect to host h port 22: Connection refused") == .refused)
    #expect(cause("ssh: connect to host h port 22: Connection timed out") == .timedOut(seconds: 10))
    #expect(
      cause("ssh: connect to host h port 22: No route to host") == .unreachable("No route to host")
    )
    #expect(
      cause(
        "debug1: kex_exchange_identification: banner line 0: 220 mail",
        "kex_exchange_identification: Connection closed by remote host"
      ) == .notSSH(banner: "220 mail\n")
    )
  }

  @Test("missing algorithms are named with the server's offer")
  func algorithms() {
    let text = "Unable to negotiate with ::1 port 2: no matching"
    #expect(
      cause("\(text) key exchange method found. Their offer: a,b,kex-strict-s-v00@openssh.com")
        == .noCommonAlgorithm(kind: "key exchange", offered: ["a", "b"], supported: [])
    )
    #expect(
      cause("\(text) host key type found. Their offer: ssh-dss")
        == .noCommonAlgorithm(kind: "host key", offered: ["ssh-dss"], supported: [])
    )
    #expect(
      cause("\(text) cipher found. Their offer: aes128-cbc,3des-cbc")
        == .oldAlgorithmsOnly(kind: "cipher", offered: ["aes128-cbc", "3des-cbc"])
    )
  }

  @Test("a refusal tells what was tried and what is offered")
  func refusal() {
    let tried = cause(
      "debug1: Next authentication method: publickey",
      "debug1: Offering public key: /home/me/key ED25519 SHA256:abc agent",
      "debug1: Next authentication method: password",
      "me@h: Permission denied (publickey,password)."
    )
    #expect(
      tried
        == .authenticationFailed(
          tried: ["publickey ED25519 SHA256:abc /home/me/key", "password"],
          offered: ["publickey", "password"]
        )
    )
    #expect(
      cause("Received disconnect from 1.2.3.4 port 22:2: Too many authentication failures")
        == .disconnected(reason: "Too many authentication failures")
    )
  }

  @Test("the end of a connection that was up is a loss")
  func losses() {
    #expect(
      cause(connected, "Connection to h closed by remote host.")
        == .lost(reason: "the server closed the connection")
    )
    #expect(
      cause(connected, "Timeout, server h not responding.") == .keepaliveTimedOut(seconds: 45)
    )
    #expect(
      cause(connected, "client_loop: send disconnect: Broken pipe") == .lost(reason: "Broken pipe")
    )
    #expect(cause(connected) == .lost(reason: "exited"))
  }

  @Test("steps are told once, in their order, and debug text of a server tells nothing")
  func steps() {
    var log = MasterLog(limits: TransportLimits())
    #expect(log.take("debug1: Connecting to h [::1] port 22.") == .step(.connecting))
    #expect(log.take("debug1: Connecting to h [::2] port 22.") == nil)
    #expect(log.take("debug1: Local version string SSH-2.0-OpenSSH_9.2p1") == .step(.keyExchange))
    #expect(log.take("debug1: SSH2_MSG_SERVICE_ACCEPT received") == .step(.authentication))
    log.takeForeign("debug1: Entering interactive session.")
    #expect(log.step == .authentication)
    #expect(log.take(connected) == .ready)
    // Keys are exchanged anew.
    #expect(log.take("debug1: Server host key: ssh-ed25519 SHA256:x") == nil)
    #expect(log.step == .connected)
  }

  @Test("the words of keyboard-interactive are passed on, and those of a refusal are not")
  func interactive() {
    var log = MasterLog(limits: TransportLimits())
    _ = log.take("debug1: Next authentication method: keyboard-interactive")
    #expect(log.take("Use the token") == .interactiveText("Use the token"))
    #expect(log.take("Permission denied, please try again.") == .refusedAnswer)
  }

  @Test("versions are read, and old ones are refused")
  func versions() {
    #expect(SSHProgram.version(in: "OpenSSH_9.2p1 Debian-2, OpenSSL 3") == "9.2p1")
    #expect(SSHProgram.version(in: "something else") == "")
    #expect(SSHProgram(path: "/ssh", version: "8.6p1").problem != nil)
    #expect(SSHProgram(path: "/ssh", version: "10.0p2").problem == nil)
    #expect(SSHProgram(path: "/ssh", version: "").problem == nil)
  }

  @Test("prompts are told apart, and a server cannot pass for ssh")
  func prompts() {
    func kind(_ text: String, _ hint: String = "") -> AskpassPrompt.Kind {
      AskpassPrompt(text, hint: hint).kind
    }
    #expect(kind("me@h's password: ") == .password)
    #expect(kind("me@h's old password: ") == .oldPassword)
    #expect(kind("Enter me@h's new password: ") == .newPassword)
    #expect(kind("Retype me@h's new password: ") == .repeatedPassword)
    #expect(kind("(me@h) x's password: ") == .interactive("x's password: "))
    #expect(kind("(me@h) Code: ") == .interactive("Code: "))
    #expect(kind("Enter passphrase for key '/k': ") == .passphrase(path: "/k"))
    #expect(kind("Enter PIN for ECDSA-SK key /k: ") == .other)
    #expect(kind("Confirm user presence for key", "none") == .notice)
    #expect(kind("Add key? ", "confirm") == .agreement)
  }
}

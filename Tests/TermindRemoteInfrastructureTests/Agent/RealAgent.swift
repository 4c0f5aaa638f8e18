import Testing

@testable import TermindRemoteInfrastructure

/// An `ssh-agent` of OpenSSH that ends with this object.
final class RealAgent {
  let workshop: KeyWorkshop
  let socketPath: String
  private let process: ChildProcess
  private var isRunning: Bool

  init(_ workshop: KeyWorkshop) throws {
    self.workshop = workshop
    socketPath = workshop.path("agent.sock")
    process = try ChildProcess("ssh-agent", ["-D", "-a", socketPath], environment: [:])
    isRunning = true
    // The socket appears a moment after the start; `ssh-add` says 2 until then.
    for _ in 0..<500
    where try workshop.run("ssh-add", ["-l"], environment: environment, expecting: nil).status != 2
    {
      return
    }
    Issue.record("ssh-agent did not start")
  }

  deinit { stop() }

  var environment: [String: String] { ["SSH_AUTH_SOCK": socketPath] }

  func add(_ path: String) throws {
    try workshop.run("ssh-add", ["-q", path], environment: environment)
  }

  /// Locks or unlocks the agent; the password comes from a program, because there is no terminal.
  func setLocked(_ isLocked: Bool) throws {
    // Written by another process: a program that this one holds open for writing while any test starts a
    // child, which inherits that for a moment, cannot be run ("text file busy").
    let program = workshop.path("askpass")
    try workshop.run(
      "install",
      ["-m", "700", "/dev/stdin", program],
      input: Array("#!/bin/sh\necho secret\n".utf8)
    )
    try workshop.run(
      "ssh-add",
      [isLocked ? "-x" : "-X"],
      environment: environment.merging([
        "SSH_ASKPASS": program, "SSH_ASKPASS_REQUIRE": "force", "DISPLAY": ":0",
      ]) { $1 }
    )
  }

  func stop() {
    guard isRunning else { return }
    isRunning = false
    process.terminate()
  }
}

import Foundation
import Glibc
import TermindTestSupport
import Testing

@Suite("Scripts/setup") struct SetupTests {
  private static let script = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Scripts/setup").path

  @Test("does nothing and needs no rights where everything is installed")
  func complete() async throws {
    // The tests run here, so that whatever it looks for is there.
    let output = try await TestProgram.run("/bin/bash", [Self.script, "--tests"])
    #expect(output.isEmpty)
  }

  @Test("without rights it names exactly what is missing, and the command that installs it")
  func withoutRights() async throws {
    let folder = try TemporaryFolder()
    // A machine on which only one package is missing, and an account without rights and without sudo.
    try folder.write("swift", "#!/bin/sh\n", mode: 0o700)
    try folder.write("id", "#!/bin/sh\necho 1000\n", mode: 0o700)
    try folder.write(
      "dpkg-query",
      "#!/bin/sh\n[ \"$3\" = libssh2-1-dev ] && exit 1\necho 'install ok installed'\n",
      mode: 0o700
    )
    let started = try TestProgram(
      "/bin/bash",
      [Self.script],
      environment: ["PATH": folder.path]
    )
    #expect(try await started.waitForExit() == 1)
    #expect(started.text.contains("needs root (no sudo here): libssh2-1-dev"))
    #expect(started.text.contains("apt-get install libssh2-1-dev"))
    // Without a toolchain it says so first.
    unlink(folder.file("swift"))
    let bare = try TestProgram("/bin/bash", [Self.script], environment: ["PATH": folder.path])
    #expect(try await bare.waitForExit() == 1)
    #expect(bare.text.contains("no 'swift' in PATH"))
  }
}

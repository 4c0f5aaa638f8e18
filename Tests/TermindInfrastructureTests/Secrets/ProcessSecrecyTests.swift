import Glibc
import TermindInfrastructure
import Testing

@Suite("Process secrecy") struct ProcessSecrecyTests {
  @Test("a process that forbids reading is not dumpable, and its children are as usual")
  func forbids() async {
    await #expect(processExitsWith: .success) {
      guard ProcessSecrecy.isReadable else { exit(2) }
      ProcessSecrecy.forbidReading()
      guard !ProcessSecrecy.isReadable else { exit(3) }
      // What the server asks of its own entries and of its children still works.
      guard ProcessEnvironment.executablePath() != "/proc/self/exe" else { exit(4) }
      let null = open("/dev/null", O_RDWR)
      let again = open("/proc/self/fd/\(null)", O_RDWR)
      guard again >= 0 else { exit(5) }
      var child: pid_t = 0
      var words: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("60"), nil]
      guard posix_spawn(&child, "/bin/sleep", nil, nil, &words, environ) == 0 else { exit(6) }
      defer { kill(child, SIGKILL) }
      var target = [CChar](repeating: 0, count: 4096)
      guard readlink("/proc/\(child)/cwd", &target, target.count) > 0 else { exit(7) }
      kill(child, SIGKILL)
      exit(0)
    }
  }
}

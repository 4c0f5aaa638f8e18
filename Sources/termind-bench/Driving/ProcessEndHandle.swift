internal import CLinux
import TermindInfrastructure

/// The end of a process that is not our child.
enum ProcessEnd {
  /// Blocks until the process has gone.
  static func wait(for process: Int32) throws(BenchError) {
    let number = pidfd_open(process, 0)
    // Nothing to wait for: it has gone already.
    guard number >= 0 else { return }
    let descriptor = OwnedDescriptor(adopting: number)
    guard DescriptorWait.readable([descriptor], milliseconds: 30_000)[0] else {
      throw .timeout(awaited: "the end of process \(process)", screen: "")
    }
  }
}

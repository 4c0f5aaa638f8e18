import Glibc
import TermindApplication
import TermindInfrastructure
import TermindTestSupport

/// A channel whose server is killed after a number of messages to it.
final class CutByteChannel: ByteChannel {
  private let base: ProgramByteChannel
  private let left: Locked<Int>

  init(_ base: ProgramByteChannel, after count: Int) {
    self.base = base
    left = Locked(count)
  }

  var executor: any SerialExecutor { base.executor }
  var queuedByteCount: Int { base.queuedByteCount }

  @discardableResult func send(_ bytes: [UInt8]) -> Bool {
    let isLast = left.withLock { left in
      left -= 1
      return left == 0
    }
    if isLast { kill(base.processNumber, SIGKILL) }
    return base.send(bytes)
  }

  func finishSending() { base.finishSending() }
  func setReceiving(_ isOn: Bool) { base.setReceiving(isOn) }
  func signal(_ name: String) { base.signal(name) }
  func close() { base.close() }
}

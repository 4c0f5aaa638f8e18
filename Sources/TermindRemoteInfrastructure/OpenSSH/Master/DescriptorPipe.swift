internal import CLinux
internal import Glibc
internal import TermindInfrastructure

/// A pipe of the system: what one end writes, the other reads.
struct DescriptorPipe {
  /// Where to read; it does not block.
  let reading: OwnedDescriptor
  /// Where to write.
  let writing: OwnedDescriptor

  /// Makes a pipe; nil when no descriptor is left.
  init?() {
    var numbers: [Int32] = [-1, -1]
    guard unsafe pipe(&numbers) == 0 else { return nil }
    // Programs that are started meanwhile close what is not theirs.
    reading = OwnedDescriptor(inheriting: numbers[0])
    writing = OwnedDescriptor(inheriting: numbers[1])
    _ = fcntl(numbers[0], F_SETFL, O_NONBLOCK)
  }

  /// What is there, at most `limit` bytes; nil at the end, empty when there is nothing now.
  static func read(_ descriptor: OwnedDescriptor, limit: Int) -> [UInt8]? {
    while true {
      var count = 0
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, used in
        count = unsafe Glibc.read(descriptor.number, buffer.baseAddress, limit)
        used = max(0, count)
      }
      if count > 0 { return bytes }
      if count == 0 { return nil }
      if errno == EINTR { continue }
      return errno == EAGAIN ? [] : nil
    }
  }

  /// Waits for the first bytes and gives them as text.
  func readOnce(within milliseconds: Int32) -> String {
    var wait = pollfd(fd: reading.number, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&wait, 1, milliseconds) > 0 else { return "" }
    return String(decoding: Self.read(reading, limit: 4096) ?? [], as: UTF8.self)
  }
}

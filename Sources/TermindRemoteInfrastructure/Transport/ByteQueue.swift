/// Bytes in order: appended at the end, taken from the front, in one contiguous block.
///
/// Not thread-safe; its owner is the connection that it serves.
@safe
final class ByteQueue {
  private var memory: UnsafeMutableRawBufferPointer
  private var head = 0
  private(set) var count = 0

  init(capacity: Int = 16_384) {
    unsafe memory = .allocate(byteCount: max(capacity, 64), alignment: 16)
  }

  deinit { unsafe memory.deallocate() }

  var isEmpty: Bool { count == 0 }

  func append(_ bytes: UnsafeRawBufferPointer) {
    guard unsafe !bytes.isEmpty else { return }
    reserve(bytes.count)
    unsafe UnsafeMutableRawBufferPointer(rebasing: memory[(head + count)...]).copyMemory(
      from: bytes
    )
    count += bytes.count
  }

  func append(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe append($0) }
  }

  /// Lets `fill` write up to `limit` bytes behind the last one; it returns how many it wrote.
  func append(upTo limit: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Int) -> Int {
    reserve(limit)
    let room = unsafe UnsafeMutableRawBufferPointer(
      rebasing: memory[(head + count)..<(head + count + limit)]
    )
    let written = unsafe fill(room)
    if written > 0 { count += min(written, limit) }
    return written
  }

  /// Gives the bytes from the front; valid during the call only.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    unsafe body(UnsafeRawBufferPointer(rebasing: memory[head..<(head + count)]))
  }

  /// Forgets bytes from the front.
  func remove(first number: Int) {
    precondition(number >= 0 && number <= count)
    head += number
    count -= number
    if count == 0 { head = 0 }
  }

  func removeAll() {
    head = 0
    count = 0
  }

  /// Copies up to `target.count` bytes from the front, forgets them, and returns how many there were.
  func take(into target: UnsafeMutableRawBufferPointer) -> Int {
    let number = min(target.count, count)
    guard number > 0 else { return 0 }
    unsafe target.copyMemory(
      from: UnsafeRawBufferPointer(rebasing: memory[head..<(head + number)])
    )
    remove(first: number)
    return number
  }

  private func reserve(_ more: Int) {
    guard unsafe head + count + more > memory.count else { return }
    if unsafe count + more <= memory.count, head >= count {
      unsafe memory.copyMemory(
        from: UnsafeRawBufferPointer(rebasing: memory[head..<(head + count)])
      )
    } else {
      let larger = unsafe UnsafeMutableRawBufferPointer.allocate(
        byteCount: max(memory.count * 2, count + more),
        alignment: 16
      )
      unsafe larger.copyMemory(
        from: UnsafeRawBufferPointer(rebasing: memory[head..<(head + count)])
      )
      unsafe memory.deallocate()
      unsafe memory = larger
    }
    head = 0
  }
}

/// A block of memory for reads that are handed on at once.
@safe
final class ScratchMemory {
  let bytes: UnsafeMutableRawBufferPointer

  init(byteCount: Int) {
    unsafe bytes = .allocate(byteCount: max(byteCount, 1), alignment: 16)
  }

  deinit { unsafe bytes.deallocate() }
}

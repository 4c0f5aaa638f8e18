import TermindApplication
import TermindInfrastructure
import TermindTestSupport
import Testing

/// Keeps what a program writes, and lets a test wait for it.
final class OutputCollector: TerminalOutputReceiving {
  private struct State {
    var bytes: [UInt8] = []
    var end: TerminalChannelEnd?
    var endCount = 0
    var bytesAfterEnd = false
    var waiters:
      [(isMet: @Sendable (String, TerminalChannelEnd?) -> Bool, CheckedContinuation<Void, Never>)] =
        []
  }

  private let state = Locked(State())

  var bytes: [UInt8] { state.withLock { $0.bytes } }
  var text: String { String(decoding: bytes, as: UTF8.self) }
  var endCount: Int { state.withLock { $0.endCount } }
  var hasBytesAfterEnd: Bool { state.withLock { $0.bytesAfterEnd } }

  func received(_ bytes: UnsafeRawBufferPointer) {
    let copy = Array(bytes)
    change { state in
      state.bytes += copy
      if state.end != nil { state.bytesAfterEnd = true }
    }
  }

  func ended(_ end: TerminalChannelEnd) {
    change { state in
      state.end = end
      state.endCount += 1
    }
  }

  /// Waits until the text so far contains `part`; ends early when the program ends.
  func wait(for part: String) async {
    await wait { text, end in text.contains(part) || end != nil }
  }

  /// Waits for the end.
  func end() async -> TerminalChannelEnd? {
    await wait { $1 != nil }
    return state.withLock { $0.end }
  }

  private func wait(_ isMet: @escaping @Sendable (String, TerminalChannelEnd?) -> Bool) async {
    do {
      try await withDeadline("what a program writes, or its end") { [self] in
        await withCheckedContinuation { continuation in
          change { $0.waiters.append((isMet, continuation)) }
        }
      }
    } catch {
      Issue.record("\(error); it has written: \(text)")
    }
  }

  private func change(_ body: (inout State) -> Void) {
    let met = state.withLock { state in
      body(&state)
      guard !state.waiters.isEmpty else { return [CheckedContinuation<Void, Never>]() }
      let text = String(decoding: state.bytes, as: UTF8.self)
      let end = state.end
      let met = state.waiters.filter { $0.isMet(text, end) }.map(\.1)
      state.waiters.removeAll { $0.isMet(text, end) }
      return met
    }
    for waiter in met { waiter.resume() }
  }
}
